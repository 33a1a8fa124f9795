import { describe, expect, it } from 'vitest';
import type { ExecOptions, ExecResult, SandboxFiles, SandboxSession } from '../../src/sandbox/contract.js';
import { isSandboxError, SandboxError } from '../../src/sandbox/errors.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import { createCollectingApi } from './collecting-api.js';
import { describeSandboxContract } from './suite/index.js';

/** One fault that real backends have had, put into a backend that is otherwise right, and the checks that must see it. */
interface Mutant {
  fault: string;
  caughtBy: readonly string[];
  session?(session: SandboxSession): Partial<SandboxSession>;
  files?(files: SandboxFiles, session: SandboxSession): Partial<SandboxFiles>;
}

const MUTANTS: readonly Mutant[] = [
  {
    fault: 'an abort reads as exit code 0',
    caughtBy: ['an abort is never a success: cause aborted, no exit code, the output so far'],
    session: (session) => ({
      exec: async (command, options) => {
        const result = await session.exec(command, options);
        return result.aborted ? asSuccess(result) : result;
      },
    }),
  },
  {
    fault: 'a signal aborted beforehand is not looked at',
    caughtBy: ['a signal that is aborted before the call starts nothing'],
    session: (session) => ({
      exec: (command, options) => session.exec(command, withoutDeadSignal(options)),
      run: (cmd, args, options) => session.run(cmd, args, withoutDeadSignal(options)),
    }),
  },
  {
    fault: 'a timeout is reported while the command goes on',
    caughtBy: [
      'what a timed-out command would have done later never happens',
      'a timeout holds while the event loop of the host is blocked',
    ],
    session: (session) => ({
      exec: async (command, options = {}) => {
        const { timeoutMs, ...rest } = options;
        if (timeoutMs === undefined) return session.exec(command, rest);
        const work = session.exec(command, rest);
        work.catch(() => undefined);
        const late = new Promise<'late'>((resolve) => setTimeout(resolve, timeoutMs, 'late'));
        const first = await Promise.race([work, late]);
        return first === 'late' ? timedOut(timeoutMs) : first;
      },
    }),
  },
  {
    fault: 'a missing cwd falls back to the workspace',
    caughtBy: ['a cwd that does not exist is refused with invalid_cwd, naming it, and nothing runs'],
    session: (session) => ({
      exec: async (command, options = {}) => {
        const there = options.cwd === undefined || (await session.fs.stat(options.cwd).catch(() => null)) !== null;
        return session.exec(command, there ? options : { ...options, cwd: '/workspace' });
      },
    }),
  },
  {
    fault: 'arguments of run() go through a shell',
    caughtBy: ['arguments of run() are touched by no shell', 'the program of run() is a name, not a command line'],
    session: (session) => ({
      run: async (cmd, args, options) => {
        const result = await session.exec([cmd, ...args].join(' '), options);
        return { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode ?? -1 };
      },
    }),
  },
  {
    fault: "the host's environment is passed on",
    caughtBy: ["the host's environment is never seen, not even when inheritEnv asks for it"],
    session: (session) => ({
      exec: (command, options = {}) => {
        const secret = process.env.CAISSON_HOST_SECRET;
        const leaked = secret === undefined ? {} : { CAISSON_HOST_SECRET: secret };
        return session.exec(command, { ...options, env: { ...leaked, ...options.env } });
      },
    }),
  },
  {
    fault: 'env of one call stays for the next',
    caughtBy: ['env lasts for its own call only'],
    session: (session) => {
      let kept: Record<string, string> = {};
      return {
        exec: (command, options = {}) => {
          kept = { ...kept, ...options.env };
          return session.exec(command, { ...options, env: kept });
        },
      };
    },
  },
  {
    fault: 'only the start of long output is kept',
    caughtBy: [
      'long output keeps its start and its end and says how much was dropped',
      'long output of a failure keeps its end, where the reason is',
    ],
    session: (session) => ({
      exec: async (command, options) => {
        const result = await session.exec(command, options);
        return Object.assign(result, { stdout: result.stdout.slice(0, 20_000) });
      },
    }),
  },
  {
    fault: 'bytes that are not UTF-8 are lost',
    caughtBy: [
      'output that is not UTF-8 does not throw: the text is marked, the bytes are kept',
      'every byte value survives the way out of the sandbox',
    ],
    session: (session) => ({
      exec: async (command, options) => {
        const result = await session.exec(command, options);
        delete result.bytes;
        return result;
      },
    }),
  },
  {
    fault: 'a non-zero exit rejects',
    caughtBy: ['run() resolves with a non-zero exit code'],
    session: (session) => ({
      run: async (cmd, args, options) => {
        const result = await session.run(cmd, args, options);
        if (result.exitCode !== 0) throw new Error(`exit code ${result.exitCode}`);
        return result;
      },
    }),
  },
  {
    fault: 'a disposed session starts again',
    caughtBy: ['dispose() is idempotent, and every later call is refused with sandbox_disposed'],
    session: (session) => {
      let disposed = false;
      return {
        dispose: async () => {
          disposed = true;
          await session.dispose();
        },
        exec: async (command, options) => {
          if (!disposed) return session.exec(command, options);
          await using again = createIsolateSandbox();
          return await again.exec(command, options);
        },
      };
    },
  },
  {
    fault: 'ifVersion is not looked at',
    caughtBy: [
      'a write with the current version lands, one with an old version is stale_file and changes nothing',
      'ifVersion null writes only where nothing is',
      'of many writers with one version exactly one wins',
    ],
    files: (files) => ({
      writeFile: (path, data, options = {}) => {
        const { ifVersion: _, ...rest } = options;
        return files.writeFile(path, data, rest);
      },
    }),
  },
  {
    fault: 'a file is written in two steps',
    caughtBy: ['a reader sees the old or the new content, never a part'],
    files: (files) => ({
      writeFile: async (path, data, options) => {
        await files.writeFile(path, data.slice(0, data.length / 2), options);
        await files.writeFile(path, data, options);
      },
    }),
  },
  {
    fault: 'a write resets the mode',
    caughtBy: ['a new file is 0644, mode is kept on replacing, and mode can be given'],
    files: (files) => ({
      writeFile: (path, data, options) => files.writeFile(path, data, { mode: 0o644, ...options }),
    }),
  },
  {
    fault: 'a missing file is an error',
    caughtBy: ['a missing file reads as null, and so does one below a missing directory'],
    files: (files) => ({
      readFile: async (path, options) => {
        const bytes = await files.readFile(path, options);
        if (bytes === null) throw new SandboxError('not_found', `"${path}" does not exist`);
        return bytes;
      },
    }),
  },
  {
    fault: 'an error does not name the file',
    caughtBy: ['reading a directory is refused with is_directory, naming it'],
    files: (files) => ({
      readFile: (path, options) =>
        files.readFile(path, options).catch((error: unknown) => {
          throw isSandboxError(error) ? new SandboxError(error.code, 'Cannot read: a directory') : error;
        }),
    }),
  },
  {
    fault: 'a path that looks wrong is quietly made right',
    caughtBy: ['paths out of the workspace are refused with path_escape by every file call'],
    files: (files) => ({
      stat: (path, options) => files.stat(path.replaceAll('..', '').replace(/^\/(?!workspace\/)/, ''), options),
    }),
  },
  {
    fault: 'names are trimmed',
    caughtBy: ['hostile names are written, read, listed, renamed and removed as they are, and run nothing'],
    files: (files) => ({
      list: async (path, options) =>
        (await files.list(path, options))?.map((entry) => ({ ...entry, name: entry.name.trim() })) ?? null,
    }),
  },
  {
    fault: 'a bad expression finds nothing',
    caughtBy: ['a bad regular expression is bad_pattern, a missing root not_found'],
    files: (files) => ({
      grep: (pattern, options) => files.grep(pattern, options).catch(() => files.grep('never-there-4711', {})),
    }),
  },
];

describe('a fault that real backends have had is caught by name', () => {
  it.each(MUTANTS.map((mutant) => [mutant.fault, mutant] as const))('%s', async (_, mutant) => {
    const { api, tests, settled } = createCollectingApi();
    describeSandboxContract(api, {
      name: 'mutant',
      create: (options) => mutate(createIsolateSandbox(options), mutant),
      report: () => undefined,
    });
    await settled();
    const uncaught: string[] = [];
    for (const title of mutant.caughtBy) {
      const test = tests.find((candidate) => candidate.title === title);
      if (test === undefined) throw new Error(`There is no check '${title}'`);
      await test.body().then(
        () => uncaught.push(title),
        () => undefined,
      );
    }
    await tests.find(({ title }) => title === 'ends the shared session')?.body();
    expect(uncaught).toEqual([]);
  });
});

function mutate(session: SandboxSession, mutant: Mutant): SandboxSession {
  const files = overlay(session.fs, mutant.files?.(session.fs, session) ?? {});
  return overlay(session, { fs: files, ...mutant.session?.(session) });
}

/** The object with some members replaced; the others keep their `this`, and with it their private fields. */
function overlay<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function asSuccess(result: ExecResult): ExecResult {
  const { stdout, stderr, durationMs } = result;
  return { stdout, stderr, durationMs, exitCode: 0, timedOut: false, aborted: false };
}

function timedOut(durationMs: number): ExecResult {
  return { stdout: '', stderr: '', durationMs, exitCode: null, cause: 'timeout', timedOut: true, aborted: false };
}

function withoutDeadSignal(options: ExecOptions = {}): ExecOptions {
  if (options.signal?.aborted !== true) return options;
  const { signal: _, ...rest } = options;
  return rest;
}

import { randomUUID } from 'node:crypto';
import type { SandboxView } from '../../../host/sandbox-view.js';
import type { ToolHost } from '../../../host/types.js';
import type { ExecResult, Sandbox } from '../../../sandbox/contract.js';
import { quoteWord } from '../../provider/quote-word.js';

export interface FollowedCommand {
  /** Lets the command say where it ended, and takes that off its output again; `undefined` where nothing is added. */
  readonly view: SandboxView | undefined;
  /** Where it ended; `undefined` when it did not change the directory, or did not come to its end. */
  readonly directory: string | undefined;
  /** It changes the directory, and that cannot be followed. */
  readonly isLost: boolean;
}

/**
 * Follows a command that changes the directory. What that takes is added where the command runs, so that rules, people
 * and the log see the command as the model wrote it. Where a rule denies what would be added, nothing is.
 */
export function followDirectory(command: string, policy: ToolHost['permissions']): FollowedCommand {
  if (!/\b(?:cd|pushd|popd)\b/.test(command)) return { view: undefined, directory: undefined, isLost: false };
  if (policy.decide({ toolName: 'shell', args: { command: markEnd(':', newMarker()) } }).effect === 'deny')
    return { view: undefined, directory: undefined, isLost: true };
  let directory: string | undefined;
  return {
    view: (sandbox) => withExec(sandbox, exec(sandbox)),
    get directory() {
      return directory;
    },
    isLost: false,
  };

  function exec(sandbox: Sandbox): Sandbox['exec'] {
    return async (given, options) => {
      if (given !== command) return sandbox.exec(given, options);
      const marker = newMarker();
      const { result, end } = readEnd(await sandbox.exec(markEnd(command, marker), options), marker);
      directory = end;
      return result;
    };
  }
}

function newMarker(): string {
  return `caisson-${randomUUID()}`;
}

/** Quoted whole: nothing in the command, such as a quote that it leaves open, can reach into what is added. */
function markEnd(command: string, marker: string): string {
  return `eval ${quoteWord(command)}\n_caisson_status=$?; printf '\\n%s %s\\n' ${marker} "$PWD"; exit $_caisson_status`;
}

function readEnd(result: ExecResult, marker: string): { result: ExecResult; end: string | undefined } {
  const at = result.stdout.lastIndexOf(`\n${marker} `);
  if (at === -1) return { result, end: undefined };
  const end = result.stdout.slice(at + marker.length + 2).replace(/\n$/, '');
  const shown = { ...result, stdout: result.stdout.slice(0, at), ...bytesBefore(result, marker) };
  return { result: shown, end: end.startsWith('/') ? end : undefined };
}

function bytesBefore({ bytes }: ExecResult, marker: string): Pick<ExecResult, 'bytes'> {
  if (bytes?.stdout === undefined) return {};
  const at = Buffer.from(bytes.stdout).lastIndexOf(`\n${marker} `);
  return { bytes: { ...bytes, stdout: bytes.stdout.subarray(0, at) } };
}

/** Methods are bound: those of a session reach into private fields. */
function withExec(sandbox: Sandbox, exec: Sandbox['exec']): Sandbox {
  return new Proxy(sandbox, {
    get(target, key) {
      if (key === 'exec') return exec;
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

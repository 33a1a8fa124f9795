import type { Contract, Scope } from '../../contract.js';

/** Nonsense from a program: refused before anything happens, naming the function, the argument and what was given. */
export function describeArguments({ describe, check, expect }: Contract): void {
  const refused = async (scope: Scope, call: (sandbox: never) => Promise<unknown>, words: readonly string[]) => {
    const { code, message } = await scope.failure(Promise.resolve().then(() => call(scope.sandbox as never)));
    expect([code, message]).toEqual(['invalid_input', message]);
    for (const word of words) expect(message).toContain(word);
  };
  type Loose = Record<string, (...args: unknown[]) => Promise<unknown>>;
  type LooseFiles = { fs: Loose };

  describe('arguments', () => {
    check('exec() refuses a command that is not a string', async (scope) => {
      await refused(scope, (sandbox: Loose) => call(sandbox, 'exec', 5), ['exec()', "'command'", 'not 5']);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'exec'), ['exec()', "'command'", 'not undefined']);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'exec', ['ls']), ['exec()', "'command'", 'not an array']);
    });

    check('exec() refuses options that are no object, and values that cannot be', async (scope) => {
      const exec = (options: unknown) => (sandbox: Loose) => call(sandbox, 'exec', 'true', options);
      await refused(scope, exec(null), ['exec()', 'options', 'not null']);
      await refused(scope, exec('fast'), ['exec()', 'options', "not 'fast'"]);
      await refused(scope, exec({ env: 'A=1' }), ["'env'", "not 'A=1'"]);
      await refused(scope, exec({ signal: 'abort' }), ["'signal'", 'AbortSignal', "not 'abort'"]);
      await refused(scope, exec({ stdin: 5 }), ["'stdin'", 'not 5']);
      await refused(scope, exec({ onOutput: true }), ["'onOutput'", 'function', 'not true']);
      await refused(scope, exec({ timeoutMs: '5s' }), ["'timeoutMs'", "not '5s'"]);
      await refused(scope, exec({ limits: { maxOutputBytes: 'all' } }), ["'limits.maxOutputBytes'", "not 'all'"]);
    });

    check('an unknown option of a command is refused with the nearest and the known ones', async (scope) => {
      await refused(scope, (sandbox: Loose) => call(sandbox, 'exec', 'true', { timeout: 5 }), [
        "unknown option 'timeout'",
        "did you mean 'timeoutMs'?",
        'cwd, env',
      ]);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'run', 'true', [], { foo: 1 }), [
        'run()',
        "unknown option 'foo'",
        'timeoutMs',
      ]);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'exec', 'true', { limits: { memory: 1 } }), [
        "unknown option 'limits.memory'",
        'limits.maxOutputBytes',
      ]);
    });

    check('run() refuses a program that is not a string and arguments that are no list of strings', async (scope) => {
      await refused(scope, (sandbox: Loose) => call(sandbox, 'run', 5, []), ['run()', "'cmd'", 'not 5']);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'run', 'true', null), ['run()', "'args'", 'not null']);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'run', 'true', 'a b'), ['run()', "'args'", "not 'a b'"]);
      await refused(scope, (sandbox: Loose) => call(sandbox, 'run', 'true', [5]), ['run()', "'args'"]);
    });

    check(
      'spawn() refuses the same',
      async (scope) => {
        await refused(scope, (sandbox: Loose) => call(sandbox, 'spawn', 'true'), ['spawn()', "'args'"]);
        await refused(scope, (sandbox: Loose) => call(sandbox, 'spawn', 'true', [], { foo: 1 }), ["option 'foo'"]);
        await refused(scope, (sandbox: Loose) => call(sandbox, 'spawn', 'true', [], null), ['spawn()', 'not null']);
      },
      { needs: ['backgroundProcesses'] },
    );

    check('every file call refuses a path that is not a string', async (scope) => {
      for (const [name, ...rest] of [
        ['readFile'],
        ['writeFile', 'data'],
        ['stat'],
        ['list'],
        ['mkdir'],
        ['remove'],
      ] as const) {
        const words = [`fs.${name}()`, "'path'", 'not undefined'];
        await refused(scope, ({ fs }: LooseFiles) => call(fs, name, undefined, ...rest), words);
      }
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'rename', 5, 'b'), ['fs.rename()', "'from'", 'not 5']);
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'rename', 'a', null), ['fs.rename()', "'to'", 'not null']);
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'glob', 5), ['fs.glob()', "'patterns'", 'not 5']);
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'grep', null), ['fs.grep()', "'pattern'", 'not null']);
    });

    check('writeFile() refuses data that is neither text nor bytes, and writes nothing', async (scope) => {
      for (const data of [5, null, undefined, { a: 1 }, [1, 2]]) {
        await refused(scope, ({ fs }: LooseFiles) => call(fs, 'writeFile', `${scope.dir}/a`, data), ["'data'"]);
      }
      expect(await scope.sandbox.fs.stat(`${scope.dir}/a`)).toBe(null);
    });

    check('an unknown or impossible option of a file call is refused', async (scope) => {
      const file = `${scope.dir}/a`;
      for (const [name, ...args] of [
        ['readFile', file],
        ['writeFile', file, 'x'],
        ['stat', file],
        ['list', file],
        ['mkdir', file],
        ['remove', file],
        ['rename', file, file],
        ['glob', '*'],
        ['grep', 'x'],
      ] as const) {
        await refused(scope, ({ fs }: LooseFiles) => call(fs, name, ...args, { foo: 1 }), [
          `fs.${name}()`,
          "unknown option 'foo'",
          'signal',
        ]);
        await refused(scope, ({ fs }: LooseFiles) => call(fs, name, ...args, null), [`fs.${name}()`, 'not null']);
      }
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'writeFile', file, 'x', { mode: '644' }), ["'mode'"]);
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'grep', 'x', { maxResults: '5' }), ["'maxResults'"]);
      await refused(scope, ({ fs }: LooseFiles) => call(fs, 'grep', 'x', { globs: '*.ts' }), ["'globs'", 'array']);
    });

    check(
      'evaluate() refuses code that is not a string, unknown options and functions that are none',
      async (scope) => {
        await refused(scope, (sandbox: Loose) => call(sandbox, 'evaluate', 5), ['evaluate()', "'code'", 'not 5']);
        await refused(scope, (sandbox: Loose) => call(sandbox, 'evaluate', '1', { foo: 1 }), ["unknown option 'foo'"]);
        await refused(scope, (sandbox: Loose) => call(sandbox, 'evaluate', '1', null), ['evaluate()', 'not null']);
        await refused(scope, (sandbox: Loose) => call(sandbox, 'evaluate', '1', { functions: { f: 5 } }), [
          "'functions.f'",
          'function',
          'not 5',
        ]);
      },
      { needs: ['evaluate'] },
    );

    check(
      'enforce() refuses what is not a plan: a rule that is skipped would be a rule that does not hold',
      async (scope) => {
        for (const plan of [null, [], 'deny', { denyRead: [] }, { denyRead: [], denyWrite: [], deny: [] }]) {
          await refused(scope, async (sandbox: Loose) => call(sandbox, 'enforce', plan), ['enforce()']);
        }
      },
    );
  });
}

/** Keeps the `this` that a method needs. */
function call(target: Record<string, (...args: unknown[]) => unknown>, name: string, ...args: unknown[]) {
  return Promise.resolve(target[name]?.(...args));
}

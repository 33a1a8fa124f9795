import type { SandboxAdapter } from '../../../src/sandbox/contract.js';
import type { TestApi } from './test-api.js';

/** A thing with Lousho's three members: `name`, `run`, `writeFile`. */
export interface AdapterContractBackend {
  /** Shown in test titles. */
  name: string;
  /** Makes an adapter whose commands and `writeFile` see the same, initially empty, directory. */
  create(): Promise<SandboxAdapter> | SandboxAdapter;
  /** Ends what `create` made. */
  dispose?(adapter: SandboxAdapter): Promise<void>;
  /** How a path that `writeFile` took is named to a program. Default: as it is. */
  pathOf?(path: string): string;
}

/** Registers the part of the contract that holds for the smallest adapter anyone may bring. */
export function describeAdapterContract(api: TestApi, backend: AdapterContractBackend): void {
  const { expect } = api;
  const pathOf = backend.pathOf ?? ((path: string) => path);
  const check = (title: string, body: (adapter: SandboxAdapter) => Promise<void>): void => {
    api.it(
      title,
      async () => {
        const adapter = await backend.create();
        try {
          await body(adapter);
        } finally {
          await backend.dispose?.(adapter);
        }
      },
      30_000,
    );
  };

  api.describe(`the adapter contract: ${backend.name}`, () => {
    check('it has a name', async ({ name }) => {
      expect(typeof name === 'string' && name !== '').toBe(true);
    });

    check('run() answers with both streams apart and the exit code', async (adapter) => {
      const result = await adapter.run('sh', ['-c', "printf 'out\\n'; printf 'err\\n' >&2; exit 42"]);
      expect([result.stdout, result.stderr, result.exitCode]).toEqual(['out\n', 'err\n', 42]);
    });

    check('run() does not reject because of an exit code', async (adapter) => {
      expect((await adapter.run('false', [])).exitCode).toBe(1);
    });

    check('arguments are touched by no shell', async (adapter) => {
      const args = ["it's", '$HOME', '`id`', 'a b', '*', '', '"', '\\', 'é', ';', '>x'];
      expect((await adapter.run('printf', ['[%s]\\n', ...args])).stdout).toBe(args.map((arg) => `[${arg}]\n`).join(''));
    });

    check('UTF-8 made by the program arrives', async (adapter) => {
      expect((await adapter.run('printf', ['\\303\\251\\360\\237\\230\\200'])).stdout).toBe('é😀');
    });

    check('env is given to the program', async (adapter) => {
      expect((await adapter.run('sh', ['-c', 'echo "$A"'], { env: { A: 'two  words' } })).stdout).toBe('two  words\n');
    });

    check('stdin is at its end', async (adapter) => {
      expect((await adapter.run('sh', ['-c', 'cat; echo done'])).stdout).toBe('done\n');
    });

    check('writeFile() writes UTF-8 text that a program reads, replacing what was there', async (adapter) => {
      await adapter.writeFile('file.txt', 'a long first content');
      await adapter.writeFile('file.txt', 'grüße 😀\n');
      expect((await adapter.run('cat', [pathOf('file.txt')])).stdout).toBe('grüße 😀\n');
    });

    check('run() rejects when its time is up', async (adapter) => {
      const outcome = await adapter.run('sleep', ['20'], { timeoutMs: 500 }).then(
        (result) => `exit ${result.exitCode}`,
        () => 'rejected',
      );
      expect(outcome).toBe('rejected');
    });

    check('a program that does not exist is a non-zero exit or a rejection, never a success', async (adapter) => {
      const outcome = await adapter.run('no-such-program-here', []).then(
        (result) => result.exitCode !== 0,
        () => true,
      );
      expect(outcome).toBe(true);
    });
  });
}

import type { Contract } from '../contract.js';

/** A session's life: identity, lazy start, and an end that leaves nothing. */
export function describeLifecycle({ describe, check, expect, backend }: Contract): void {
  describe('lifecycle', () => {
    check(
      'a session has a name, an id of its own, a description and the directory /workspace',
      async ({ sandbox, open }) => {
        const other = await open();
        expect(typeof sandbox.name === 'string' && sandbox.name !== '').toBe(true);
        expect(typeof sandbox.id === 'string' && sandbox.id !== '').toBe(true);
        expect(other.id).not.toBe(sandbox.id);
        expect(sandbox.cwd).toBe('/workspace');
        expect(sandbox.description.length).toBeGreaterThan(20);
      },
    );

    check('a session starts at its first use, and start() may be called again', async ({ open }) => {
      const lazy = await open();
      expect((await lazy.exec('echo lazy')).stdout).toBe('lazy\n');
      await lazy.start();
      await lazy.start();
      expect((await lazy.exec('echo again')).stdout).toBe('again\n');
    });

    check('concurrent first uses start one sandbox', async ({ open }) => {
      const session = await open();
      const answers = await Promise.all([
        session.start(),
        session.exec('echo a'),
        session.exec('echo b'),
        session.fs.stat('.'),
      ]);
      expect(answers[1].stdout).toBe('a\n');
      expect(answers[2].stdout).toBe('b\n');
    });

    check('every capability is stated', async ({ sandbox }) => {
      await sandbox.start();
      const { capabilities } = sandbox;
      const flags = [
        'backgroundProcesses',
        'signals',
        'fileModes',
        'specialFiles',
        'writableStdin',
        'evaluate',
        'snapshots',
        'users',
      ];
      for (const flag of flags) expect([flag, typeof capabilities[flag as 'signals']]).toEqual([flag, 'boolean']);
      const limits = ['timeoutMs', 'memoryBytes', 'maxProcesses', 'maxDiskBytes', 'maxDiskEntries', 'maxOutputBytes'];
      for (const limit of limits)
        expect([limit, typeof capabilities.limits[limit as 'timeoutMs']]).toEqual([limit, 'boolean']);
      expect(['bash', 'just-bash', 'sh']).toContain(capabilities.shell);
      expect(['none', 'allowlist', 'full']).toContain(capabilities.network);
      expect(capabilities.evaluate).toBe(sandbox.evaluate !== undefined);
    });

    check('two sessions share no files', async ({ open }) => {
      const [one, two] = [await open(), await open()];
      await one.exec('echo mine > only-here; echo mine > /tmp/only-here');
      expect(await two.fs.stat('only-here')).toBe(null);
      expect((await two.exec('cat /tmp/only-here')).exitCode).not.toBe(0);
    });

    check(
      'dispose() is idempotent, and every later call is refused with sandbox_disposed',
      async ({ open, failures }) => {
        const session = await open();
        await session.exec('true');
        await session.dispose();
        await session.dispose();
        const later = [
          session.exec('true'),
          session.run('true', []),
          session.writeFile('a', 'b'),
          session.fs.readFile('a'),
          session.fs.stat('a'),
          session.start(),
        ];
        for (const { code } of await failures(later)) expect(code).toBe('sandbox_disposed');
      },
    );

    check('a session that was never used can be disposed of', async ({ open, failure }) => {
      const session = await open();
      await session.dispose();
      expect((await failure(session.exec('true'))).code).toBe('sandbox_disposed');
    });

    check('dispose() ends running calls: each rejects with sandbox_disposed', async ({ open, failure }) => {
      const session = await open();
      await session.start();
      const running = Array.from({ length: 20 }, () => failure(session.exec('sleep 60')));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await session.dispose();
      const codes = (await Promise.all(running)).map(({ code }) => code);
      expect([...new Set(codes)]).toEqual(['sandbox_disposed']);
    });

    check('a session is an AsyncDisposable', async ({ open, failure }) => {
      const session = await open();
      await session.exec('true');
      await session[Symbol.asyncDispose]();
      expect((await failure(session.exec('true'))).code).toBe('sandbox_disposed');
    });

    check(
      'a session that was disposed of leaves nothing on the host',
      async ({ open }) => {
        const before = new Set(await backend.leftovers?.());
        const session = await open();
        await session.exec('echo x > file; echo y > /tmp/file');
        const pending = session.exec('sleep 60').catch(() => undefined);
        await session.dispose();
        await pending;
        const after = (await backend.leftovers?.()) ?? [];
        expect(after.filter((thing) => !before.has(thing))).toEqual([]);
      },
      { needs: ['a way to see what is left over'] },
    );
  });
}

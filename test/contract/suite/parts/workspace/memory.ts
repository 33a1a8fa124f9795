import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

export function describeMemory({ check, expect }: Contract): void {
  const needs = ['workspaceMode: memory'] as const;

  check(
    'memory: a workspace starts empty and its files stay from call to call',
    async ({ open }) => {
      const session = await open();
      expect(await session.fs.list('.')).toEqual([]);
      await session.exec('mkdir a; echo x > a/b');
      expect(utf8(await session.fs.readFile('a/b'))).toBe('x\n');
      expect((await session.exec('cat a/b')).stdout).toBe('x\n');
    },
    { needs },
  );

  check(
    'memory: changes() lists what is there; commit() and discard() are unsupported',
    async ({ open, failure }) => {
      const session = await open();
      await session.exec('echo x > b; mkdir a; echo y > a/c');
      const changes = await session.changes();
      expect(changes.filter(({ type }) => type === 'file').map(({ path, kind, after }) => [path, kind, after])).toEqual(
        [
          ['a/c', 'added', 'y\n'],
          ['b', 'added', 'x\n'],
        ],
      );
      expect((await failure(session.commit())).code).toBe('unsupported');
      expect((await failure(session.discard())).code).toBe('unsupported');
    },
    { needs },
  );
}

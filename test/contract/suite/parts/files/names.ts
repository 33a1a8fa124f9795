import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

/** A name is data: whatever it looks like, nothing interprets it. */
const NAMES = [
  'a$(touch CANARY)b',
  'a`touch CANARY`b',
  '$(touch CANARY)',
  ';touch CANARY;',
  '| touch CANARY',
  '&& touch CANARY',
  "it's",
  '"quoted"',
  'back\\slash',
  'new\nline',
  'tab\there',
  ' leading',
  'trailing ',
  'trailing.',
  '...',
  '-rf',
  '--help',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '~',
  '#hash',
  '%s%n',
  '$HOME',
  '!!',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'emoji 😀',
  'rtl\u202Eoverride',
  'e\u0301 decomposed',
];

export function describeNames({ describe, check, expect }: Contract): void {
  describe('names', () => {
    check(
      'hostile names are written, read, listed, renamed and removed as they are, and run nothing',
      async ({ sandbox, dir }) => {
        for (const name of NAMES) {
          await sandbox.fs.writeFile(`${dir}/${name}`, `content of ${name}`);
          expect([name, utf8(await sandbox.fs.readFile(`${dir}/${name}`))]).toEqual([name, `content of ${name}`]);
          expect([name, (await sandbox.fs.stat(`${dir}/${name}`))?.type]).toEqual([name, 'file']);
        }
        const listed = (await sandbox.fs.list(dir))?.map(({ name }) => name) ?? [];
        expect([...listed].sort()).toEqual([...NAMES].sort());
        for (const name of NAMES) {
          await sandbox.fs.rename(`${dir}/${name}`, `${dir}/moved ${name}`);
          await sandbox.fs.mkdir(`${dir}/dir ${name}`);
          expect([name, await sandbox.fs.remove(`${dir}/moved ${name}`)]).toEqual([name, true]);
        }
        expect((await sandbox.fs.glob('**/CANARY')).paths).toEqual([]);
        expect((await sandbox.exec('ls /tmp/CANARY ~/CANARY /workspace/CANARY')).stdout).toBe('');
      },
    );

    check('a command sees the very names', async ({ sandbox, dir }) => {
      for (const name of NAMES) await sandbox.fs.writeFile(`${dir}/${name}`, `content of ${name}`);
      for (const name of NAMES) {
        const result = await sandbox.run('cat', [`./${name}`], { cwd: dir });
        expect([name, result.stdout]).toEqual([name, `content of ${name}`]);
      }
    });

    check('a NUL in a path is refused with invalid_input', async ({ sandbox, dir, failures }) => {
      const path = `${dir}/a\0b`;
      const calls = [
        sandbox.fs.readFile(path),
        sandbox.fs.writeFile(path, 'x'),
        sandbox.fs.stat(path),
        sandbox.fs.list(path),
        sandbox.fs.mkdir(path),
        sandbox.fs.remove(path),
        sandbox.fs.rename(path, `${dir}/c`),
      ];
      for (const { code } of await failures(calls)) expect(code).toBe('invalid_input');
      expect(await sandbox.fs.list(dir)).toEqual([]);
    });

    check('a name that is too long is refused, not cut', async ({ sandbox, dir, failure }) => {
      const error = await failure(sandbox.fs.writeFile(`${dir}/${'n'.repeat(300)}`, 'x'));
      expect(typeof error.code).toBe('string');
      expect(await sandbox.fs.list(dir)).toEqual([]);
    });
  });
}

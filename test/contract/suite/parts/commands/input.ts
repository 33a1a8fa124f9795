import { digest, patternBytes, plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

const MiB = 1024 * 1024;

/** stdin is at its end unless it is given; arguments reach a program untouched. */
export function describeInput({ describe, check, expect }: Contract): void {
  describe('input', () => {
    check('stdin is at its end unless given, so nothing waits for input', async ({ sandbox }) => {
      expect((await sandbox.exec('cat; echo done')).stdout).toBe('done\n');
      expect((await sandbox.exec('read line; echo "read says $?"')).stdout).toBe('read says 1\n');
      expect((await sandbox.run('cat', [])).stdout).toBe('');
    });

    check('text given as stdin is forwarded', async ({ sandbox }) => {
      expect((await sandbox.exec('cat', { stdin: 'hello\nthere' })).stdout).toBe('hello\nthere');
      expect((await sandbox.run('cat', [], { stdin: 'to run\n' })).stdout).toBe('to run\n');
    });

    check('an empty stdin is an end, not a wait', async ({ sandbox }) => {
      expect((await sandbox.exec('cat; echo done', { stdin: '' })).stdout).toBe('done\n');
    });

    check('shell characters in stdin arrive verbatim', async ({ sandbox }) => {
      const text = '$HOME `id` $(id) "double" \'single\' \\n * ~ # !\n';
      expect((await sandbox.exec('cat', { stdin: text })).stdout).toBe(text);
    });

    check('NULs and bytes that are not UTF-8 arrive through stdin', async ({ sandbox, dir }) => {
      const bytes = Uint8Array.from([0, 1, 0xff, 0xc3, 0x28, 0, 0x0a, 0x80]);
      await sandbox.exec('cat > got', { cwd: dir, stdin: bytes });
      expect(plain(await sandbox.fs.readFile(`${dir}/got`))).toEqual([...bytes]);
    });

    check(
      '50 MiB arrive through stdin',
      async ({ sandbox }) => {
        const counted = await sandbox.exec('wc -c', { stdin: patternBytes(50 * MiB) });
        expect(counted.stdout.trim()).toBe(String(50 * MiB));
      },
      { timeoutMs: 90_000 },
    );

    check(
      '50 MiB of stdin that a command writes to a file are the file, byte for byte',
      async ({ sandbox, dir }) => {
        const bytes = patternBytes(50 * MiB);
        const result = await sandbox.exec('cat > big', { cwd: dir, stdin: bytes, timeoutMs: 80_000 });
        expect([result.exitCode, result.cause]).toEqual([0, undefined]);
        expect(digest(await sandbox.fs.readFile(`${dir}/big`))).toBe(digest(bytes));
        await sandbox.fs.remove(`${dir}/big`);
      },
      { timeoutMs: 90_000 },
    );

    check('the end of stdin does not end stdout', async ({ sandbox }) => {
      expect((await sandbox.exec('cat; sleep 0.5; echo AFTER', { stdin: 'abc' })).stdout).toBe('abcAFTER\n');
    });

    check('stdin that nobody reads does no harm', async ({ sandbox }) => {
      const result = await sandbox.exec('echo unread', { stdin: 'x'.repeat(MiB) });
      expect([result.exitCode, result.stdout]).toEqual([0, 'unread\n']);
    });

    check('arguments of run() are touched by no shell', async ({ sandbox }) => {
      const args = [
        "it's",
        '$HOME',
        '`id`',
        '$(id)',
        'a b',
        '*',
        '',
        '"',
        '\\',
        'é 😀',
        '-n',
        'new\nline',
        ';',
        '&',
        '|',
        '>x',
        '~',
        '{a,b}',
        '!',
      ];
      const result = await sandbox.run('printf', ['[%s]\\n', ...args]);
      expect(result.stdout).toBe(args.map((arg) => `[${arg}]\n`).join(''));
    });

    check('the program of run() is a name, not a command line', async ({ sandbox, dir }) => {
      const result = await sandbox.run('touch canary; echo', ['x'], { cwd: dir });
      expect(result.exitCode).toBe(127);
      expect(await sandbox.fs.stat(`${dir}/canary`)).toBe(null);
    });

    check('a mebibyte of arguments arrives', async ({ sandbox }) => {
      const args = Array.from({ length: 16 }, (_, index) => String(index % 10).repeat(64 * 1024));
      const result = await sandbox.run('sh', ['-c', `echo "$#"; for a in "$@"; do echo "\${#a}"; done`, 'sh', ...args]);
      expect(result.stdout).toBe(`16\n${`${64 * 1024}\n`.repeat(16)}`);
    });

    check('Lousho writeFile() writes UTF-8 text and creates parents', async ({ sandbox, dir }) => {
      await sandbox.writeFile(`${dir}/deep/er/file.txt`, 'grüße 😀\n');
      expect(utf8(await sandbox.fs.readFile(`${dir}/deep/er/file.txt`))).toBe('grüße 😀\n');
      expect((await sandbox.exec('cat deep/er/file.txt', { cwd: dir })).stdout).toBe('grüße 😀\n');
    });
  });
}

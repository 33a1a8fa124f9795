import type { Contract } from '../../contract.js';

/** A non-zero exit is a result; what kept a command from running has a name. */
export function describeExitCodes({ describe, check, expect }: Contract): void {
  describe('exit codes', () => {
    check('exec() resolves with the exit code', async ({ sandbox }) => {
      expect((await sandbox.exec('exit 70')).exitCode).toBe(70);
      expect((await sandbox.exec('false')).exitCode).toBe(1);
      expect((await sandbox.exec('(exit 3); exit $?')).exitCode).toBe(3);
    });

    check('run() resolves with a non-zero exit code', async ({ sandbox }) => {
      expect((await sandbox.run('false', [])).exitCode).toBe(1);
      expect(await sandbox.run('sh', ['-c', 'echo out; echo err >&2; exit 42'])).toEqual({
        stdout: 'out\n',
        stderr: 'err\n',
        exitCode: 42,
      });
    });

    check('run() answers with stdout, stderr and exitCode', async ({ sandbox }) => {
      const result = await sandbox.run('echo', ['hello']);
      expect([result.stdout, result.stderr, result.exitCode]).toEqual(['hello\n', '', 0]);
    });

    check(
      'a command that does not exist exits with 127, is named on stderr and has the cause command_not_found',
      async ({ sandbox }) => {
        const result = await sandbox.exec('no-such-program-here --flag');
        expect(result.exitCode).toBe(127);
        expect(result.cause).toBe('command_not_found');
        expect(result.stderr).toContain('no-such-program-here');
      },
    );

    check('a program that does not exist is a result of run() as well', async ({ sandbox }) => {
      const result = await sandbox.run('no-such-program-here', []);
      expect(result.exitCode).toBe(127);
      expect(result.stderr).toContain('no-such-program-here');
    });

    check('127 that a command returns itself has no cause', async ({ sandbox }) => {
      const result = await sandbox.exec('exit 127');
      expect([result.exitCode, result.cause]).toEqual([127, undefined]);
    });

    check('a file that is not executable exits with 126 and has the cause not_executable', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/data.txt`, 'just data\n');
      const result = await sandbox.exec('./data.txt', { cwd: dir });
      expect(result.exitCode).toBe(126);
      expect(result.cause).toBe('not_executable');
      expect(result.stderr).toContain('data.txt');
    });

    check('a script with its execute bit runs', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/run.sh`, '#!/bin/sh\necho "ran $1"\nexit 5\n', { mode: 0o755 });
      const result = await sandbox.exec('./run.sh it', { cwd: dir });
      expect([result.stdout, result.exitCode]).toEqual(['ran it\n', 5]);
    });

    check('a syntax error is a result that says so', async ({ sandbox }) => {
      const result = await sandbox.exec('if true; then');
      expect(result.exitCode).not.toBe(0);
      expect(result.stderr).toMatch(/syntax|unexpected/i);
    });

    check('a command of 200 KiB works, or is refused with command_too_long', async ({ sandbox }) => {
      const outcome = await sandbox.exec(`echo ${'a'.repeat(200 * 1024)}`).then(
        (result) => `${result.exitCode} ${result.stdout.length}`,
        (error: { code?: unknown }) => error.code,
      );
      expect([`0 ${200 * 1024 + 1}`, 'command_too_long']).toContain(outcome);
      expect((await sandbox.exec('echo ok')).stdout).toBe('ok\n');
    });

    check('a NUL in a command or an argument is refused with invalid_input', async ({ sandbox, failure }) => {
      expect((await failure(sandbox.exec('echo a\0b'))).code).toBe('invalid_input');
      expect((await failure(sandbox.run('echo', ['a\0b']))).code).toBe('invalid_input');
    });
  });
}

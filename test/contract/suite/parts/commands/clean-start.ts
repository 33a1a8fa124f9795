import type { Contract } from '../../contract.js';

/** Nothing but files carries over from one command to the next, whatever the one before did to its shell. */
export function describeCleanStart({ describe, check, expect }: Contract): void {
  describe('clean start', () => {
    const poisons: [string, string][] = [
      ['cd', 'cd /tmp'],
      ['exported and plain variables', 'export LEAK=1; LEAK2=1'],
      ['functions and aliases', 'leak() { echo leaked; }; alias ls=false'],
      ['shell options', 'set -e -u -f -x; shopt -s nullglob 2>/dev/null'],
      ['exit', 'exit 3'],
      ['set -e and a failure', 'set -e; false; echo not reached'],
      ['exec', 'exec echo replaced'],
      ['a changed IFS and PATH', 'IFS=x; PATH=/nowhere'],
      ['a trap', "trap 'echo trapped' EXIT DEBUG"],
      ['redirections of the shell itself', 'exec >/dev/null 2>&1'],
      ['a here-document without its end', 'cat <<EOF\nfoo'],
      ['an unbalanced quote', 'echo "never closed'],
      ['an unbalanced parenthesis', 'echo $(echo'],
      ['a stopped subshell', '(exit 9)'],
      ['umask', 'umask 077'],
    ];
    for (const [name, poison] of poisons) {
      check(`the next command does not notice ${name}`, async ({ sandbox }) => {
        await sandbox.exec(poison, { timeoutMs: 10_000 });
        const next = await sandbox.exec(
          `pwd; echo "\${LEAK-unset} \${LEAK2-unset}"; leak 2>/dev/null || echo no function; a="1 2"; for i in $a; do echo $i; done; false; echo end`,
        );
        expect(next.stdout).toBe('/workspace\nunset unset\nno function\n1\n2\nend\n');
        expect([next.exitCode, next.stderr]).toEqual([0, '']);
      });
    }

    check('a deleted working directory does not poison the next command', async ({ sandbox, dir }) => {
      await sandbox.exec('mkdir gone && cd gone && rm -rf ../gone && pwd', { cwd: dir });
      expect((await sandbox.exec('pwd', { cwd: dir })).stdout).toBe(`/workspace/${dir}\n`);
    });

    check('deleting everything in the workspace does not poison the next command', async ({ open }) => {
      const session = await open();
      await session.exec('rm -rf "$PWD"; rm -rf /workspace/* /workspace/.[!.]*');
      expect((await session.exec('pwd; echo back > file; cat file')).stdout).toBe('/workspace\nback\n');
    });

    check('files carry over', async ({ sandbox, dir }) => {
      await sandbox.exec('echo kept > file', { cwd: dir });
      expect((await sandbox.exec('cat file', { cwd: dir })).stdout).toBe('kept\n');
    });
  });
}

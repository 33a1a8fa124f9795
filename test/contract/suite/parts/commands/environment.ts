import type { Contract } from '../../contract.js';

/** What a command finds around it, and what it must never find. */
export function describeEnvironment({ describe, check, expect }: Contract): void {
  describe('environment', () => {
    check('env is given to the command, blanks and shell characters untouched', async ({ sandbox }) => {
      const env = {
        PLAIN: 'value',
        SPACED: 'two  words',
        QUOTED: `it's "$HOME" \`id\` $(id) \\n`,
        LINES: 'a\nb',
        EMPTY: '',
        UNICODE: 'grüße 😀',
      };
      const names = Object.keys(env);
      const result = await sandbox.exec(names.map((name) => `printf '[%s]\\n' "$${name}"`).join('\n'), { env });
      expect(result.stdout).toBe(
        Object.values(env)
          .map((value) => `[${value}]\n`)
          .join(''),
      );
      expect((await sandbox.run('printenv', ['SPACED'], { env })).stdout).toBe('two  words\n');
    });

    check('env lasts for its own call only', async ({ sandbox }) => {
      await sandbox.exec('true', { env: { CAISSON_ONCE: 'yes' } });
      expect((await sandbox.exec(`echo "\${CAISSON_ONCE-unset}"`)).stdout).toBe('unset\n');
    });

    check('env of the session is there in every call', async ({ open }) => {
      const session = await open({ env: { CAISSON_ALWAYS: 'here' } });
      expect((await session.exec('echo $CAISSON_ALWAYS')).stdout).toBe('here\n');
      expect((await session.run('printenv', ['CAISSON_ALWAYS'])).stdout).toBe('here\n');
    });

    check("the host's environment is never seen, not even when inheritEnv asks for it", async ({ open }) => {
      process.env.CAISSON_HOST_SECRET = 'canary-7c1f';
      try {
        const session = await open();
        expect((await session.exec('env', { inheritEnv: true })).stdout).toContain('PATH=');
        const probes = [
          'env',
          'printenv',
          'set',
          'cat /proc/self/environ',
          'cat /proc/1/environ',
          'cat /proc/*/environ',
          'export -p',
        ];
        for (const probe of probes) {
          const result = await session.exec(probe, { inheritEnv: true });
          expect([probe, `${result.stdout}${result.stderr}`.includes('canary-7c1f')]).toEqual([probe, false]);
        }
      } finally {
        delete process.env.CAISSON_HOST_SECRET;
      }
    });

    check('/dev/null, /tmp and the home directory work', async ({ sandbox }) => {
      expect((await sandbox.exec('echo x > /dev/null && cat /dev/null && echo ok')).stdout).toBe('ok\n');
      expect((await sandbox.exec('echo x > /tmp/scratch && cat /tmp/scratch')).stdout).toBe('x\n');
      const home = await sandbox.exec('cd ~ && pwd && echo "$HOME" && echo y > here && cat here');
      expect(home.exitCode).toBe(0);
      expect(home.stdout).toMatch(/^(\/[^\n]+)\n\1\ny\n$/);
    });

    check(
      'mktemp makes a file in /tmp',
      async ({ sandbox }) => {
        const result = await sandbox.exec('name=$(mktemp) && echo x > "$name" && cat "$name" && echo "$name"');
        expect(result.stdout).toMatch(/^x\n\/tmp\//);
      },
      { needs: ['shell: bash'] },
    );

    check('programs are told that nobody is watching', async ({ sandbox }) => {
      const result = await sandbox.exec('[ -t 0 ] || [ -t 1 ] && echo terminal || echo none');
      expect(result.stdout).toBe('none\n');
    });

    check(
      'no command reaches the network',
      async ({ sandbox }) => {
        for (const target of ['1.1.1.1/53', '169.254.169.254/80']) {
          const result = await sandbox.exec(`timeout 5 bash -c 'exec 3<>/dev/tcp/${target} && echo reached'`, {
            timeoutMs: 10_000,
          });
          expect(result.stdout).toBe('');
          expect(result.exitCode).not.toBe(0);
        }
      },
      { needs: ['network: none', 'shell: bash'] },
    );

    check(
      'curl does not reach the network',
      async ({ sandbox }) => {
        const result = await sandbox.exec('curl -sS -m 5 http://169.254.169.254/', { timeoutMs: 10_000 });
        expect(result.exitCode).not.toBe(0);
        expect(result.stdout).toBe('');
      },
      { needs: ['network: none'] },
    );

    check(
      'commands run as a user without privileges, who owns what is written for them',
      async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/mine`, 'x');
        const result = await sandbox.exec('id -u; stat -c %u mine', { cwd: dir });
        const [user, owner] = result.stdout.trim().split('\n');
        expect(user).not.toBe('0');
        expect(owner).toBe(user);
      },
      { needs: ['users'] },
    );

    check(
      'switching to a user that does not exist fails and says why',
      async ({ sandbox }) => {
        const result = await sandbox.exec('su no-such-user-here -c id');
        expect(result.exitCode).not.toBe(0);
        // A `su` that may not switch at all need not look for the user.
        expect(`${result.stdout}${result.stderr}`).toMatch(/no-such-user-here|must be suid/);
      },
      { needs: ['users'] },
    );
  });
}

import type { Contract } from '../../contract.js';

/** Where a command runs. */
export function describeDirectories({ describe, check, expect }: Contract): void {
  describe('working directory', () => {
    check('without cwd a command runs in /workspace', async ({ sandbox }) => {
      expect((await sandbox.exec('pwd')).stdout).toBe('/workspace\n');
      expect((await sandbox.run('pwd', [])).stdout).toBe('/workspace\n');
    });

    check('a relative cwd is taken from /workspace', async ({ sandbox, dir }) => {
      await sandbox.fs.mkdir(`${dir}/sub`);
      expect((await sandbox.exec('pwd', { cwd: `${dir}/sub` })).stdout).toBe(`/workspace/${dir}/sub\n`);
      expect((await sandbox.run('pwd', [], { cwd: `./${dir}` })).stdout).toBe(`/workspace/${dir}\n`);
    });

    check('an absolute cwd is taken as it is', async ({ sandbox, dir }) => {
      expect((await sandbox.exec('pwd', { cwd: `/workspace/${dir}` })).stdout).toBe(`/workspace/${dir}\n`);
    });

    check('cp and mv replace a file that is there, and leave alone what is the same file', async ({ sandbox, dir }) => {
      const command = 'echo 1 > a; echo 2 > b; cp a b; cat b; echo 3 > c; mv c b; cat b; ln b d; cp b d; cat d; ls';
      const { stdout } = await sandbox.exec(command, { cwd: dir });
      expect(stdout).toBe('1\n3\n3\na\nb\nd\n');
    });

    check('relative paths of a command start at its cwd', async ({ sandbox, dir }) => {
      await sandbox.exec('echo here > file', { cwd: dir });
      expect((await sandbox.exec(`cat ${dir}/file`)).stdout).toBe('here\n');
    });

    check(
      'a cwd that does not exist is refused with invalid_cwd, naming it, and nothing runs',
      async ({ sandbox, dir, failure }) => {
        for (const call of [
          () => sandbox.exec(`touch /workspace/${dir}/ran`, { cwd: `${dir}/nope` }),
          () => sandbox.run('touch', [`/workspace/${dir}/ran`], { cwd: `/workspace/${dir}/nope` }),
        ]) {
          const error = await failure(call());
          expect(error.code).toBe('invalid_cwd');
          expect(error.message).toContain('nope');
        }
        expect(await sandbox.fs.stat(`${dir}/ran`)).toBe(null);
      },
    );

    check('a command that takes its own right to the workspace away spoils no later one', async ({ sandbox, dir }) => {
      for (const mode of ['000', '066', '677']) {
        await sandbox.exec(`chmod ${mode} /workspace`);
        const { stdout, cause } = await sandbox.exec('pwd', { cwd: dir });
        expect([mode, stdout, cause]).toEqual([mode, `/workspace/${dir}\n`, undefined]);
        await sandbox.exec(`chmod ${mode} /workspace`);
        expect([mode, (await sandbox.exec('pwd')).stdout]).toEqual([mode, '/workspace\n']);
        await sandbox.exec(`chmod ${mode} /workspace`);
        await sandbox.fs.writeFile(`${dir}/after`, mode);
      }
      await sandbox.exec('chmod 755 /workspace');
    });

    check('a cwd that its mode keeps closed is told from one that is missing', async ({ sandbox, dir, failure }) => {
      if (!sandbox.capabilities.fileModes || !sandbox.capabilities.users) return;
      await sandbox.exec('mkdir closed && chmod 000 closed', { cwd: dir });
      const error = await failure(sandbox.exec('pwd', { cwd: `${dir}/closed` }));
      expect(error.code).toBe('invalid_cwd');
      expect(error.message).not.toContain('no such');
      await sandbox.exec('chmod 755 closed', { cwd: dir });
    });

    check('a refused cwd streams nothing', async ({ sandbox, dir, failure }) => {
      await sandbox.exec('ln -s / root', { cwd: dir });
      for (const cwd of [`${dir}/nope`, `${dir}/root`]) {
        const streamed: string[] = [];
        const onOutput = ({ data }: { data: Uint8Array }) => streamed.push(Buffer.from(data).toString());
        expect((await failure(sandbox.exec('pwd', { cwd, onOutput }))).code).toBe('invalid_cwd');
        expect(streamed.join('')).toBe('');
      }
    });

    check('what a command itself writes to stderr in another cwd is streamed whole', async ({ sandbox, dir }) => {
      for (const text of ['\\001', '\\001caisson-bad-cwd-', 'plain']) {
        let streamed = '';
        const { stderr } = await sandbox.exec(`printf '${text}' >&2; exit 125`, {
          cwd: dir,
          onOutput: ({ data }) => {
            streamed += Buffer.from(data).toString();
          },
        });
        expect([streamed, stderr]).toEqual([text.replace('\\001', '\u0001'), streamed]);
      }
    });

    check('a cwd that is a file is refused with invalid_cwd', async ({ sandbox, dir, failure }) => {
      await sandbox.fs.writeFile(`${dir}/file`, '');
      expect((await failure(sandbox.exec('pwd', { cwd: `${dir}/file` }))).code).toBe('invalid_cwd');
    });

    check(
      'a cwd out of the workspace is refused with invalid_cwd, through a link as well',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec('ln -s / root', { cwd: dir });
        for (const cwd of ['/etc', '../..', `${dir}/../../etc`, '/workspace-evil', `${dir}/root`, `${dir}/root/etc`]) {
          const error = await failure(sandbox.exec('pwd', { cwd }));
          expect([cwd, error.code]).toEqual([cwd, 'invalid_cwd']);
        }
      },
    );

    check('a cwd is a path, never a piece of shell', async ({ sandbox, dir }) => {
      const names = [
        'a$(touch canary)b',
        'a`touch canary`b',
        '"; touch canary; "',
        "it's; touch canary",
        '-P',
        'with space',
        'new\nline',
      ];
      for (const name of names) {
        await sandbox.fs.mkdir(`${dir}/${name}`);
        const result = await sandbox.exec('pwd', { cwd: `${dir}/${name}` });
        expect(result.stdout).toBe(`/workspace/${dir}/${name}\n`);
      }
      const canaries = await sandbox.fs.glob('**/canary', { cwd: '.' });
      expect(canaries.paths).toEqual([]);
    });
  });
}

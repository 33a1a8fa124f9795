import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { SandboxSession } from '../../../src/sandbox/contract.js';
import type { Attack, Attacks } from '../attack.js';
import { call, errorOf, shell } from '../call.js';
import { ON_DISK, onDisk } from '../on-disk.js';
import type { Project, Stage } from '../stage.js';

const REFUSED = /^(path_escape|access_denied|not_found)$/;

export const fsPaths: Attacks = {
  'FS-001': staysInside([
    '../../etc/passwd',
    'a/../../../etc/passwd',
    '/workspace/../etc/passwd',
    '../outside/secret.txt',
    './../outside/secret.txt',
    'a/b/../../../outside/secret.txt',
  ]),

  'FS-002': staysInside(['/etc/passwd', '//etc/passwd', '/./etc/passwd']),

  'FS-003': staysInside(['/workspace-evil/x', '/workspace2/x', '/workspace/../workspace2/x', '/workspacex']),

  'FS-004': staysInside(['l', 'd/shadow'], (project) => {
    symlinkSync('/etc/shadow', project.at('l'));
    symlinkSync('/etc', project.at('d'));
  }),

  'FS-005': staysInside(['rel', 'up/secret.txt', 'chain1', 'loop'], (project) => {
    symlinkSync('../outside/secret.txt', project.at('rel'));
    symlinkSync('../outside', project.at('up'));
    symlinkSync('chain2', project.at('chain1'));
    symlinkSync('./up/../up/secret.txt', project.at('chain2'));
    symlinkSync('loop', project.at('loop'));
  }),

  'FS-006': async (stage) => {
    for (const mode of ON_DISK) {
      const project = stage.project();
      symlinkSync(`${project.outside}/CREATED`, project.at('dang'));
      symlinkSync('../outside/CREATED-TOO', project.at('rel'));
      symlinkSync('../outside', project.at('dir'));
      symlinkSync('/etc/CREATED', project.at('etc'));
      const session = stage.sandbox({ workspace: project.root, workspaceMode: mode });
      const host = stage.host({ sandbox: session });
      for (const path of ['rel', 'dir/CREATED', 'dir/deep/CREATED', 'etc']) {
        expect((await errorOf(host, 'write_file', { path, content: 'x' })).code, path).toMatch(REFUSED);
        await shell(
          host,
          `echo x > ${path}; echo x >> ${path}; cp /etc/hostname ${path}; mkdir -p ${path}.d; touch ${path}`,
        );
      }
      await shell(host, `ln -s ${project.outside}/MINE mine; echo x > mine; ln -sf ../outside up; echo x > up/MINE`);
      if (mode === 'overlay') await session.commit().catch(() => undefined);
      expect(readdirSync(project.outside)).toEqual(['secret.txt']);
      expect(existsSync('/etc/CREATED')).toBe(false);
    }
  },

  'FS-014': async (stage) => {
    process.env.CAISSON_ATTACK_SECRET = 'in-the-host-environment';
    stage.defer(() => delete process.env.CAISSON_ATTACK_SECRET);
    const { project, sessions } = onDisk(stage, { x: 'x' });
    const passwd = readFileSync('/etc/passwd', 'utf8');
    const paths = [
      '/proc/self/environ',
      '/proc/self/fd/3',
      '/proc/1/root/etc/passwd',
      '/proc/self/cwd/x',
      '/proc/self/root/etc/passwd',
      `/proc/${process.pid}/environ`,
      `/proc/${process.pid}/root${project.root}/x`,
    ];
    for (const session of sessions) {
      const host = stage.host({ sandbox: session });
      for (const path of paths) {
        expect((await errorOf(host, 'read_file', { path })).code, path).toMatch(REFUSED);
        const { stdout } = await shell(host, `cat ${path}; cat < ${path}; ln -s ${path} l && cat l; rm -f l`);
        expect(stdout, path).not.toContain('in-the-host-environment');
        expect(stdout, path).not.toContain(passwd.slice(0, 200));
      }
    }
  },
};

/** Every way to read these paths is refused, and nothing of the host is told. */
function staysInside(paths: string[], prepare: (project: Project) => void = () => {}): Attack {
  return async (stage) => {
    for (const workspaceMode of ON_DISK) {
      const project = stage.project({ 'a/b/c.txt': 'inside' });
      prepare(project);
      for (const sibling of ['-evil', '2', 'x']) {
        mkdirSync(`${project.root}${sibling}`);
        writeFileSync(`${project.root}${sibling}/x`, project.secret);
      }
      const session = stage.sandbox({ workspace: project.root, workspaceMode });
      const host = stage.host({ sandbox: session });
      for (const path of paths) await expectRefused({ host, session, project }, path);
    }
  };
}

async function expectRefused(
  place: { host: ReturnType<Stage['host']>; session: SandboxSession; project: Project },
  path: string,
): Promise<void> {
  const { host, session, project } = place;
  const hostsOwn = [project.secret, readFileSync('/etc/passwd', 'utf8').slice(0, 100), project.root];
  const error = await errorOf(host, 'read_file', { path });
  expect(error.code, path).toMatch(/^(path_escape|not_found|not_regular_file|access_denied)$/);
  const told = [
    error,
    await call(host, 'list_dir', { path }),
    await call(host, 'grep', { pattern: '.', path }),
    await call(host, 'glob', { pattern: '**/*', path }),
    await call(host, 'write_file', { path, content: 'overwritten' }),
    await call(host, 'edit_file', { path, old_string: 'secret', new_string: 'x' }),
    await call(host, 'shell', {
      command: `cat '${path}'; head -c 100 < '${path}'; grep -r . '${path}'; ls -la '${path}'; cp '${path}' stolen; cat stolen; rm -f stolen`,
    }),
    await session.fs.readFile(path).catch((thrown: Error) => thrown.message),
    await session.fs.rename(path, 'stolen').catch((thrown: Error) => thrown.message),
    await session.fs.remove(path, { recursive: true }).catch((thrown: Error) => thrown.message),
  ];
  const text = JSON.stringify(told);
  for (const fact of hostsOwn)
    expect(text.includes(JSON.stringify(fact).slice(1, -1)), `${path} told of the host: ${text}`).toBe(false);
  expect(readFileSync(`${project.outside}/secret.txt`, 'utf8')).toBe(project.secret);
}

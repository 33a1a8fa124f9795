import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeOnDocker } from './engine.js';
import { COPIED, giveAllToWorkspaceOwner, makeWorkspace, WORKSPACE_UID } from './workspaces.js';

const SECRET = 'canary-unseen';
const HIDE_ENV = { denyRead: [{ glob: '**/.env', rule: 'read_file(**/.env)' }], denyWrite: [] };
/** In Latin-1, as an old archive leaves it: no string names it. */
const LATIN = Buffer.from('caf\xe9', 'latin1');

describeOnDocker('what a session never saw', () => {
  let root: string;
  const inRoot = (...parts: Buffer[]) => Buffer.concat([Buffer.from(`${root}/`), ...parts]);
  const bytes = (path: Buffer) => readdirSync(path, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
  const give = (path: Buffer) => (process.getuid?.() === 0 ? chown(path, WORKSPACE_UID, WORKSPACE_UID) : undefined);
  beforeEach(async () => {
    root = await makeWorkspace();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/seen'), 'seen\n');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['a volume', {}],
    ['a copy', COPIED],
  ])('stays when its directory is removed in %s and that is committed', async (_, options) => {
    writeFileSync(join(root, 'd/.env'), SECRET);
    await giveAllToWorkspaceOwner(root);
    await using session = createDockerSandbox({ workspace: root, workspaceMode: 'overlay', ...options });
    session.enforce(HIDE_ENV);
    await session.exec('rm -rf d; echo > d');
    await expect(session.commit()).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining("holds 'd/.env'"),
    });
    expect(existsSync(join(root, 'd/seen'))).toBe(true);
    await session.exec('rm d');
    expect(await session.changes()).toMatchObject([{ path: 'd/seen', kind: 'deleted' }]);
    expect(await session.commit()).toEqual({ added: 0, modified: 0, deleted: 1 });
    expect(readFileSync(join(root, 'd/.env'), 'utf8')).toBe(SECRET);
    expect(await session.changes()).toEqual([]);
  });

  it.each([
    ['a volume', {}],
    ['a copy', COPIED],
  ])(
    'stays in %s under a name that is not UTF-8, and such a name is never dropped from a commit',
    async (_, options) => {
      writeFileSync(inRoot(Buffer.from('d/'), LATIN), 'kept');
      await giveAllToWorkspaceOwner(root);
      await give(inRoot(Buffer.from('d/'), LATIN));
      await using session = createDockerSandbox({ workspace: root, workspaceMode: 'overlay', ...options });
      await session.exec("rm -rf d; mkdir made; echo > $(printf 'made/\\371')");
      await expect(session.commit()).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining("'made/\ufffd'"),
      });
      expect(existsSync(join(root, 'd/seen'))).toBe(true);
      await session.exec('rm -rf made');
      await session.commit();
      expect(bytes(inRoot(Buffer.from('d')))).toEqual([LATIN.toString('latin1')]);
      await session.exec("mkdir made; echo > $(printf 'made/\\371')");
      await session.discard();
      expect((await session.exec('ls')).stdout).not.toContain('made');
      await session.exec("mkdir made; echo > $(printf 'made/\\371')");
      expect(await session.fs.remove('made', { recursive: true })).toBe(true);
    },
  );

  it('holds no rule open: what is denied below a name that is not UTF-8 is refused or left out', async () => {
    const directory = inRoot(LATIN);
    mkdirSync(directory);
    writeFileSync(Buffer.concat([directory, Buffer.from('/.env')]), SECRET);
    await giveAllToWorkspaceOwner(root);
    await give(directory);
    await using direct = createDockerSandbox({ workspace: root });
    direct.enforce(HIDE_ENV);
    await expect(direct.exec('true')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('not valid UTF-8'),
    });
    await using overlay = createDockerSandbox({ workspace: root, workspaceMode: 'overlay' });
    overlay.enforce(HIDE_ENV);
    expect((await overlay.exec('grep -r canary .; ls')).stdout).toBe('d\n');
    await using other = createDockerSandbox({ workspace: root });
    other.enforce({ denyRead: [{ glob: 'secrets/**', rule: 'read_file(secrets/**)' }], denyWrite: [] });
    expect((await other.exec('ls | wc -l')).stdout).toBe('2\n');
  });
});

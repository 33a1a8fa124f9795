import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NameWatch } from '../../../sandbox/container/names/name-watch.js';
import type { NamedPath } from '../../../sandbox/protocol/name-guard.js';
import { NameGuard } from '../../../src/sandbox/docker/names/name-guard.js';
import type { EnforcementPlan } from '../../../src/sandbox/plan.js';

const PLAN: EnforcementPlan = {
  denyRead: [
    { glob: '**/.env', rule: 'read_file(.env)' },
    { glob: 'secrets/**', rule: 'read_file(secrets/**)' },
  ],
  denyWrite: [
    { glob: '**/.git', rule: 'write_file(.git)' },
    { glob: '**/.git/hooks/**', rule: 'write_file(.git/hooks/**)' },
    { glob: 'missing', rule: 'write_file(missing)' },
  ],
};

describe('a name guard', () => {
  let root: string;
  let guard: NameGuard;
  const broken: (NamedPath | 'guard')[] = [];
  const appeared: string[] = [];
  const at = (path: string) => join(root, path);
  const paths = async () => (await guard.check()).map(({ path }) => path).sort();
  const open = async (plan = PLAN) => {
    guard = await NameGuard.open(root, plan);
    guard.onBroken((what) => broken.push(what));
    guard.onAppeared(({ path }) => appeared.push(path));
    return guard;
  };

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'names-')));
    broken.length = 0;
    appeared.length = 0;
    for (const directory of ['app/deep', 'secrets', '.git/hooks']) mkdirSync(at(directory), { recursive: true });
    for (const file of ['.env', 'app/deep/.env', 'app/code', 'secrets/key', '.git/config'])
      writeFileSync(at(file), file);
  });
  afterEach(() => {
    guard.close();
    rmSync(root, { recursive: true });
  });

  it('says what the rules name, how far each reaches, and which name nothing', async () => {
    const { named, unmatched, closesRoot } = await open();
    expect(named.map(({ path, kind, reach }) => [path, kind, reach]).sort()).toEqual([
      ['.env', 'denyRead', 'whole'],
      ['.git', 'denyWrite', 'entry'],
      ['.git/hooks', 'denyWrite', 'whole'],
      ['app/deep/.env', 'denyRead', 'whole'],
      ['secrets', 'denyRead', 'whole'],
    ]);
    expect(unmatched).toEqual(['write_file(missing)']);
    expect(closesRoot).toBe(false);
  });

  it('names what a link with a denied name leads to, and nothing outside', async () => {
    writeFileSync(at('app/plain'), 'x');
    symlinkSync('plain', at('app/.env'));
    mkdirSync(at('lib'));
    symlinkSync('/workspace/app/code', at('lib/.env'));
    mkdirSync(at('out'));
    symlinkSync('/etc/passwd', at('out/.env'));
    const { named } = await open();
    const reads = named.filter(({ kind, reach }) => kind === 'denyRead' && reach !== 'place').map(({ path }) => path);
    expect(reads.sort()).toEqual(['.env', 'app/code', 'app/deep/.env', 'app/plain', 'secrets']);
  });

  it('names the directories by whose names alone something may not be read', async () => {
    const denyRead = ['app/deep/.env', '**/lib/*.key', '**/.env'].map((glob) => ({ glob, rule: glob }));
    for (const directory of ['a/lib/more', 'b']) mkdirSync(at(directory), { recursive: true });
    for (const file of ['a/lib/x.key', 'b/.env']) writeFileSync(at(file), 'x');
    const { named } = await open({ denyRead, denyWrite: [] });
    const places = named.filter(({ reach }) => reach === 'place').map(({ path, kind }) => `${kind} ${path}`);
    expect(places.sort()).toEqual(['denyRead a/lib', 'denyRead app', 'denyRead app/deep']);
    renameSync(at('a/lib'), at('a/other'));
    expect(await paths()).toContain('a/lib');
  });

  it('knows when every name at the top is closed', async () => {
    expect((await open({ denyRead: [], denyWrite: [{ glob: '**', rule: 'write_file(**)' }] })).closesRoot).toBe(true);
  });

  it('finds nothing changed while files are written in place and others come and go', async () => {
    await open();
    writeFileSync(at('.env'), 'more');
    writeFileSync(at('app/new'), 'x');
    rmSync(at('app/code'));
    mkdirSync(at('app/dir/dir'), { recursive: true });
    for (const path of ['app', 'app/deep', 'secrets', '.env']) chmodSync(at(path), 0o750);
    expect(await paths()).toEqual([]);
    expect(broken).toEqual([]);
  });

  const replacements: [string, () => void][] = [
    [
      'saved by rename',
      () => {
        writeFileSync(at('.env.tmp'), 'new');
        renameSync(at('.env.tmp'), at('.env'));
      },
    ],
    [
      'removed and made again',
      () => {
        rmSync(at('.env'));
        writeFileSync(at('.env'), 'new');
      },
    ],
    [
      'put back from a hard link of itself',
      () => {
        linkSync(at('.env'), at('kept'));
        rmSync(at('.env'));
        renameSync(at('kept'), at('.env'));
      },
    ],
  ];
  it.each(replacements)('sees at once that a denied file was %s', async (_name, replace) => {
    await open();
    replace();
    expect(await paths()).toEqual(['.env']);
    expect(broken).toMatchObject([{ path: '.env', rule: 'read_file(.env)' }]);
  });

  it('says without being asked that a denied file was replaced', async () => {
    await open();
    writeFileSync(at('app/deep/x'), 'new');
    renameSync(at('app/deep/x'), at('app/deep/.env'));
    await expect.poll(() => broken).toMatchObject([{ path: 'app/deep/.env' }]);
  });

  it('sees a denied name that is new, also in directories that are new or took the place of another', async () => {
    await open();
    mkdirSync(at('fresh/one'), { recursive: true });
    writeFileSync(at('fresh/one/.env'), 'x');
    expect(await paths()).toEqual(['fresh/one/.env']);
    renameSync(at('app'), at('old'));
    renameSync(at('fresh'), at('app'));
    expect(await paths()).toEqual(['app/one/.env', 'old/deep/.env']);
    renameSync(at('old/deep'), at('deep'));
    expect(await paths()).toEqual(['app/one/.env', 'deep/.env']);
    expect(broken).toEqual([]);
  });

  it('sees that the host replaced what must not be written, and leaves alone what is new, which it names', async () => {
    mkdirSync(at('node_modules/x/.git/hooks'), { recursive: true });
    writeFileSync(at('app/.git'), 'gitdir: elsewhere');
    await open();
    expect(guard.named.map(({ path }) => path)).toContain('app/.git');
    expect(guard.named.map(({ path }) => path).join()).not.toContain('node_modules');
    mkdirSync(at('node_modules/y/.git/hooks'), { recursive: true });
    mkdirSync(at('app/deep/.git/hooks'), { recursive: true });
    writeFileSync(at('missing'), 'x');
    writeFileSync(at('app/tmp'), 'gitdir: other');
    guard.hold(new Set(['app/.git']));
    renameSync(at('app/tmp'), at('app/.git'));
    expect(await paths()).toEqual(['app/.git']);
    expect(appeared.sort()).toEqual(['app/deep/.git', 'app/deep/.git/hooks', 'missing']);
    expect(broken).toEqual([]);
  });

  it('names what takes the place of what must not be written, where a command can have done it', async () => {
    await open();
    renameSync(at('.git'), at('g'));
    mkdirSync(at('.git/hooks'), { recursive: true });
    writeFileSync(at('.git/hooks/pre-commit'), 'evil');
    expect(await paths()).toEqual(['.git', '.git/hooks']);
    expect(appeared.sort()).toEqual(['.git', '.git/hooks', '.git/hooks/pre-commit']);
  });

  it('names what is moved into place with its directory', async () => {
    await open({ denyRead: [], denyWrite: [{ glob: '**/.github/workflows/**', rule: 'write_file(ci)' }] });
    mkdirSync(at('g/workflows'), { recursive: true });
    writeFileSync(at('g/workflows/ci.yml'), 'evil');
    renameSync(at('g'), at('.github'));
    await guard.check();
    expect(appeared.sort()).toEqual(['.github/workflows', '.github/workflows/ci.yml']);
  });

  it('names the directories on the way to what must not be written, and sees them moved, replaced and gone', async () => {
    const ci = (path: string) => ({ denyRead: [], denyWrite: [{ glob: path, rule: 'write_file(ci)' }] });
    mkdirSync(at('one/two/ci'), { recursive: true });
    await open(ci('**/ci/**'));
    expect(guard.named.map(({ path, reach }) => [path, reach]).sort()).toEqual([
      ['one', 'place'],
      ['one/two', 'place'],
      ['one/two/ci', 'whole'],
    ]);
    chmodSync(at('one'), 0o700);
    expect(await paths()).toEqual([]);
    renameSync(at('one/two'), at('one/three'));
    expect(await paths()).toEqual(['one/two']);
    mkdirSync(at('one/two'));
    expect(await paths()).toEqual(['one/two']);
    renameSync(at('one/two'), at('away'));
    renameSync(at('one/three'), at('one/two'));
    expect(await paths()).toEqual(['one/two/ci']);
  });

  it('names a link above what must not be written, and what it leads to, also what comes there later', async () => {
    const globs = ['**/.github/workflows/**', '**/.config/fish/**'];
    const ci = { denyRead: [], denyWrite: globs.map((glob) => ({ glob, rule: `write_file(${glob})` })) };
    mkdirSync(at('lib/fish'), { recursive: true });
    symlinkSync('lib', at('.config'));
    await open(ci);
    expect(guard.named.map(({ path, reach }) => [path, reach]).sort()).toEqual([
      ['lib', 'place'],
      ['lib/fish', 'whole'],
    ]);
    symlinkSync('g', at('.github'));
    await guard.check();
    expect(appeared).toEqual(['.github']);
    mkdirSync(at('g/workflows'), { recursive: true });
    writeFileSync(at('g/workflows/ci.yml'), 'evil');
    writeFileSync(at('g/other'), 'x');
    await guard.check();
    expect(appeared.sort()).toEqual(['.github', 'g/workflows', 'g/workflows/ci.yml']);
    rmSync(at('.config'));
    symlinkSync('app', at('.config'));
    await guard.check();
    expect(appeared).toContain('.config');
  });

  it('sees through more changes than the kernel remembers', async () => {
    await open();
    for (let round = 0; round < 6_000; round += 1) {
      writeFileSync(at(`app/${round % 7}`), 'x');
      rmSync(at(`app/${round % 7}`));
    }
    mkdirSync(at('late'));
    writeFileSync(at('late/.env'), 'x');
    expect(await paths()).toEqual(['late/.env']);
  });

  it('answers many at once, each with what was there when it asked', async () => {
    await open();
    const before = Array.from({ length: 50 }, () => guard.check());
    writeFileSync(at('app/.env'), 'x');
    expect((await guard.check()).map(({ path }) => path)).toEqual(['app/.env']);
    await Promise.all(before);
  });

  it('does not answer any more when it was closed', async () => {
    await open();
    guard.close();
    await expect(guard.check()).rejects.toThrow('has ended');
    expect(broken).toEqual([]);
  });

  it.each(replacements)(
    'where the kernel gives no watches, sees at the next look that a denied file was %s',
    async (_name, replace) => {
      const here = process.cwd();
      try {
        const noWatches = () => {
          throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        };
        const names = new NameWatch({
          root,
          plan: PLAN,
          onReplaced: (what) => broken.push(what),
          onAppeared() {},
          watch: noWatches,
        });
        mkdirSync(at('fresh'));
        expect(await names.changed()).toEqual([]);
        replace();
        writeFileSync(at('fresh/.env'), 'x');
        expect((await names.changed()).map(({ path }) => path).sort()).toEqual(['.env', 'fresh/.env']);
        expect(broken).toMatchObject([{ path: '.env' }]);
        guard = await NameGuard.open(root, PLAN);
      } finally {
        process.chdir(here);
      }
    },
  );
});

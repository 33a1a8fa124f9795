import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileLayer } from '../../../sandbox/files/file-layer.js';
import { codeOf, failure, MODES, names, openLayer, plan, put, text } from './layer-fixture.js';

const DENY_ENV = plan({ denyRead: ['**/.env', 'secrets/**'] });
const DENY_GIT = plan({ denyWrite: ['.git/hooks/**', '.git/config', '**/*.lock'] });

describe.each(MODES)('a denyRead rule in %s mode', (mode) => {
  function open() {
    const fixture = openLayer({
      mode,
      files: { '.env': 'KEY=1', 'app/.env': 'KEY=2', 'secrets/a': 's', 'src/a.ts': 'KEY' },
    });
    fixture.layer.enforce(DENY_ENV);
    return fixture;
  }

  it('keeps the content closed, with the rule and its reason in the message', () => {
    const { layer } = open();
    const error = failure(() => layer.readFile('/workspace/app/.env', 100));
    expect(error.code).toBe('access_denied');
    expect(error.message).toBe(
      "Cannot read '/workspace/app/.env': denied by the rule 'read_file(**/.env)' (kept closed)",
    );
    expect(codeOf(() => layer.readFile('/workspace/secrets/a', 100))).toBe('access_denied');
    expect(text(layer, '/workspace/src/a.ts')).toBe('KEY');
  });

  it('holds for other spellings of the path', () => {
    const { layer } = open();
    for (const path of [
      '/workspace/./.env',
      '/workspace//.env',
      '/workspace/src/../.env',
      '/workspace/app/../../workspace/.env',
      '/tmp/../workspace/.env',
    ]) {
      expect(codeOf(() => layer.readFile(path, 100))).toBe('access_denied');
    }
    put(layer, '/workspace/.ENV', 'other case');
    put(layer, '/workspace/Secrets/A', 'other case');
    expect(codeOf(() => layer.readFile('/workspace/.ENV', 100))).toBe('access_denied');
    expect(codeOf(() => layer.readFile('/workspace/Secrets/A', 100))).toBe('access_denied');
  });

  it('holds for names as well, in what a search or a listing for a model gives', () => {
    const { layer } = open();
    layer.symlink('/workspace/app', '/workspace/d');
    const everything = layer.glob(['**/*'], { directories: true });
    expect(everything.paths).toEqual(['app', 'd', 'src', 'src/a.ts']);
    expect(everything.unreadable).toBe(4);
    expect(layer.glob(['*'], { cwd: '/workspace/secrets' }).paths).toEqual([]);
    const listed = (path: string) => layer.list(path, { readable: true }).map(({ name }) => name);
    expect(listed('/workspace')).toEqual(['app', 'd', 'src']);
    expect(['/workspace/app', '/workspace/d', '/workspace/secrets'].flatMap(listed)).toEqual([]);
  });

  it('holds through links, to the file and to directories', () => {
    const { layer } = open();
    layer.symlink('.env', '/workspace/l');
    layer.symlink('l', '/workspace/ll');
    layer.symlink('/workspace/app', '/workspace/d');
    layer.symlink('/workspace', '/tmp/w');
    layer.symlink('src/a.ts', '/workspace/app2.env');
    for (const path of ['l', 'll', 'd/.env'])
      expect(codeOf(() => layer.readFile(`/workspace/${path}`, 100))).toBe('access_denied');
    expect(codeOf(() => layer.readFile('/tmp/w/.env', 100))).toBe('access_denied');
    expect(codeOf(() => layer.readFile('/tmp/w/secrets/a', 100))).toBe('access_denied');
  });

  it('holds for the path as given, when a link makes it another', () => {
    const { layer } = open();
    layer.symlink('src', '/workspace/secrets2');
    layer.enforce(plan({ denyRead: ['secrets2/**'] }));
    expect(codeOf(() => layer.readFile('/workspace/secrets2/a.ts', 100))).toBe('access_denied');
  });

  it('refuses to move it, link it, or move a directory that holds it to where the rule does not find it', () => {
    const { layer } = open();
    for (const work of [
      () => layer.rename('/workspace/.env', '/workspace/env'),
      () => layer.rename('/workspace/.env', '/tmp/env'),
      () => layer.link('/workspace/.env', '/workspace/env'),
      () => layer.rename('/workspace/app', '/tmp/app'),
      () => layer.rename('/workspace/secrets', '/workspace/public'),
    ]) {
      expect(codeOf(work)).toBe('access_denied');
    }
    expect(names(layer, '/workspace')).toEqual(['.env', 'app', 'secrets', 'src']);
  });

  it('lets it be removed with its directory, as it can be alone, and moved to where the rule finds it again', () => {
    const { layer } = open();
    layer.rename('/workspace/app', '/workspace/app2');
    expect(codeOf(() => layer.readFile('/workspace/app2/.env', 100))).toBe('access_denied');
    for (const path of ['/workspace/app2', '/workspace/secrets']) layer.remove(path, { recursive: true });
    expect(names(layer, '/workspace')).toEqual(['.env', 'src']);
  });

  it('still shows names to commands, and what a path is to who names it', () => {
    const { layer } = open();
    expect(names(layer, '/workspace/secrets')).toEqual(['a']);
    expect(layer.stat('/workspace/.env').type).toBe('file');
  });

  it('makes grep pass it over, and count it', () => {
    const { layer } = open();
    const found = layer.grep('KEY', {});
    expect(found.matches.map((match) => match.path)).toEqual(['src/a.ts']);
    expect(found.unreadable).toBe(3);
    expect(codeOf(() => layer.grep('KEY', { path: '/workspace/.env' }))).toBe('access_denied');
    layer.symlink('/workspace', '/tmp/w');
    expect(layer.grep('KEY', { path: '/tmp/w' }).matches.map((match) => match.path)).toEqual(['src/a.ts']);
  });

  it('lets it be written', () => {
    const { layer } = open();
    put(layer, '/workspace/.env', 'NEW');
    expect(layer.remove('/workspace/app/.env')).toBe(true);
  });
});

describe.each(['direct', 'overlay'] as const)('second names of denied files in %s mode', (mode) => {
  it('are closed as well', () => {
    const { layer, workspace } = openLayer({ mode, files: { '.env': 'KEY', 'other/x': 'x' } });
    linkSync(join(workspace, '.env'), join(workspace, 'other/alias'));
    linkSync(join(workspace, 'other/x'), join(workspace, 'other/y'));
    layer.enforce(DENY_ENV);
    expect(codeOf(() => layer.readFile('/workspace/other/alias', 100))).toBe('access_denied');
    expect(layer.grep('KEY', {}).matches).toEqual([]);
    expect(text(layer, '/workspace/other/y')).toBe('x');
    for (const work of [
      () => layer.link('/workspace/other/alias', '/workspace/b'),
      () => layer.rename('/workspace/other/alias', '/tmp/b'),
      () => layer.rename('/workspace/other/alias', '/workspace/b'),
      () => layer.rename('/workspace/other', '/tmp/other'),
      () => layer.writeFile('/workspace/other/alias', Buffer.from('+'), { append: true }),
      () => layer.chmod('/workspace/other/alias', 0o600),
      () => layer.utimes('/workspace/other/alias', 0, 0),
    ]) {
      expect(codeOf(work)).toBe('access_denied');
    }
    put(layer, '/workspace/other/alias', 'own content');
    expect(text(layer, '/workspace/other/alias')).toBe('own content');
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('KEY');
  });

  it('are not freed by removing or replacing the denied name', () => {
    const { layer, workspace } = openLayer({ mode, files: { '.env': 'KEY', a: '' } });
    linkSync(join(workspace, '.env'), join(workspace, 'alias'));
    layer.enforce(DENY_ENV);
    expect(codeOf(() => layer.remove('/workspace/.env'))).toBe('access_denied');
    expect(codeOf(() => put(layer, '/workspace/.env', 'x'))).toBe('access_denied');
    expect(codeOf(() => layer.rename('/workspace/a', '/workspace/.env'))).toBe('access_denied');
    expect(codeOf(() => layer.readFile('/workspace/alias', 100))).toBe('access_denied');
  });
});

describe.each(MODES)('a denyWrite rule in %s mode', (mode) => {
  function open() {
    const fixture = openLayer({
      mode,
      files: { '.git/config': 'c', '.git/HEAD': 'h', 'a.lock': 'l', 'd/e/b.lock': 'l', free: 'f' },
    });
    fixture.layer.enforce(DENY_GIT);
    return fixture;
  }

  it('refuses every change at the path', () => {
    const { layer } = open();
    for (const work of [
      () => put(layer, '/workspace/a.lock', 'x'),
      () => put(layer, '/workspace/new.lock', 'x'),
      () => put(layer, '/workspace/A.LOCK', 'x'),
      () => put(layer, '/workspace/.git/hooks/pre-commit', 'x'),
      () => put(layer, '/workspace/.GIT/Hooks/pre-commit', 'x'),
      () => layer.writeFile('/workspace/a.lock', Buffer.from('x'), { append: true }),
      () => layer.chmod('/workspace/.git/config', 0o777),
      () => layer.utimes('/workspace/.git/config', 0, 0),
      () => layer.remove('/workspace/.git/config'),
      () => layer.rename('/workspace/.git/config', '/workspace/c'),
      () => layer.rename('/workspace/free', '/workspace/.git/config'),
      () => layer.link('/workspace/free', '/workspace/new.lock'),
      () => layer.symlink('free', '/workspace/.git/hooks'),
      () => layer.mkdir('/workspace/.git/hooks'),
      () => layer.mkdir('/workspace/.git/hooks/x', { recursive: true }),
    ]) {
      expect(codeOf(work)).toBe('access_denied');
    }
    expect(text(layer, '/workspace/.git/config')).toBe('c');
    expect(names(layer, '/workspace/.git')).toEqual(['HEAD', 'config']);
  });

  it('holds through links', () => {
    const { layer } = open();
    layer.symlink('.git', '/workspace/g');
    layer.symlink('.git/config', '/workspace/c');
    layer.symlink('.git/hooks', '/workspace/h');
    for (const path of ['g/config', 'c', 'h/x', 'g/hooks/x'])
      expect(codeOf(() => put(layer, `/workspace/${path}`, 'x'))).toBe('access_denied');
  });

  it('refuses to move or remove directories around it, even where nothing is there yet', () => {
    const { layer } = open();
    for (const work of [
      () => layer.rename('/workspace/.git', '/workspace/g'),
      () => layer.rename('/workspace/.git', '/tmp/g'),
      () => layer.remove('/workspace/.git', { recursive: true }),
      () => layer.rename('/workspace/d', '/workspace/x'),
      () => layer.remove('/workspace/d', { recursive: true }),
      () => layer.remove('/workspace/d/e', { recursive: true }),
    ]) {
      expect(codeOf(work)).toBe('access_denied');
    }
  });

  it('refuses to move in what could not be written there', () => {
    const { layer } = open();
    put(layer, '/tmp/x/y/z.lock', 'x');
    expect(codeOf(() => layer.rename('/tmp/x', '/workspace/x'))).toBe('access_denied');
    put(layer, '/tmp/hooks/pre-commit', 'x');
    expect(codeOf(() => layer.rename('/tmp/hooks', '/workspace/.git/hooks'))).toBe('access_denied');
    put(layer, '/workspace/g/pre-commit', 'x');
    expect(codeOf(() => layer.rename('/workspace/g', '/workspace/.git/hooks'))).toBe('access_denied');
    expect(layer.remove('/tmp/x', { recursive: true })).toBe(true);
  });

  it('lets a directory go that holds nothing it denies, and nothing come back with what it denies', () => {
    const { layer } = open();
    layer.mkdir('/workspace/fresh');
    layer.enforce(plan({ denyWrite: ['fresh/hooks/**'] }));
    layer.rename('/workspace/fresh', '/workspace/f');
    put(layer, '/workspace/f/hooks/x', 'x');
    expect(codeOf(() => layer.rename('/workspace/f', '/workspace/fresh'))).toBe('access_denied');
    layer.chmod('/workspace/f', 0);
    expect(codeOf(() => layer.rename('/workspace/f', '/workspace/fresh'))).toBe('access_denied');
    layer.chmod('/workspace/f', 0o755);
    layer.mkdir('/workspace/fresh');
    expect(layer.remove('/workspace/fresh')).toBe(true);
  });

  it('spares what is installed where a rule says so, and nothing else', () => {
    const { layer } = open();
    for (const path of ['node_modules/a/.rc', 'src/.rc', 'node_modules/b/.own']) put(layer, `/workspace/${path}`, 'x');
    if (mode === 'overlay') layer.commit();
    layer.enforce({ denyRead: [], denyWrite: [{ glob: '**/.rc', rule: 'protected', sparesInstalled: true }] });
    layer.enforce(plan({ denyWrite: ['**/.own'] }));
    for (const work of [
      () => put(layer, '/workspace/node_modules/a/.rc', 'y'),
      () => layer.rename('/workspace/node_modules/a', '/workspace/a'),
      () => layer.remove('/workspace/src', { recursive: true }),
      () => layer.remove('/workspace/node_modules', { recursive: true }),
    ])
      expect(codeOf(work)).toBe('access_denied');
    expect(layer.remove('/workspace/node_modules/a', { recursive: true })).toBe(true);
    if (mode === 'overlay') expect(layer.commit()).toEqual({ added: 0, modified: 0, deleted: 2 });
  });

  const CI = plan({ denyWrite: ['**/.github/workflows/**', '**/.config/fish/**', 'src/**/*.gen'] });

  it('refuses a link above what it denies, whatever the link leads to', () => {
    const { layer } = open();
    layer.enforce(CI);
    put(layer, '/workspace/g/workflows/ci.yml', 'EVIL');
    for (const work of [
      () => layer.symlink('g', '/workspace/.github'),
      () => layer.symlink('not-there-yet', '/workspace/.github'),
      () => layer.symlink('/workspace/g', '/workspace/app/.GitHub'),
      () => layer.symlink('../c', '/workspace/d/.config'),
    ]) {
      layer.mkdir('/workspace/app', { recursive: true });
      expect(codeOf(work)).toBe('access_denied');
    }
    layer.symlink('g', '/workspace/l');
    expect(codeOf(() => layer.rename('/workspace/l', '/workspace/.github'))).toBe('access_denied');
    layer.mkdir('/tmp/x/a', { recursive: true });
    layer.symlink('/workspace/g', '/tmp/x/a/.github');
    expect(codeOf(() => layer.rename('/tmp/x', '/workspace/x'))).toBe('access_denied');
    expect(codeOf(() => layer.rename('/tmp/x/a/.github', '/workspace/.github'))).toBe('access_denied');
    expect(names(layer, '/workspace')).not.toContain('.github');
  });

  it('refuses what would come to stand below a link inside what it anchors, now or later', () => {
    const { layer } = open();
    layer.enforce(CI);
    layer.mkdir('/workspace/src');
    put(layer, '/workspace/g/a.gen', 'EVIL');
    put(layer, '/workspace/h/a', 'x');
    expect(codeOf(() => layer.symlink('../g', '/workspace/src/x'))).toBe('access_denied');
    layer.symlink('../h', '/workspace/src/x');
    expect(codeOf(() => put(layer, '/workspace/h/b.gen', 'EVIL'))).toBe('access_denied');
    expect(codeOf(() => layer.rename('/workspace/g/a.gen', '/workspace/h/a.gen'))).toBe('access_denied');
    expect(codeOf(() => layer.rename('/workspace/g', '/workspace/h/g'))).toBe('access_denied');
    put(layer, '/workspace/h/c', 'x');
    expect(text(layer, '/workspace/src/x/c')).toBe('x');
  });

  it('holds where a link leads that was there before, also when it leads nowhere yet', () => {
    const { layer } = open();
    put(layer, '/workspace/g/workflows/ci.yml', 'ci');
    layer.symlink('g', '/workspace/.github');
    layer.mkdir('/workspace/deep');
    layer.symlink('later/on', '/workspace/deep/.github');
    put(layer, '/workspace/filled/on/workflows/ci.yml', 'EVIL');
    layer.enforce(CI);
    for (const work of [
      () => put(layer, '/workspace/g/workflows/ci.yml', 'EVIL'),
      () => put(layer, '/workspace/g/workflows/new.yml', 'EVIL'),
      () => layer.remove('/workspace/g/workflows', { recursive: true }),
      () => layer.rename('/workspace/g', '/workspace/moved'),
      () => layer.rename('/workspace/filled', '/workspace/deep/later'),
      () => put(layer, '/workspace/deep/later/on/workflows/ci.yml', 'EVIL'),
    ])
      expect(codeOf(work)).toBe('access_denied');
    put(layer, '/workspace/g/README', 'x');
    expect(failure(() => put(layer, '/workspace/g/workflows/ci.yml', 'x')).message).toContain(
      "below the link '.github'",
    );
  });

  describe('keeps the whole way of a link that was there before', () => {
    const KEPT = plan({
      denyWrite: ['.github/workflows/**', '**/.vscode', '**/.vscode/**', '**/.rc', '**/.git/hooks/**'],
    });
    const WAYS: [name: string, links: Record<string, string>, tries: ((layer: FileLayer) => unknown)[]][] = [
      [
        'a chain',
        { '.github': 'mid', mid: 'real' },
        [
          (layer) => layer.remove('/workspace/mid'),
          (layer) => layer.rename('/workspace/mid', '/workspace/m'),
          (layer) => layer.rename('/workspace/evil', '/workspace/mid'),
          (layer) => layer.rename('/workspace/other', '/workspace/mid'),
          (layer) => layer.remove('/workspace/.github'),
          (layer) => layer.rename('/workspace/.github', '/workspace/x'),
        ],
      ],
      [
        'a link above the target',
        { a: 'real', '.vscode': 'a/vs' },
        [
          (layer) => layer.remove('/workspace/a'),
          (layer) => put(layer, '/workspace/real/vs/tasks.json', 'EVIL'),
          (layer) => layer.symlink('../evil', '/workspace/real/vs'),
        ],
      ],
      [
        'a link in a directory',
        { 'dir/gh': '../real', '.github': 'dir/gh' },
        [
          (layer) => layer.remove('/workspace/dir/gh'),
          (layer) => layer.rename('/workspace/dir', '/workspace/dir2'),
          (layer) => layer.remove('/workspace/dir', { recursive: true }),
        ],
      ],
      [
        'a link that leads nowhere yet',
        { '.github': 'gone/too' },
        [
          (layer) => layer.symlink('evil', '/workspace/gone'),
          (layer) => layer.rename('/workspace/other', '/workspace/gone'),
          (layer) => {
            layer.mkdir('/workspace/moved');
            layer.symlink('../evil', '/workspace/moved/too');
            layer.rename('/workspace/moved', '/workspace/gone');
          },
        ],
      ],
      [
        'a link that is itself what a rule names',
        { '.rc': 'real/rc', 'real/.vscode/tasks.json': '../tasks.json' },
        [
          (layer) => put(layer, '/workspace/real/rc', 'EVIL'),
          (layer) => put(layer, '/workspace/real/tasks.json', 'EVIL'),
          (layer) => layer.remove('/workspace/real', { recursive: true }),
          (layer) => layer.remove('/workspace/.rc'),
        ],
      ],
      [
        'a link below another',
        { '.github': 'real', 'real/workflows': '../ci' },
        [(layer) => put(layer, '/workspace/ci/x.yml', 'EVIL'), (layer) => layer.remove('/workspace/real/workflows')],
      ],
    ];

    it.each(WAYS)('%s', (_, links, tries) => {
      const { layer } = open();
      put(layer, '/workspace/evil/workflows/x.yml', 'EVIL');
      layer.symlink('evil', '/workspace/other');
      layer.mkdir('/workspace/real/.vscode', { recursive: true });
      layer.mkdir('/workspace/dir');
      for (const [path, target] of Object.entries(links)) layer.symlink(target, `/workspace/${path}`);
      if (mode === 'overlay') layer.commit();
      layer.enforce(KEPT);
      for (const work of tries)
        expect([String(work), codeOf(() => work(layer))]).toEqual([String(work), 'access_denied']);
      put(layer, '/workspace/real/free', 'x');
      layer.remove('/workspace/other');
      layer.symlink('real', '/workspace/other');
      expect(text(layer, '/workspace/other/free')).toBe('x');
      if (mode === 'overlay') layer.commit();
    });

    it('and says which link and which rule', () => {
      const { layer } = open();
      layer.symlink('real', '/workspace/mid');
      layer.symlink('mid', '/workspace/.github');
      layer.enforce(KEPT);
      expect(failure(() => layer.remove('/workspace/mid')).message).toBe(
        "Cannot remove '/workspace/mid': the link '.github' leads through it, and there something is denied by the rule 'write_file(.github/workflows/**)' (kept closed)",
      );
    });
  });

  it('takes the directory that a .git file names for a .git', () => {
    const { layer } = open();
    put(layer, '/workspace/clone/.bare/HEAD', 'ref');
    put(layer, '/workspace/clone/.git', 'gitdir: ./.bare\n');
    layer.enforce(plan({ denyWrite: ['**/.git', '**/.git/config', '**/.git/hooks/**'] }));
    for (const path of ['config', 'hooks/pre-commit'])
      expect(codeOf(() => put(layer, `/workspace/clone/.bare/${path}`, 'EVIL'))).toBe('access_denied');
    put(layer, '/workspace/clone/.bare/HEAD', 'other');
  });

  it('lets links be made where the rule names what they lead to by its own name', () => {
    const { layer } = open();
    layer.enforce(CI);
    layer.symlink('d', '/workspace/other');
    layer.symlink('x.lock', '/workspace/d/l');
    layer.symlink('../.git', '/workspace/d/g');
    expect(codeOf(() => put(layer, '/workspace/other/e/b.lock', 'x'))).toBe('access_denied');
    expect(codeOf(() => put(layer, '/workspace/d/g/config', 'x'))).toBe('access_denied');
  });

  it('leaves everything else free, and reading open', () => {
    const { layer } = open();
    put(layer, '/workspace/.git/HEAD', 'ref');
    put(layer, '/tmp/a.lock', 'x');
    layer.rename('/workspace/free', '/workspace/.git/free');
    expect(text(layer, '/workspace/a.lock')).toBe('l');
  });
});

describe('rules', () => {
  it('see composed and decomposed names as the same', () => {
    const { layer } = openLayer({ plan: plan({ denyRead: ['caf\u00e9/*'] }), files: { 'cafe\u0301/a': 'x' } });
    expect(codeOf(() => layer.readFile('/workspace/cafe\u0301/a', 10))).toBe('access_denied');
  });

  it('are not stopped by a line break in a name', () => {
    const { layer } = openLayer({
      plan: plan({ denyRead: ['**/.env', 'k*y'] }),
      files: { 'a\nb/.env': 'x', 'k\ny': 'x' },
    });
    expect(codeOf(() => layer.readFile('/workspace/a\nb/.env', 10))).toBe('access_denied');
    expect(codeOf(() => layer.readFile('/workspace/k\ny', 10))).toBe('access_denied');
  });

  it('hold for links that the host made, also by the host path', () => {
    const { layer, workspace } = openLayer({ plan: plan({ denyRead: ['.env'] }), files: { '.env': 'x' } });
    symlinkSync(join(workspace, '.env'), join(workspace, 'l'));
    expect(codeOf(() => layer.readFile('/workspace/l', 10))).toBe('access_denied');
  });

  it('are added by enforce, never taken away', () => {
    const { layer } = openLayer({ plan: plan({ denyRead: ['a'] }), files: { a: '', b: '' } });
    layer.enforce(plan({ denyRead: ['b'] }));
    layer.enforce(plan({}));
    for (const path of ['a', 'b']) expect(codeOf(() => layer.readFile(`/workspace/${path}`, 10))).toBe('access_denied');
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLayer } from './layer-fixture.js';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

function run(mode: 'direct' | 'overlay' | 'memory'): Record<string, unknown> {
  const { workspace, privateRoot, outside, options } = openLayer({ mode });
  mkdirSync(join(workspace, 'closed'));
  writeFileSync(join(workspace, 'closed/a'), 'closed');
  writeFileSync(join(workspace, 'read-only'), 'kept');
  symlinkSync(join(outside, 'secret'), join(workspace, 'out'));
  symlinkSync(outside, join(workspace, 'out-dir'));
  execFileSync('chmod', ['-R', 'u+rwX', workspace]);
  chmodSync(join(workspace, 'closed'), 0o000);
  chmodSync(join(workspace, 'read-only'), 0o444);
  if (isRoot) {
    chmodSync(dirname(workspace), 0o755);
    execFileSync('chown', ['-R', String(NOBODY), workspace, privateRoot]);
    chownSync(join(workspace, 'read-only'), NOBODY, NOBODY);
  }
  const args = [
    '--permission',
    '--allow-worker',
    ...[REPOSITORY, workspace, privateRoot].map((path) => `--allow-fs-read=${path}`),
    ...[workspace, privateRoot].map((path) => `--allow-fs-write=${path}`),
    '--disable-warning=SecurityWarning',
    join(import.meta.dirname, 'fixtures/under-permission-model.mjs'),
    JSON.stringify(isRoot ? { ...options, uid: NOBODY } : options),
  ];
  const output = execFileSync(process.execPath, args, { env: {}, encoding: 'utf8', timeout: 30_000 });
  chmodSync(join(workspace, 'closed'), 0o755);
  return JSON.parse(output) as Record<string, unknown>;
}

const ALIKE = {
  write: 'done',
  read: 'x',
  append: 'done',
  hole: 1 + 2 ** 20,
  'relative link': 'done',
  'absolute link': 'done',
  'link again': 'exists',
  'through links': 'xyxy',
  chmod: 'done',
  mode: 0o755,
  'chmod directory': 'done',
  utimes: 'done',
  'hard link': 'done',
  move: 'done',
  'closed mode': 'done',
  'read closed': 'access_denied',
  'opened again': 'done',
};

describe("under Node's permission model, as an ordinary user", () => {
  it('everything works in direct mode, and closed files stay closed', () => {
    expect(run('direct')).toEqual({
      ...ALIKE,
      'closed file': 'access_denied',
      'read-only file': 'access_denied',
      out: 'path_escape',
      'out by directory': 'path_escape',
      changes: 'unsupported',
      commit: 'unsupported',
    });
  });

  it('everything works in overlay mode', () => {
    expect(run('overlay')).toMatchObject({
      ...ALIKE,
      'closed file': 'access_denied',
      'read-only file': 'access_denied',
      out: 'path_escape',
      'out by directory': 'path_escape',
      changes: 3,
      commit: JSON.stringify({ added: 3, modified: 0, deleted: 0 }),
    });
  });

  it('everything works in memory mode', () => {
    expect(run('memory')).toMatchObject({
      ...ALIKE,
      'closed file': 'not_found',
      'read-only file': 'done',
      changes: 4,
      commit: 'unsupported',
    });
  });
});

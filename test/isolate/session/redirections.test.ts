import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxSession } from '../../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';

const ENV = 'KEY=1\n';
const LOCK = 'locked\n';

describe('redirections', () => {
  let root: string;
  let sandbox: SandboxSession;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'redirections-'));
    writeFileSync(join(root, '.env'), ENV);
    writeFileSync(join(root, 'a.lock'), LOCK);
    writeFileSync(join(root, 'free'), 'abc');
    sandbox = createIsolateSandbox({
      workspace: root,
      plan: {
        denyRead: [{ glob: '**/.env', rule: 'read_file(**/.env)' }],
        denyWrite: [{ glob: '**/*.lock', rule: 'write_file(**/*.lock)' }],
      },
    });
  });
  afterAll(async () => {
    await sandbox.dispose();
    rmSync(root, { recursive: true });
  });

  it.each([
    'f=.e; cat <> ${f}nv',
    'f=.e; cat 0<> ${f}nv',
    'f=.e; cat 3<> ${f}nv <&3',
    'f=.e; exec 3<> ${f}nv; cat <&3',
    'f=.e; exec {fd}<> ${f}nv; cat <&$fd',
    'f=.e; echo x 1<> ${f}nv',
    'f=.e; cat < ${f}nv',
    'f=.e; cat 3< ${f}nv <&3',
    'f=.e; exec {fd}< ${f}nv',
    'f=.e; x=$(< ${f}nv); cat <<< "${x:?}"',
    'f=.e; while read -r line; do echo "$line"; done < ${f}nv',
  ])('neither read nor touch what may not be read: %s', async (command) => {
    const { stdout, stderr, exitCode } = await sandbox.exec(command);
    expect(stdout + stderr).not.toContain('KEY');
    expect(exitCode).not.toBe(0);
    expect(readFileSync(join(root, '.env'), 'utf8')).toBe(ENV);
  });

  it.each([
    ...['>', '>>', '>|', '&>', '&>>', '<>', '1<>', '2>', '2>>', '2>|', '>&', '1>|'].map(
      (how) => `f=a; echo x ${how} $f.lock`,
    ),
    'f=a; exec 3> $f.lock; echo x >&3',
    'f=a; exec 3>> $f.lock; echo x >&3',
    'f=a; exec 3<> $f.lock; echo x >&3',
    'f=a; exec {fd}> $f.lock',
    'f=a; exec {fd}<> $f.lock',
    'f=a; { echo x; } > $f.lock',
    'f=a; echo x | tee $f.lock',
    'f=new; echo x > $f.lock',
    'f=new; echo x <> $f.lock',
    'f=new; exec 3<> $f.lock',
  ])('do not touch what may not be written: %s', async (command) => {
    const { stderr, exitCode } = await sandbox.exec(command);
    expect(stderr).toContain('write_file(**/*.lock)');
    expect(exitCode).not.toBe(0);
    expect(readFileSync(join(root, 'a.lock'), 'utf8')).toBe(LOCK);
    expect((await sandbox.exec('ls new.lock')).exitCode).not.toBe(0);
  });

  it('open for reading and writing without emptying, and make what is missing', async () => {
    expect((await sandbox.exec('cat <> free; printf X 1<> free; cat free')).stdout).toBe('abcXbc');
    expect(await sandbox.exec('cat <> missing; test -f missing && echo made')).toMatchObject({
      stdout: 'made\n',
      exitCode: 0,
    });
    expect((await sandbox.exec('cat <> .')).exitCode).not.toBe(0);
  });
});

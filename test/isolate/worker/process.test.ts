import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deathOf, guestDirectory, WorkerDriver } from './worker-driver.js';

const snapshotPath = join(tmpdir(), `caisson-test-${process.pid}.v8snapshot`);
afterAll(() => rmSync(snapshotPath, { force: true }));

describe('a worker', () => {
  it('gives away the snapshot it built, which another one starts from', async () => {
    const { ready, body } = await readyOf(await WorkerDriver.start());
    expect(ready.snapshotBuilt).toBe(true);
    writeFileSync(snapshotPath, body);
    await using second = await WorkerDriver.start({ snapshotPath });
    expect((await second.exec('echo hi | cat')).text).toBe('hi\n');
  });

  it('builds its own when the one named is not there', async () => {
    await using worker = await WorkerDriver.start({ snapshotPath: `${snapshotPath}.none` });
    expect((await worker.exec('echo hi')).text).toBe('hi\n');
  });

  it('has no environment and may touch nothing but its directories', async () => {
    await using worker = await WorkerDriver.start();
    const environment = readFileSync(`/proc/${worker.child.pid}/environ`);
    expect(environment.length).toBe(0);
  });

  it.runIf(process.getuid?.() === 0)('is another user before any guest code runs, and still works', async () => {
    await using worker = await WorkerDriver.start({ uid: 12_345, gid: 12_346 });
    const status = readFileSync(`/proc/${worker.child.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t12345\t12345\t12345\t12345$/m);
    expect(status).toMatch(/^Gid:\t12346\t12346\t12346\t12346$/m);
    await worker.exec('echo x > made; mkdir d');
    expect(statSync(join(worker.workspace, 'made')).uid).toBe(12_345);
    expect(await deathOf(worker.exec("awk 'BEGIN { while (1) {} }'", { timeoutMs: 200 }))).toMatchObject({
      lastWords: 'timeout',
    });
  });

  it.runIf(process.getuid?.() === 0)('lives on where its code is closed to the user it becomes', async () => {
    const code = mkdtempSync(join(tmpdir(), 'caisson-closed-code-'));
    cpSync(guestDirectory, code, { recursive: true });
    try {
      await using worker = await WorkerDriver.start({ role: 'files', code, uid: 12_345, gid: 12_346 });
      // Its watchdog thread starts meanwhile; a worker without one ends.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await worker.file({ op: 'writeFile', path: '/workspace/made' }, Buffer.from('x'));
      expect(readFileSync(join(worker.workspace, 'made'), 'utf8')).toBe('x');
    } finally {
      rmSync(code, { recursive: true });
    }
  });

  it('answers file calls while a command waits, and after it', async () => {
    await using worker = await WorkerDriver.start();
    const call = worker.exec('sleep 0.5; cat made');
    await worker.file({ op: 'writeFile', path: '/workspace/made' }, Buffer.from('by host'));
    expect((await call).text).toBe('by host');
  });

  it('runs one guest call at a time, in the order they came', async () => {
    await using worker = await WorkerDriver.start();
    const answers = await Promise.all([
      worker.exec('sleep 0.2; echo 1 >> log; cat log'),
      worker.exec('echo 2 >> log; cat log'),
      worker.evaluate('3'),
      worker.exec('echo 4 >> log; cat log'),
    ]);
    expect(answers.map((answer) => ('text' in answer ? answer.text : answer.value))).toEqual([
      '1\n',
      '1\n2\n',
      3,
      '1\n2\n4\n',
    ]);
  });

  it('loses no completed write when it is killed', async () => {
    await using worker = await WorkerDriver.start({ mode: 'direct' });
    await deathOf(worker.exec("echo kept > kept; awk 'BEGIN { while (1) {} }'", { timeoutMs: 200 }));
    expect(readFileSync(join(worker.workspace, 'kept'), 'utf8')).toBe('kept\n');
  });
});

describe('the worker’s end', () => {
  it.each([
    ['bytes that are no frame', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a frame over its cap', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
    ['a header that is not JSON', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0, 0x7b, 0x7b])],
    ['a header that is no message', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0x6e, 0x75, 0x6c, 0x6c])],
    ['a message nobody knows', Buffer.from('\0\0\0\x0c\0\0\0\0{"type":"x"}', 'latin1')],
  ])('comes with %s', async (_name, bytes) => {
    await using worker = await WorkerDriver.start();
    worker.child.stdin?.write(bytes);
    expect(await worker.death).toMatchObject({ signal: 'SIGKILL', lastWords: '' });
  });

  it('comes with the end of its input', async () => {
    await using worker = await WorkerDriver.start();
    worker.child.stdin?.end();
    expect((await worker.death).signal).toBe('SIGKILL');
  });

  it('comes with the host also when guest code holds the main thread', async () => {
    await using worker = await WorkerDriver.start();
    const call = deathOf(worker.exec("awk 'BEGIN { while (1) {} }'", { timeoutMs: 60_000 }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    // As when the host is killed: every pipe closes at once.
    for (const pipe of worker.child.stdio) pipe?.destroy();
    expect(await worker.death).toMatchObject({ signal: 'SIGKILL' });
    await call;
  });
});

describe('a worker for files', () => {
  it('loads no isolate and only does file work', async () => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    const maps = readFileSync(`/proc/${worker.child.pid}/maps`, 'utf8');
    expect(maps).not.toContain('isolated-vm');
    await expect(worker.exec('echo hi')).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('reads, writes, lists and removes what is in the workspace', async () => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    const path = '/workspace/a/b.bin';
    const bytes = Buffer.from([0, 255, 10]);
    expect(await worker.file({ op: 'readFile', path, maxBytes: 1e6 })).toMatchObject({ value: null });
    await worker.file({ op: 'writeFile', path }, bytes);
    expect((await worker.file({ op: 'readFile', path, maxBytes: 1e6 })).body).toEqual(bytes);
    expect((await worker.file({ op: 'list', path: 'a' })).value).toMatchObject([
      { name: 'b.bin', type: 'file', size: 3 },
    ]);
    expect((await worker.file({ op: 'stat', path: '/workspace/none' })).value).toBeNull();
    expect(
      (await worker.file({ op: 'glob', patterns: ['**/*.bin'], query: {}, timeoutMs: 5_000 })).value,
    ).toMatchObject({
      paths: ['a/b.bin'],
    });
    expect((await worker.file({ op: 'remove', path, recursive: false })).value).toBe(true);
    expect((await worker.file({ op: 'remove', path, recursive: false })).value).toBe(false);
    expect(existsSync(join(worker.workspace, 'a/b.bin'))).toBe(false);
  });

  it.each([
    { op: 'readFile', path: '/tmp/x', maxBytes: 10 },
    { op: 'readFile', path: '/workspace/../etc/passwd', maxBytes: 10 },
    { op: 'writeFile', path: '/home/agent/x' },
    { op: 'list', path: '/' },
    { op: 'rename', from: '/workspace/a', to: '/tmp/a' },
    { op: 'grep', pattern: 'x', query: { path: '/etc' }, timeoutMs: 1_000 },
    { op: 'glob', patterns: ['*'], query: { cwd: '..' }, timeoutMs: 1_000 },
  ] as const)('refuses what lies outside: $op', async (operation) => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    await expect(worker.file(operation as never)).rejects.toMatchObject({
      code: 'path_escape',
      message: expect.not.stringContaining(worker.workspace),
    });
  });

  it('answers a search whose lines are long with as much as fits', async () => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    writeFileSync(join(worker.workspace, 'long'), `${'é'.repeat(1_900)}\n`.repeat(2_000));
    const query = { context: 20, maxResults: 200 };
    const { value } = await worker.file({ op: 'grep', pattern: 'é', query, timeoutMs: 10_000 });
    expect(value).toMatchObject({ resultsLimited: true });
    expect((value as { matches: unknown[] }).matches.length).toBeGreaterThan(0);
  });

  it('says what to do instead of listing more than fits', async () => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    mkdirSync(join(worker.workspace, 'many'));
    for (let file = 0; file < 15_000; file += 1)
      writeFileSync(join(worker.workspace, 'many', `${'n'.repeat(245)}${file}`), '');
    await expect(worker.file({ op: 'list', path: 'many' })).rejects.toMatchObject({ code: 'output_limit' });
  });

  it.each(['remove', 'rename'])('does not %s the workspace itself', async (op) => {
    await using worker = await WorkerDriver.start({ role: 'files' });
    const operation =
      op === 'remove' ? { op, path: '/workspace', recursive: true } : { op, from: '.', to: '/workspace/x' };
    await expect(worker.file(operation as never)).rejects.toMatchObject({ code: 'access_denied' });
  });
});

describe('the worker’s code', () => {
  it('imports nothing but Node itself and isolated-vm', () => {
    for (const name of ['worker.js', 'watchdog.cjs']) {
      const code = readFileSync(join(guestDirectory, name), 'utf8');
      const statement = name.endsWith('.cjs')
        ? /\brequire\(["']([^"']+)["']\)/g
        : /^import .* from ["']([^"']+)["'];?$/gm;
      const imports = [...code.matchAll(statement)].map((match) => match[1] ?? '');
      expect(imports).not.toEqual([]);
      expect(imports.filter((specifier) => !specifier.startsWith('node:'))).toEqual([]);
      expect(code).not.toMatch(/\bimport\(/);
    }
    for (const name of ['shell.js', 'evaluate.js']) {
      expect(readFileSync(join(guestDirectory, name), 'utf8')).not.toMatch(/^import |\brequire\(["']node:/m);
    }
  });
});

async function readyOf(worker: WorkerDriver): Promise<{ ready: { snapshotBuilt: boolean }; body: Buffer }> {
  await worker[Symbol.asyncDispose]();
  return { ready: worker.ready, body: worker.ready.body };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, runCli } from './run-cli.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  path = join(directory, 'audit.jsonl');
});
afterEach(() => rmSync(directory, { recursive: true }));

const record = (toolCallId: string, time = '2026-01-01T00:00:00.000Z') =>
  `${JSON.stringify({ type: 'decision', time, toolCallId, toolName: `tool-${toolCallId}`, decision: { effect: 'deny' } })}\n`;

describe('caisson audit', () => {
  it('shows older records that were put aside, and which lines it skipped, on stderr', async () => {
    writeFileSync(`${path}.1`, record('old', '2020-01-01T00:00:00.000Z') + record('a'));
    writeFileSync(path, `junk\n${record('b')}`);
    const { code, stdout, stderr } = await runCli(['audit', path, '--json', '--since', '2025-01-01']);
    const ids = stdout.trim().split('\n');
    expect(ids.map((line) => JSON.parse(line).toolCallId)).toEqual(['a', 'b']);
    expect(stderr).toContain('Skipped 1 line:');
    expect(stderr).toContain('audit.jsonl:1: not JSON');
    expect(code).toBe(0);
  });

  it('shows the last records alone when it is asked for them', async () => {
    writeFileSync(path, ['a', 'b', 'c'].map((id) => record(id)).join(''));
    const { stdout } = await runCli(['audit', path, '--last', '2']);
    expect(stdout.match(/tool-./g)).toEqual(['tool-b', 'tool-c']);
    expect((await runCli(['audit', path, '--last', '0'])).code).toBe(2);
  });

  it('escapes what a record holds, as text and as JSON', async () => {
    writeFileSync(path, record('\u001b[2J\u202e', '\u001b]0;x\u0007'));
    for (const more of [[], ['--json']]) {
      const { stdout } = await runCli(['audit', path, ...more]);
      for (const character of ['\u001b', '\u202e', '\u0007']) expect(stdout).not.toContain(character);
    }
  });

  it('follows over the moment in which the log is put aside', async () => {
    writeFileSync(path, record('a'));
    const { stdout, code } = await runCli(['audit', path, '--follow'], {
      when: {
        until: 'tool-a',
        act: (pid) => {
          appendFileSync(path, record('b'));
          renameSync(path, `${path}.1`);
          writeFileSync(path, record('c'));
          setTimeout(() => process.kill(pid, 'SIGINT'), 900);
        },
      },
    });
    expect(stdout.match(/tool-./g)).toEqual(['tool-a', 'tool-b', 'tool-c']);
    expect(code).toBe(130);
  });

  it('ends when whoever read it went away, also while it follows', async () => {
    writeFileSync(path, record('a'));
    const child = spawn(process.execPath, [CLI, 'audit', path, '--follow'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const more = setInterval(() => appendFileSync(path, record('b')), 100);
    const [code] = await once(child, 'exit');
    clearInterval(more);
    expect(code).toBe(0);
  });

  it('names a directory and a missing file', async () => {
    expect((await runCli(['audit', directory])).stderr).toContain('EISDIR');
    const { code, stderr } = await runCli(['audit', path]);
    expect(stderr).toContain('ENOENT');
    expect(code).toBe(2);
  });
});

describe('one audit log of several processes', () => {
  const WRITER = `
    import { createAuditLog } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)};
    const [path, name] = process.argv.slice(1);
    const audit = createAuditLog({ path, maxBytes: 4_000, keepFiles: 1_000 });
    for (let index = 0; index < 400; index += 1)
      audit({ type: 'call.started', time: '2026', toolCallId: name + index, toolName: 'shell' });
  `;

  it('holds every record of each, whole, although all put it aside', async () => {
    const writers = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '-e', WRITER, path, name], { stdio: 'inherit' }),
    );
    expect(await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]))).toEqual([0, 0, 0]);
    const files = readdirSync(directory);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => name.endsWith('.lock'))).toEqual([]);
    const ids = files
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line).toolCallId);
    const expected = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 400 }, (_, index) => `${name}${index}`));
    expect(ids.sort()).toEqual(expected.sort());
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'policy-files-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const run = (args: string[], input?: string) =>
  runCli(['policy', ...args], {
    cwd: directory,
    env: { XDG_CONFIG_HOME: join(directory, 'conf') },
    ...(input === undefined ? {} : { input }),
  });

const save = (name: string, content: string | Buffer) => writeFileSync(join(directory, name), content);

describe('caisson policy with odd files', () => {
  it('is not kept waiting by a pipe, a device or a directory, and says what they are', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    for (const file of ['pipe', '/dev/zero', '.']) {
      for (const args of [
        ['check', 'ls', '--policy', file],
        ['import', file],
      ]) {
        const { code, stderr } = await run(args);
        expect([code, stderr]).toEqual([2, expect.stringContaining('it is not a regular file')]);
      }
    }
  });

  it.each<[string, string | Buffer, string]>([
    ['a byte order mark', Buffer.from('\ufeff{}'), 'byte order mark'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    ['a key twice', '{"deny":["shell"],"deny":[]}', "'deny' is there twice"],
    ['a key of objects', '{"__proto__":{"deny":["shell"]}}', "unknown key '__proto__'"],
    ['an object for a list', '{"deny":{"0":"shell"}}', 'it must be a list of rules, not an object'],
    ['more than a megabyte', `{}${' '.repeat(1024 * 1024)}`, 'larger than 1 MiB'],
  ])('refuses %s', async (_what, content, problem) => {
    save('caisson.policy.json', content);
    const { code, stderr } = await run(['check', 'ls']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('reads comments, trailing commas and Windows line ends, in settings that it imports too', async () => {
    save('caisson.policy.json', '// rules\r\n{ "deny": ["shell(rm:*)",], }\r\n');
    expect((await run(['check', 'rm x'])).code).toBe(3);
    save('settings.json', '{ /* x */ "permissions": { "deny": ["Bash(rm:*)",] } }\r\n');
    expect(JSON.parse((await run(['import', 'settings.json'])).stdout).deny).toEqual(['shell(rm:*)']);
  });

  it('refuses settings that are none as a wrong command line', async () => {
    save('settings.json', '{"permissions":{"deny":"Bash"}}');
    const { code, stderr } = await run(['import', 'settings.json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("'deny' is not a list")]);
  });

  it('does not decide for a workspace that is not there', async () => {
    save('file', '');
    for (const workspace of ['typo', 'file']) {
      const { code, stderr } = await run(['check', 'rm -rf x', '--workspace', workspace]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`The workspace '${workspace}' is no directory`)]);
    }
  });

  it('writes no starter policy through a link, even when it may replace a file', async () => {
    save('other', 'mine');
    symlinkSync(join(directory, 'other'), join(directory, 'caisson.policy.json'));
    for (const more of [[], ['--force']]) {
      const { code, stderr } = await run(['init', ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('not a regular file')]);
    }
    rmSync(join(directory, 'other'));
    expect((await run(['init', '--force'])).code).toBe(2);
    expect(existsSync(join(directory, 'other'))).toBe(false);
    mkdirSync(join(directory, 'd'));
    expect((await run(['init', 'd', '--force'])).code).toBe(2);
    save('old.json', 'x'.repeat(10_000));
    expect((await run(['init', 'old.json', '--force'])).code).toBe(0);
    expect(readFileSync(join(directory, 'old.json'), 'utf8')).not.toContain('xxx');
  });
});

describe('caisson policy with odd arguments', () => {
  it('reads the arguments of a call from stdin', async () => {
    const args = ['check', '--tool', 'read_file', '--args', '-', '--deny', 'read_file(.env)'];
    expect((await run(args, '{"path":".env"}')).code).toBe(3);
  });

  it.each(['[]', 'null', '5', '"x"'])('refuses %s as arguments', async (args) => {
    const { code, stderr } = await run(['check', '--tool', 'shell', '--args', args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be a JSON object')]);
  });

  it('says that a file holds no case, and what a test without cases tells', async () => {
    save('cases.jsonl', '\n\n');
    expect((await run(['test', 'cases.jsonl'])).code).toBe(2);
    expect((await run(['test'])).stdout).toContain('The policy loads');
  });

  it('escapes what a case file says', async () => {
    save('cases.jsonl', '{"id":"\\u001b[2J","call":{"tool":"shell","args":{"command":"ls"}},"expect":"deny"}');
    const { code, stdout } = await run(['test', 'cases.jsonl']);
    expect(stdout).not.toContain('\u001b');
    expect(code).toBe(1);
  });
});

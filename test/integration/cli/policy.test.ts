import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.js';

let directory: string;
let written: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'policy-cli-'));
  written = '';
});
afterEach(() => rmSync(directory, { recursive: true }));

async function run(...args: string[]): Promise<number | null> {
  const { code, stdout, stderr } = await runCli(args, { cwd: directory, env: { XDG_CONFIG_HOME: directory } });
  written = stdout + stderr;
  return code;
}

describe('caisson policy check', () => {
  it.each([
    ['ls', 0],
    ['cd api && git push', 3],
    ['make', 5],
  ])('decides %s by its exit code %i', async (command, code) => {
    const rules = ['--deny', 'shell(git push:*)', '--ask', 'shell(make:*)'];
    expect(await run('policy', 'check', command, '-w', directory, ...rules)).toBe(code);
  });

  it('says the rule, the part, what holds it and what to do instead', async () => {
    writeFileSync(join(directory, 'caisson.policy.json'), '{ "deny": ["shell(git push:*)"] } // x');
    await run('policy', 'explain', 'cd api && rtk git push', '-w', directory);
    for (const text of [
      'shell(git push:*)',
      'project:caisson.policy.json#deny[0]',
      'git push  through rtk (unknown program)',
      'could be',
      'argv gate',
      'instead',
      'cd api',
    ])
      expect(written).toContain(text);
  });

  it('takes another tool, and answers in JSON', async () => {
    const code = await run(
      'policy',
      'check',
      '--tool',
      'read_file',
      '--args',
      '{"path":".env"}',
      '--deny',
      'read_file(.env)',
      '--json',
      '-w',
      directory,
    );
    expect(code).toBe(3);
    expect(JSON.parse(written)).toMatchObject({ decision: 'deny', enforcement: 'file gate' });
  });

  it.each([
    [['policy', 'check'], 'Nothing to check'],
    [['policy', 'check', 'ls', '--tool', 'x'], 'not both'],
    [['policy', 'check', '--tool', 'x', '--args', '{'], '--args is not JSON'],
    [['policy', 'check', 'ls', '--deny', 'shell('], 'closing parenthesis'],
    [['policy', 'test', 'none.jsonl'], "Cannot read 'none.jsonl'"],
    [['audit', 'none.jsonl'], "Cannot read 'none.jsonl'"],
  ])('%j is a usage error', async (args, problem) => {
    expect(await run(...args)).toBe(2);
    expect(written).toContain(problem);
  });
});

describe('caisson policy init, test, doctor and import', () => {
  it('write a policy that holds, and test it', async () => {
    const file = join(directory, 'caisson.policy.json');
    expect(await run('policy', 'init', file)).toBe(0);
    expect(existsSync(file)).toBe(true);
    expect(await run('policy', 'init', file)).toBe(2);
    expect(await run('policy', 'check', 'cat .env', '-w', directory)).toBe(3);
    const cases = join(directory, 'cases.jsonl');
    writeFileSync(cases, '{"call":{"tool":"shell","args":{"command":"git push"}},"expect":"deny"}\n');
    expect(await run('policy', 'test', cases, '-w', directory)).toBe(0);
    writeFileSync(cases, '{"id":"X","call":{"tool":"shell","args":{"command":"git push"}},"expect":"allow"}\n');
    expect(await run('policy', 'test', cases, '-w', directory)).toBe(1);
    expect(written).toContain('✗ X: expected allow, decided deny by shell(git push:*)');
  });

  it('doctor says what holds each rule on each backend', async () => {
    await run('policy', 'doctor', '--no-scan', '-w', directory, '--deny', 'read_file(.env)', '--deny', 'shell(rm:*)');
    expect(written).toContain('isolate: file gate; docker direct: mask; docker overlay: overlay');
    expect(written).toContain('isolate: argv gate; docker direct: text only');
    expect(written).toContain('What this does not cover');
  });

  it('doctor states the limits of rules about commands and of masks, where there are such rules', async () => {
    const limits = async (...rules: string[]): Promise<string> => {
      await run('policy', 'doctor', '--no-scan', '--json', '-w', directory, ...rules);
      return JSON.parse(written).limits.join('\n');
    };
    const both = await limits('--deny', 'read_file(.env)', '--ask', 'shell(rm:*)');
    for (const part of ['Makefile', 'two steps', 'inline code', 'quoted variable', 'bash 5', 'rootful', 'hard links'])
      expect(both).toContain(part);
    expect(await limits('--deny', 'deploy', '--allow', 'shell(ls:*)')).not.toMatch(/Makefile|rootful/);
  });

  it('import prints a policy and what differs', async () => {
    const file = join(directory, 'settings.json');
    writeFileSync(file, '{"permissions":{"deny":["Bash(yarn)"]}}');
    expect(await run('policy', 'import', file)).toBe(0);
    expect(written).toContain('"shell(yarn)"');
    expect(written).toContain('What differs here');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.js';

const COMMANDS = ['demo', 'call', 'shell', 'tools', 'doctor', 'ps', 'reap', 'image'];

describe('caisson --help', () => {
  it('lists every command, first steps and every exit code', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    expect(stdout).toContain('Start here:');
    for (const exitCode of [0, 1, 2, 3, 4, 130]) expect(stdout).toMatch(new RegExp(`^ {2}${exitCode}\\b`, 'm'));
  });

  it.each(COMMANDS)('caisson %s --help teaches by examples', async (command) => {
    const { code, stdout } = await runCli([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain(`$ caisson ${command}`);
  });

  it('--version prints the version of package.json', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect((await runCli(['--version'])).stdout).toBe(`${manifest.version}\n`);
  });

  it('suggests the command that was meant', async () => {
    expect((await runCli(['docter'])).stderr).toContain('doctor');
  });
});

describe('caisson tools', () => {
  it('names every built-in tool with its arguments', async () => {
    const { code, stdout } = await runCli(['tools']);
    expect(code).toBe(0);
    for (const name of ['read_file', 'write_file', 'edit_file', 'list_dir', 'glob', 'grep', 'shell']) {
      expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    }
    expect(stdout).toMatch(/^ {2}old_string /m);
    expect(stdout).toMatch(/^ {2}\[replace_all\] /m);
  });

  it('--json gives what a model gets', async () => {
    const tools = JSON.parse((await runCli(['tools', '--json'])).stdout);
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'shell', inputSchema: expect.objectContaining({ type: 'object' }) }),
    );
  });
});

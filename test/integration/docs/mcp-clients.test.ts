import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from './pages.js';

interface ServerEntry {
  command: string;
  args: string[];
}

const page = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8');
const project = mkdtempSync(join(tmpdir(), 'caisson-mcp-docs-'));
afterAll(() => rmSync(project, { recursive: true }));

/** The entry of each client's configuration, by the member it stands under. */
const entries: [string, ServerEntry][] = [...jsonEntries(), tomlEntry()];

describe('the configurations for MCP clients', () => {
  it('are there for every common form', () => {
    expect(entries.map(([form]) => form).sort()).toEqual(['context_servers', 'mcpServers', 'mcp_servers', 'servers']);
    for (const client of [
      'Claude Code',
      'Claude Desktop',
      'Cursor',
      'VS Code',
      'Codex',
      'Gemini CLI',
      'Windsurf',
      'Zed',
    ]) {
      expect(page).toContain(client);
    }
  });

  it.each(entries)('%s: what it starts answers initialize', { timeout: 30_000 }, async (_form, { command, args }) => {
    expect([command, ...args.slice(0, 3)]).toEqual(['npx', '-y', 'caisson', 'mcp']);
    // As npx runs it, in the project; the client puts the folder in.
    const given = args.slice(2).map((arg) => arg.replace('${workspaceFolder}', project));
    const server = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), ...given], { cwd: project });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [answer] = (await once(server.stdout, 'data')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ id: 1, result: { serverInfo: { name: 'caisson' } } });
    server.stdin.end();
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});

function jsonEntries(): [string, ServerEntry][] {
  return [...page.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
    Object.entries(JSON.parse(text) as Record<string, { caisson?: ServerEntry }>).flatMap(
      ([form, { caisson }]): [string, ServerEntry][] => (caisson === undefined ? [] : [[form, caisson]]),
    ),
  );
}

/** TOML as far as the page writes it: strings and lists of strings, as in JSON. */
function tomlEntry(): [string, ServerEntry] {
  const text = /```toml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const [, form = ''] = /^\[(\w+)\.caisson\]$/m.exec(text) ?? [];
  const value = (key: string) => JSON.parse(new RegExp(`^${key} = (.+)$`, 'm').exec(text)?.[1] ?? 'null');
  return [form, { command: value('command'), args: value('args') }];
}

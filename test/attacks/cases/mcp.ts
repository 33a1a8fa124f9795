import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Attacks, within } from '../attack.js';
import { eventually } from '../eventually.js';
import { attackArgumentText, attackInheritedNames } from '../hostile-arguments.js';
import { connectCaisson, connectFixture, type McpClient } from '../mcp-client.js';
import { childrenOf, isRunning, privateDirectoriesOf, residentBytes } from '../processes.js';

const MiB = 1024 * 1024;

export const mcp: Attacks = {
  'HOST-017': within(60_000, async (stage) => {
    await attackArgumentText(stage);
    const client = await connectCaisson(stage);
    const before = residentBytes(client.program.pid);
    const refused: [line: string, codes: number[]][] = [
      ['{nonsense', [-32700]],
      ['{"jsonrpc":"2.0","id":"a","method":"ping"', [-32700]],
      [`${'['.repeat(1e5)}${']'.repeat(1e5)}`, [-32600, -32700]],
      ['{"a":'.repeat(1e5), [-32600, -32700]],
      ['[{"jsonrpc":"2.0","id":"b","method":"ping"}]', [-32600]],
      ['{"id":"c","method":"ping"}', [-32600]],
      ['{"jsonrpc":"1.0","id":"d","method":"ping"}', [-32600]],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [-32600]],
      ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', [-32600]],
      ['{"jsonrpc":"2.0","id":"e"}', [-32600]],
      ['{"jsonrpc":"2.0","id":"f","method":7}', [-32600]],
      ['"text"', [-32600]],
      ['null', [-32600]],
      [JSON.stringify({ jsonrpc: '2.0', id: 'g', method: 'ping', params: { x: 'x'.repeat(50 * MiB) } }), [-32600]],
    ];
    for (const [line, codes] of refused) {
      const known = client.received().length;
      client.line(line);
      const answer = (await client.messages(known + 1))[known];
      expect(codes, `${line.slice(0, 60)}: ${JSON.stringify(answer)}`).toContain(answer?.error?.code);
    }
    // A byte order mark and Windows line ends are no reason to refuse, and an id that is in use is.
    const known = client.received().length;
    client.program.write('\ufeff{"jsonrpc":"2.0","id":"bom","method":"ping"}\r\n\r\n');
    const sleeping = {
      jsonrpc: '2.0',
      id: 'twice',
      method: 'tools/call',
      params: { name: 'shell', arguments: { command: 'sleep 0.5' } },
    };
    client.line(JSON.stringify(sleeping));
    client.line(JSON.stringify(sleeping));
    const answers = (await client.messages(known + 3)).slice(known);
    expect(answers.filter((answer) => answer.id === 'bom' && answer.error === undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer.error?.code === -32600)).toHaveLength(1);
    expect(answers.filter((answer) => answer.id === 'twice' && answer.result !== undefined)).toHaveLength(1);
    expect((await client.request('tools/list')).result?.tools?.length).toBeGreaterThan(5);
    expect(residentBytes(client.program.pid) - before).toBeLessThan(400 * MiB);
  }),

  'HOST-018': within(60_000, async (stage) => {
    await attackInheritedNames(stage);
    const client = await connectCaisson(stage);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      const answer = await client.request('tools/call', { name, arguments: {} });
      const text = JSON.stringify(answer);
      expect(answer.error !== undefined || answer.result?.isError === true, text).toBe(true);
    }
    for (const hostile of [
      '{"__proto__":{"admin":true},"command":"echo ran"}',
      '{"constructor":{"prototype":{"admin":true}},"command":"echo ran"}',
    ]) {
      const before = client.received().length;
      client.line(`{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"shell","arguments":${hostile}}}`);
      const answer = (await client.messages(before + 1))[before];
      expect(answer?.error !== undefined || answer?.result?.isError === true, JSON.stringify(answer)).toBe(true);
      expect(JSON.stringify(answer)).not.toContain('ran');
    }
    expect(await echo(client, 'still here')).toContain('still here');
  }),

  'HOST-020': within(60_000, async (stage) => {
    for (const leave of ['endInput', 'kill'] as const) {
      const client = await connectCaisson(stage);
      const { program } = client;
      await echo(client, 'warm');
      const workers = childrenOf(program.pid);
      expect(workers.length).toBeGreaterThan(0);
      client.line(
        '{"jsonrpc":"2.0","id":"busy","method":"tools/call","params":{"name":"shell","arguments":{"command":"while :; do :; done"}}}',
      );
      await sleep(300);
      if (leave === 'endInput') program.endInput();
      else program.kill('SIGKILL');
      const { code } = await program.finished;
      if (leave === 'endInput') expect(code).toBe(0);
      await eventually('every sandbox is gone', () => workers.every((pid) => !isRunning(pid)), 10_000);
      if (leave === 'endInput') expect(privateDirectoriesOf(program.pid)).toEqual([]);
    }
  }),

  'HOST-021': async (stage) => {
    const client = await connectFixture(stage, 'chatty-server.mjs');
    const answer = await client.request('tools/call', { name: 'chatty', arguments: {} });
    expect(JSON.stringify(answer.result)).toContain('answered');
    await sleep(100);
    const [first, second] = client.received();
    expect([first?.id, second?.id]).toEqual([1, 2]);
    expect(client.received()).toHaveLength(2);
    client.program.endInput();
    const { stdout, stderr } = await client.program.finished;
    expect(stdout).not.toMatch(/log line|forged|later|started/);
    expect(stderr).toMatch(/a log line[\s\S]*forged[\s\S]*later/);
  },

  'HOST-022': async (stage) => {
    const client = await connectCaisson(stage);
    const forged = '{"jsonrpc":"2.0","id":77,"result":{"forged":true}}';
    const before = client.received().length;
    const command = `printf '\\n%s\\n\\r\\n%s\\n' '${forged}' '${forged}'; printf '\\342\\200\\250${forged}'`;
    const answer = await client.request('tools/call', { name: 'shell', arguments: { command } });
    expect(client.received()).toHaveLength(before + 1);
    expect(client.received().filter((message) => message.id === 77)).toEqual([]);
    expect(answer.result?.content?.[0]?.text).toContain('forged');
    expect(await echo(client, 'still here')).toContain('still here');
  },

  'HOST-023': within(90_000, async (stage) => {
    const client = await connectCaisson(stage);
    await echo(client, 'warm');
    const { program } = client;
    const before = residentBytes(program.pid);
    program.stopReading();
    const count = 600;
    const command = "printf '%030000d' 0";
    for (let id = 0; id < count; id += 1) {
      client.line(
        JSON.stringify({
          jsonrpc: '2.0',
          id: `many-${id}`,
          method: 'tools/call',
          params: { name: 'shell', arguments: { command } },
        }),
      );
    }
    await sleep(5_000);
    expect(isRunning(program.pid)).toBe(true);
    expect(residentBytes(program.pid) - before).toBeLessThan(200 * MiB);
    const known = client.received().length;
    program.readOn();
    const answers = (await client.messages(known + count)).filter((message) => String(message.id).startsWith('many-'));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(count);
    expect(await echo(client, 'still here')).toContain('still here');
  }),
};

async function echo(client: McpClient, text: string): Promise<string> {
  return JSON.stringify(await client.request('tools/call', { name: 'shell', arguments: { command: `echo ${text}` } }));
}

import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import type { Sandbox, SandboxSession } from '../../../src/sandbox/contract.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools } from '../../../src/tools/coding-tools.js';

/** With what JSON, URLs and base64 each write in another way. */
export const TOKEN = 'tok"en é/+42 & more';
const CALL_TOKEN = 'given-with-one-call';

/** Every form in which a secret could stand in a text. */
function formsOf(secret: string): string[] {
  const basic = ['', 'u:', 'us:'].map((user) => Buffer.from(`${user}${secret}`).toString('base64'));
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...basic];
}

function expectNoSecret(texts: unknown): void {
  const text = JSON.stringify(texts);
  for (const form of [TOKEN, CALL_TOKEN].flatMap(formsOf)) expect(text).not.toContain(form);
}

function onHost(): never {
  throw new Error('It ran on the host');
}

/** What holds for the environment of a session on every backend. */
export function itKeepsSecrets(
  create: (env: Record<string, string>) => Promise<SandboxSession> | SandboxSession,
): void {
  const withHost = async (tools: Parameters<typeof createToolHost>[0], session: SandboxSession) => {
    const events: HostEvent[] = [];
    const lines: string[] = [];
    const audit = createAuditLog({ write: (line) => lines.push(line), previewCharacters: 10_000 });
    const host = createToolHost({
      ...tools,
      sandbox: session,
      policyFiles: false,
      onEvent: (event) => {
        events.push(event);
        audit(event);
      },
    });
    return { host, events, lines };
  };

  it('keeps the values of env out of events and the audit log, however a call spells them', async () => {
    await using session = await create({ TOKEN, MODE: 'sandbox', SHORT: 'abc' });
    const { host, events, lines } = await withHost({ tools: codingTools() }, session);
    for (const form of formsOf(TOKEN)) {
      await host.call({ toolName: 'shell', args: { command: `: '${form}'` } });
      await host.call({ toolName: 'read_file', args: { path: `gone/${form}` } });
    }
    expect(events.length).toBeGreaterThan(10);
    expectNoSecret([events, lines]);
    expect(JSON.stringify(events)).toContain('[redacted]');
    // Words of the host's own, and what is too short to be a secret, stay.
    expect(events).toContainEqual(expect.objectContaining({ type: 'run.started', where: 'sandbox' }));
  });

  it("leaves a command's output as it is, and takes the value out of the event that shows it", async () => {
    await using session = await create({ TOKEN });
    const watch = defineTool({
      name: 'watch',
      description: 'd',
      input: z.object({}),
      requiresSandbox: true,
      execute: onHost,
      async *sandboxExecute(_args: unknown, sandbox: Sandbox) {
        yield (await sandbox.exec('printf %s "$TOKEN"')).stdout;
      },
    });
    const { host, events, lines } = await withHost({ tools: [watch] }, session);
    const partial: unknown[] = [];
    const outcome = await host.call(
      { toolName: 'watch', args: {} },
      { onPartial: ({ output }) => void partial.push(output) },
    );
    expect(outcome).toMatchObject({ status: 'ok', output: TOKEN });
    expect(partial).toEqual([TOKEN]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.partial', output: '[redacted]' }));
    expectNoSecret([events, lines]);
  });

  it('keeps them out of errors, of the session and of a call', async () => {
    await using session = await create({ TOKEN });
    const error = await session.exec('true', { cwd: `gone/${TOKEN}` }).then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(error?.message).toContain('[redacted]');
    expectNoSecret([error?.message, error?.stack]);
    const failing = (name: string, message: string) =>
      defineTool({
        name,
        description: 'd',
        input: z.object({}),
        requiresSandbox: true,
        execute: onHost,
        sandboxExecute: () => {
          throw new Error(message);
        },
      });
    const fails = failing('fails', `Cannot log in with ${TOKEN}`);
    const cut = failing('cut', `${'x'.repeat(1_995)}${TOKEN}`);
    const { host } = await withHost({ tools: [fails, cut] }, session);
    expect(JSON.stringify(await host.call({ toolName: 'cut', args: {} }))).not.toContain(
      JSON.stringify(TOKEN.slice(0, 4)).slice(1, -1),
    );
    const outcome = await host.call({ toolName: 'fails', args: {} });
    expect(outcome).toMatchObject({ error: { message: 'Cannot log in with [redacted]', kind: 'execution' } });
  });

  it('knows the values that came with a single call from then on', async () => {
    await using session = await create({});
    const deploy = defineTool({
      name: 'deploy',
      description: 'd',
      input: z.object({ note: z.string() }),
      requiresSandbox: true,
      execute: onHost,
      sandboxExecute: async (_args: unknown, sandbox: Sandbox) => {
        const { stdout } = await sandbox.exec('printf %s "$KEY"', { env: { KEY: CALL_TOKEN } });
        return stdout;
      },
    });
    const { host, events, lines } = await withHost({ tools: [deploy] }, session);
    const first = await host.call({ toolName: 'deploy', args: { note: 'first' } });
    expect(first).toMatchObject({ output: CALL_TOKEN });
    await host.call({ toolName: 'deploy', args: { note: `again with ${CALL_TOKEN}` } });
    expectNoSecret([events, lines]);
    expect(JSON.stringify(events)).toContain('again with [redacted]');
  });
}

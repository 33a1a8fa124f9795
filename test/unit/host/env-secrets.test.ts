import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { secretsInContext } from '../../../src/host/context-secrets.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { createSandboxPool } from '../../../src/sandbox/pool.js';
import { createTextRedactor } from '../../../src/sandbox/redact.js';
import { SessionSecrets } from '../../../src/sandbox/session-secrets.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools } from '../../../src/tools/coding-tools.js';
import { itKeepsSecrets } from './env-secrets-suite.js';

describe('secrets in env, on the isolate', () => {
  itKeepsSecrets((env) => createIsolateSandbox({ env }));

  it('are known of a pool before it has given a session', async () => {
    await using pool = createSandboxPool({ backend: 'isolate', env: { KEY: 'from-the-pool' } });
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => events.push(event);
    await using host = createToolHost({ tools: codingTools(), sandbox: pool, policyFiles: false, onEvent });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'echo from-the-pool' } });
    expect(outcome).toMatchObject({ output: { stdout: 'from-the-pool\n' } });
    expect(JSON.stringify(events)).not.toContain('from-the-pool');
  });

  it('are known of a sandbox that a call brought with it', async () => {
    await using sandbox = createIsolateSandbox({ env: { KEY: 'brought-along' } });
    const events: HostEvent[] = [];
    const host = createToolHost({ tools: codingTools(), policyFiles: false, onEvent: (event) => events.push(event) });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'echo brought-along' } }, { sandbox });
    expect(outcome).toMatchObject({ output: { stdout: 'brought-along\n' } });
    expect(JSON.stringify(events)).not.toContain('brought-along');
  });
});

describe('secrets that a call brings and holds in its own arguments', () => {
  it('stand in none of its events: values of the env that its shell tool gives', async () => {
    await using sandbox = createIsolateSandbox({});
    const events: HostEvent[] = [];
    const tools = codingTools({ shell: { env: { KEY: 'tool-env-value' } } });
    const host = createToolHost({ tools, sandbox, policyFiles: false, onEvent: (event) => events.push(event) });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'echo tool-env-value $KEY' } });
    expect(outcome).toMatchObject({ output: { stdout: 'tool-env-value tool-env-value\n' } });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call.parsed', args: { command: 'echo [redacted] $KEY' } }),
    );
    expect(JSON.stringify(events)).not.toContain('tool-env-value');
  });

  it.each([
    ['the host', { context: { env: { DEPLOY: 'from-context' }, user: 'ada-lovelace' } }, {}],
    ['the call', {}, { context: { auth: { apiKey: 'from-context' }, user: 'ada-lovelace' } }],
  ])('stand in none of its events: what the context of %s holds under the name of a secret', async (_, made, given) => {
    const events: HostEvent[] = [];
    const note = defineTool({
      name: 'note',
      description: 'd',
      input: z.object({ text: z.string() }),
      execute: () => 1,
    });
    const host = createToolHost({ tools: [note], ...made, policyFiles: false, onEvent: (event) => events.push(event) });
    await host.call({ toolName: 'note', args: { text: 'from-context for ada-lovelace' } }, given);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call.parsed', args: { text: '[redacted] for ada-lovelace' } }),
    );
    expect(JSON.stringify(events)).not.toContain('from-context');
  });

  it('are looked for without calling getters, and not without end', () => {
    const circle: Record<string, unknown> = {
      token: 'the-token-itself',
      get secret() {
        throw new Error('It was read');
      },
    };
    circle.env = { again: circle };
    expect(Object.values(secretsInContext(circle))).toContain('the-token-itself');
  });
});

describe('SessionSecrets', () => {
  it('takes values of six characters and more, and no setting that hides nothing', () => {
    const { clean } = new SessionSecrets({ A: 'abcde', B: 'abcdef', NODE_ENV: 'production', DIR: '/workspace' });
    expect(clean('abcde production /workspace abcdef')).toBe('abcde production /workspace [redacted]');
  });

  it('remembers the last thousand values of calls, and those of the session for ever', () => {
    const secrets = new SessionSecrets({ OWN: 'session-value' });
    for (let number = 0; number <= 1_000; number += 1) secrets.add({ KEY: `call-value-${number}.` });
    expect(secrets.clean('call-value-0. call-value-1. call-value-1000. session-value')).toBe(
      'call-value-0. [redacted] [redacted] [redacted]',
    );
  });
});

describe('createTextRedactor()', () => {
  it('finds a secret in base64 wherever it lies in what was encoded', () => {
    const clean = createTextRedactor(['s3cret-val?>ue~~']);
    for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
      for (const after of ['', '\n', 'xy', 'xyz']) {
        const encoded = Buffer.from(`${before}s3cret-val?>ue~~${after}`);
        for (const text of [encoded.toString('base64'), encoded.toString('base64url')])
          expect([before, after, clean(text)]).toEqual([before, after, expect.stringContaining('[redacted]')]);
      }
    }
  });

  it('finds each line of a key in several lines', () => {
    const clean = createTextRedactor(['-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nab\n-----END KEY-----']);
    expect(clean('cat: MIIEpAIBAAKCAQEA ab')).toBe('cat: [redacted] ab');
  });

  it('takes texts that no URL can hold', () => {
    expect(createTextRedactor(['broken\ud800half'])('a broken\ud800half b')).toBe('a [redacted] b');
  });
});

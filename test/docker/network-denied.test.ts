import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { describeOnDocker } from './engine.js';

/** Serves HTTPS on port 8443 with a certificate that nobody has signed. */
const SELF_SIGNED = String.raw`
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout /tmp/key.pem -out /tmp/cert.pem 2>/dev/null
node -e 'const fs=require("fs");require("https").createServer({key:fs.readFileSync("/tmp/key.pem"),cert:fs.readFileSync("/tmp/cert.pem")},(q,r)=>r.end("{}")).listen(8443)' >/dev/null 2>&1 &
for attempt in $(seq 100); do (: > /dev/tcp/127.0.0.1/8443) 2>/dev/null && break; sleep 0.05; done
`;
const CLIENTS: [string, string][] = [
  ['npm', 'npm view is-number --fetch-retries 0 --registry https://localhost:8443'],
  ['pip', 'pip download x --retries 0 --index-url https://localhost:8443/simple'],
  ['git', 'git ls-remote https://localhost:8443/x.git'],
  ['curl', 'curl -sS https://localhost:8443'],
  ['node', `node -e "fetch('https://localhost:8443')"`],
];

describeOnDocker('without a network', () => {
  let session: SandboxSession;
  beforeAll(() => {
    session = createDockerSandbox();
  });
  afterAll(() => session.dispose());

  it.each([
    ['npm install', 'npm install is-number --no-audit'],
    ['npx', 'npx --yes is-number'],
    ['pip install', 'pip install requests'],
    ['git over https', 'git clone https://github.com/a/b'],
    ['git over ssh', 'git clone git@github.com:a/b.git'],
    ['curl by name', 'curl -sS https://example.com'],
    ['curl by address', 'curl -sS http://1.1.1.1'],
    ['fetch in Node', `node -e "fetch('https://example.com')"`],
    ['urllib in Python', `python3 -c "import urllib.request as u; u.urlopen('https://example.com')"`],
    ['bash itself', 'echo > /dev/tcp/1.1.1.1/80'],
    ['one that said so long before it ended', 'curl -sS https://example.com; sleep 0.4; exit 6'],
  ])('%s fails soon with network_denied', { timeout: 60_000 }, async (_, command) => {
    const { exitCode, cause, durationMs } = await session.exec(command, { timeoutMs: 40_000 });
    expect(exitCode).not.toBe(0);
    expect(cause).toBe('network_denied');
    expect(durationMs).toBeLessThan(20_000);
  });

  it.each([
    ['a server of its own that is not there', 'curl -sS http://localhost:3000'],
    ['the same by address', 'curl -sS http://127.0.0.1:3000'],
    ['a program that fails for a reason of its own', 'echo network >&2; exit 1'],
  ])('%s is no network_denied', async (_, command) => {
    const { exitCode, cause } = await session.exec(command);
    expect([exitCode === 0, cause]).toEqual([false, undefined]);
  });

  it('the model is told of setup', async () => {
    const host = createToolHost({ sandbox: session, tools: codingTools(), policyFiles: false });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'curl -sS https://example.com' } });
    expect(JSON.stringify(outcome)).toMatch(/has no network.*by the 'setup' of the sandbox/);
    expect(session.description).toMatch(/no network.*setup/);
  });

  it('a setup that has none says so', async () => {
    await using offline = createDockerSandbox({ setup: { command: 'curl -sS https://example.com', network: 'none' } });
    await expect(offline.start()).rejects.toThrow(/It has no network: leave out setup's network: 'none'/);
  });
});

describeOnDocker('where TLS is inspected', () => {
  describe('a setup', () => {
    it.each(CLIENTS)('of %s fails and names caCertificates', { timeout: 60_000 }, async (_, command) => {
      await using session = createDockerSandbox({ setup: { command: `${SELF_SIGNED}\n${command}`, network: 'none' } });
      await expect(session.start()).rejects.toThrow(/The network inspects TLS: .*caCertificates: 'host'/);
    });
  });

  it('a command with a network of its own is told the same', { timeout: 60_000 }, async () => {
    await using session = createDockerSandbox({ network: 'full' });
    const host = createToolHost({ sandbox: session, tools: codingTools(), policyFiles: false });
    expect((await session.exec(SELF_SIGNED)).exitCode).toBe(0);
    for (const [name, command] of CLIENTS) {
      const outcome = await host.call({ toolName: 'shell', args: { command } });
      expect([name, JSON.stringify(outcome)]).toEqual([name, expect.stringContaining("caCertificates: 'host'")]);
    }
  });
});

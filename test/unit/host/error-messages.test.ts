import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { errorOf } from './outcomes.js';
import { plainSandbox } from './test-sandbox.js';

const workspace = mkdtempSync(join(tmpdir(), 'caisson-messages-'));
const link = `${workspace}-link`;
symlinkSync(workspace, link);
afterAll(() => {
  rmSync(link);
  rmSync(workspace, { recursive: true });
});

const home = homedir();

async function messageOf(thrown: unknown, options: { boxed?: boolean; workspace?: string } = {}): Promise<string> {
  const fail = () => {
    throw thrown;
  };
  const tool = defineTool({
    name: 'failing',
    description: 'Fails',
    input: z.object({}),
    execute: fail,
    sandboxExecute: fail,
    requiresSandbox: options.boxed ?? false,
  });
  const host = createToolHost({ tools: tool, sandbox: plainSandbox(), workspace: options.workspace ?? workspace });
  return errorOf(await host.call({ toolName: 'failing', args: {} })).message;
}

describe('the message of a tool that failed on the host', () => {
  it.each([
    ['a file of the workspace', `no such file: ${workspace}/src/a.ts`, 'no such file: /workspace/src/a.ts'],
    ['the workspace itself', `cannot read '${workspace}'`, "cannot read '/workspace'"],
    ['a name that only begins as the workspace does', `open '${workspace}-2/a'`, "open 'a'"],
    ['a file of the home directory', `ENOENT: open '${home}/my keys/id_rsa'`, "ENOENT: open 'id_rsa'"],
    ['a temporary file', `open ${tmpdir()}/x-1/state.json failed`, 'open state.json failed'],
    ['a file of the program', `cannot load ${process.cwd()}/src/secret-name.ts:3:9`, 'cannot load secret-name.ts:3:9'],
    ['a package', 'bad module /srv/app/node_modules/left-pad/index.js', 'bad module index.js'],
    ['a file URL', `at ${pathToFileURL(`${home}/a b.mjs`)}, line 3`, 'at a b.mjs, line 3'],
    ['a file URL into the workspace', `see ${pathToFileURL(`${workspace}/a.md`)}`, 'see /workspace/a.md'],
    ['a path inside a quoted command', `'/bin/sh -c ${home}/run.sh' failed`, "'/bin/sh -c run.sh' failed"],
    ['several paths', `${home}/a -> ${workspace}/b`, 'a -> /workspace/b'],
  ])('does not name %s', async (_, thrown, told) => {
    expect(await messageOf(new Error(thrown))).toBe(told);
  });

  it.each([
    'open /etc/hosts: permission denied',
    'GET https://example.com/home/me/x failed',
    `relative/${home.slice(1)}/x`,
    'a/b or c/d, 1/2',
    'wait\n  at least 5 seconds\n  at noon',
    'find /workspace/src/a.ts',
  ])('stays as it is where it names nothing private: %j', async (message) => {
    expect(await messageOf(new Error(message))).toBe(message);
  });

  it('holds no frame of a stack', async () => {
    const error = new Error('inner');
    expect(await messageOf(new Error(`Could not run: ${error.stack}`))).toBe('Could not run: Error: inner');
    expect(await messageOf('E\n    at f (native)\n    at async Promise.all (index 0)\n    at <anonymous>\nmore')).toBe(
      'E\nmore',
    );
  });

  it('knows the workspace by the name it was given and by its real one', async () => {
    const message = `${link}/a and ${workspace}/b`;
    expect(await messageOf(new Error(message), { workspace: link })).toBe('/workspace/a and /workspace/b');
  });

  it('is cleaned in no time, however long and odd it is', async () => {
    const started = performance.now();
    for (const piece of ["'/", '"/`/', '\n    at ', `${home}/`, 'file:///', '/']) {
      await messageOf(new Error(piece.repeat(200_000)));
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('the message of a tool whose work is in the sandbox', () => {
  it('keeps the paths that a sandbox has too', async () => {
    const message = 'cannot open /workspace/a, /tmp/b, /home/agent/c or /usr/bin/node';
    expect(await messageOf(new Error(message), { boxed: true })).toBe(message);
  });

  it('names no place of the host all the same', async () => {
    expect(await messageOf(new Error(`open '${workspace}/a' in ${process.cwd()}/b`), { boxed: true })).toBe(
      "open '/workspace/a' in b",
    );
  });
});

describe('what was thrown', () => {
  it('comes whole to whoever listens, and neither to the model nor into the audit log', async () => {
    const thrown = Object.assign(new Error(`secret at ${home}/x`), { detail: 'hidden detail' });
    const events: HostEvent[] = [];
    const lines: string[] = [];
    const audit = createAuditLog({ write: (line) => lines.push(line) });
    const tool = defineTool({
      name: 'failing',
      description: 'Fails',
      input: z.object({}),
      execute: () => {
        throw thrown;
      },
    });
    const host = createToolHost({
      tools: tool,
      onEvent: (event) => {
        events.push(event);
        audit(event);
      },
    });
    const outcome = await host.call({ toolName: 'failing', args: {} });
    const finished = events.find((event) => event.type === 'call.finished');
    expect(finished?.type === 'call.finished' && finished.cause).toBe(thrown);
    expect(JSON.stringify(outcome)).not.toMatch(/hidden detail|error-messages/);
    expect('cause' in outcome).toBe(false);
    expect(lines.join('')).not.toMatch(/hidden detail|cause/);
  });

  it('is absent from the event of a call that a rule refused', async () => {
    const finished: HostEvent[] = [];
    const tool = defineTool({ name: 'a', description: 'A', input: z.object({}), execute: () => 1 });
    const host = createToolHost({
      tools: tool,
      permissions: { deny: ['a'] },
      onEvent: (event) => void (event.type === 'call.finished' && finished.push(event)),
    });
    await host.call({ toolName: 'a', args: {} });
    expect(finished).toHaveLength(1);
    expect('cause' in (finished[0] ?? {})).toBe(false);
  });
});

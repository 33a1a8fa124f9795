import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ToolHost, ToolHostOptions } from '../../../src/host/types.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { codingTools } from '../../../src/tools/index.js';

const hosts: { host: ToolHost; end: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const { end } of hosts.splice(0)) await end();
});

interface CodingHostOptions extends Omit<ToolHostOptions, 'sandbox' | 'workspace'> {
  /** Files that are there before any rule holds. */
  files?: Record<string, string>;
}

/** A host with the coding tools over a sandbox of its own that starts empty; ends with the test. */
export function codingHost({ files, ...options }: CodingHostOptions = {}): ToolHost {
  const workspace = files === undefined ? undefined : directoryWith(files);
  const sandbox = createIsolateSandbox(workspace === undefined ? { workspaceMode: 'memory' } : { workspace });
  const host = createToolHost({ tools: codingTools(), ...options, sandbox });
  hosts.push({
    host,
    end: async () => {
      await host.dispose();
      await sandbox.dispose();
      if (workspace !== undefined) rmSync(workspace, { recursive: true, force: true });
    },
  });
  return host;
}

function directoryWith(files: Record<string, string>): string {
  const workspace = mkdtempSync(join(tmpdir(), 'caisson-provider-test-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  return workspace;
}

/** Puts a file there. */
export async function put(host: ToolHost, path: string, content: string | Uint8Array): Promise<void> {
  await host.sandbox?.fs.writeFile(path, content);
}

/** The text of a file, byte for byte; `undefined` when there is none. */
export async function textOf(host: ToolHost, path: string): Promise<string | undefined> {
  const bytes = await host.sandbox?.fs.readFile(path);
  return bytes === null || bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

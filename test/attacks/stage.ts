import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { ToolHost, ToolHostOptions } from '../../src/host/types.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import type { IsolateSandboxOptions } from '../../src/sandbox/isolate/options.js';
import { codingTools } from '../../src/tools/coding-tools.js';

const MiB = 1024 * 1024;

/** Where an attack happens: everything made here is ended and removed when the attack is over. */
export interface Stage extends AsyncDisposable {
  /** A session with little memory and little time, so that attacks on both end soon. */
  sandbox(options?: IsolateSandboxOptions): SandboxSession;
  /** A host with the coding tools, over a session of `sandbox()` unless another is given. */
  host(options?: ToolHostOptions): ToolHost;
  /** A directory to be the workspace, with a secret beside it that nothing inside may ever show. */
  project(files?: Record<string, string>): Project;
  /** An empty directory of the host. */
  directory(): string;
  /** Done at the end, last first. */
  defer(cleanUp: () => unknown): void;
}

export interface Project {
  /** Host path of the workspace. */
  root: string;
  /** Host directory beside the workspace; it holds `secret.txt`. */
  outside: string;
  /** Content of `secret.txt`. */
  secret: string;
  /** Host path of something in the workspace. */
  at(path: string): string;
}

export function openStage(): Stage {
  const cleanUps: (() => unknown)[] = [];
  const defer = (cleanUp: () => unknown) => void cleanUps.push(cleanUp);
  const directory = () => {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'caisson-attack-')));
    defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
    return path;
  };
  const sandbox = (options: IsolateSandboxOptions = {}) => {
    const session = createIsolateSandbox({
      timeoutMs: 10_000,
      ...options,
      limits: { memoryBytes: 256 * MiB, ...options.limits },
    });
    defer(() => session.dispose());
    return session;
  };
  const host = (options: ToolHostOptions = {}) => {
    const made = createToolHost({ sandbox: options.sandbox ?? sandbox(), tools: codingTools(), ...options });
    defer(() => made.dispose());
    return made;
  };
  return {
    sandbox,
    host,
    directory,
    defer,
    project: (files = {}) => createProject(directory(), files),
    async [Symbol.asyncDispose]() {
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    },
  };
}

function createProject(base: string, files: Record<string, string>): Project {
  const root = join(base, 'workspace');
  const outside = join(base, 'outside');
  const secret = `host-secret-${crypto.randomUUID()}`;
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), secret);
  const at = (path: string) => join(root, path);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  return { root, outside, secret, at };
}

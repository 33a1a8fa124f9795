import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import { IsolateSession } from '../../src/sandbox/isolate/isolate-session.js';
import { privateDirectoryParent } from '../../src/sandbox/private-directory.js';
import { describeSandboxContract } from './suite/index.js';

const run = promisify(execFile);

/** Every worker process of this test process. */
async function workers(): Promise<string[]> {
  const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', 'guest/worker']).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').filter((line) => line !== '');
}

/** Kills the workers of one session from outside and waits until they are gone. */
async function crash(session: SandboxSession): Promise<void> {
  if (!(session instanceof IsolateSession)) throw new Error('Expected a session of the isolate backend');
  const pids = session.processIds();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  for (const pid of pids) {
    while ((await workers()).includes(String(pid))) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describeSandboxContract(
  { describe, it, expect, afterAll },
  {
    name: 'isolate',
    workspaceModes: ['direct', 'overlay', 'memory'],
    create: (options) => createIsolateSandbox(options),
    leftovers: async () => [...(await workers()), ...(await privateDirectories())],
    crash,
  },
);

async function privateDirectories(): Promise<string[]> {
  const { path } = privateDirectoryParent();
  return (await readdir(path)).filter((name) => name.startsWith(`caisson-session-${process.pid}-`));
}

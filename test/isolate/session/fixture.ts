import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { IsolateSession } from '../../../src/sandbox/isolate/isolate-session.js';
import { type IsolateSandboxOptions, readOptions } from '../../../src/sandbox/isolate/options.js';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A session that is disposed after the test. */
export function session(options: IsolateSandboxOptions = {}): IsolateSession {
  const made = new IsolateSession(readOptions(options));
  cleanups.push(() => made.dispose());
  return made;
}

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'caisson-session-test-'));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

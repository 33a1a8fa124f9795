import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Check } from './check.js';

const PROBE = `const ivm = require(process.argv[1]); new ivm.Isolate().dispose(); console.log('loaded');`;

/** Loads isolated-vm in a child process: a broken build can end the process that tries. */
export async function isolatedVmCheck(): Promise<Check> {
  const name = 'isolated-vm';
  const resolved = resolveModule();
  if (resolved === undefined) {
    return {
      name,
      status: 'problem',
      detail: 'not installed',
      fix: 'Run npm install isolated-vm, without --omit=optional or --ignore-scripts',
    };
  }
  const failure = await probe(resolved);
  if (failure === undefined) return { name, status: 'ok', detail: 'loads and makes an isolate' };
  return {
    name,
    status: 'problem',
    detail: failure,
    fix: 'Run npm rebuild isolated-vm; it needs Node 24 or 26 and its install script',
  };
}

function resolveModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('isolated-vm');
  } catch {
    return undefined;
  }
}

function probe(modulePath: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const args = ['--no-node-snapshot', '-e', PROBE, modulePath];
  execFile(process.execPath, args, { timeout: 20_000, env: {} }, (error, stdout, stderr) => {
    if (error === null && stdout.includes('loaded')) resolve(undefined);
    else resolve(lastLine(stderr) ?? error?.message ?? 'the probe said nothing');
  });
  return promise;
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .find((line) => /error/i.test(line))
    ?.slice(0, 300);
}

import { describe, expect, it } from 'vitest';
import type { SandboxCapabilities } from '../../src/sandbox/contract.js';
import { createBrokenSandbox } from './broken-sandbox.js';
import { createCollectingApi } from './collecting-api.js';
import { describeAdapterContract, describeSandboxContract } from './suite/index.js';
import { INSPECT_CHECKS } from './suite/inspect-checks.js';

const NOTHING: SandboxCapabilities = {
  isolation: 'none',
  shell: 'sh',
  network: 'full',
  workspaceMode: 'memory',
  backgroundProcesses: false,
  signals: false,
  fileModes: false,
  specialFiles: false,
  writableStdin: false,
  evaluate: false,
  snapshots: false,
  users: false,
  limits: {
    timeoutMs: false,
    memoryBytes: false,
    maxProcesses: false,
    maxDiskBytes: false,
    maxDiskEntries: false,
    maxOutputBytes: false,
  },
};

const EVERYTHING: SandboxCapabilities = {
  ...NOTHING,
  isolation: 'container',
  shell: 'bash',
  network: 'none',
  backgroundProcesses: true,
  signals: true,
  fileModes: true,
  specialFiles: true,
  writableStdin: true,
  evaluate: true,
  snapshots: true,
  users: true,
  limits: {
    timeoutMs: true,
    memoryBytes: true,
    maxProcesses: true,
    maxDiskBytes: true,
    maxDiskEntries: true,
    maxOutputBytes: true,
  },
};

function collect(capabilities: SandboxCapabilities) {
  const collected = createCollectingApi();
  const lines: string[] = [];
  describeSandboxContract(collected.api, {
    name: 'broken',
    capabilities,
    create: () => createBrokenSandbox(),
    report: (line) => lines.push(line),
  });
  return { ...collected, lines };
}

describe('the contract suite', () => {
  it("holds each of Inspect's 44 checks under a title of its own", () => {
    const titles = new Set(collect(EVERYTHING).tests.map(({ title }) => title));
    expect(Object.keys(INSPECT_CHECKS)).toHaveLength(44);
    expect(Object.values(INSPECT_CHECKS).filter((title) => !titles.has(title))).toEqual([]);
    expect(new Set(Object.values(INSPECT_CHECKS)).size).toBe(44);
  });

  it('gives every check a title of its own', () => {
    const titles = collect(EVERYTHING).tests.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('skips by named capability only, and prints each skip and a summary', async () => {
    const { tests, lines } = collect(NOTHING);
    const skipped = tests.filter(({ title }) => title.includes('(skipped: needs '));
    expect(skipped.length).toBeGreaterThan(20);
    const summary = tests.find(({ title }) => title.startsWith('skipped by capability: '));
    expect(summary?.title).toMatch(/backgroundProcesses \(\d+\)/);
    await summary?.body();
    expect(lines).toHaveLength(skipped.length + 1);
    expect(lines.at(-1)).toBe(`broken: ${skipped.length} checks ${summary?.title}`);
  });

  it('asks a framework that can skip to do so, with the reason', async () => {
    const reasons: string[] = [];
    const collected: ((context: unknown) => Promise<void>)[] = [];
    describeSandboxContract(
      {
        describe: (_name, body) => void body(),
        it: (title, body) => {
          if (title.includes('(skipped:')) collected.push(body);
        },
        expect: (value) => expect(value),
      },
      { name: 'broken', capabilities: NOTHING, create: () => createBrokenSandbox(), report: () => undefined },
    );
    for (const body of collected) await body({ skip: (reason: string) => reasons.push(reason) });
    expect(reasons).toContain('needs backgroundProcesses');
    expect(reasons).toHaveLength(collected.length);
  });

  it('asks a started session for its capabilities when the backend does not state them', async () => {
    const { api, tests, settled } = createCollectingApi();
    describeSandboxContract(api, { name: 'broken', create: () => createBrokenSandbox(), report: () => undefined });
    await settled();
    expect(tests.length).toBeGreaterThan(150);
  });

  it('has one failing check when the backend cannot start', async () => {
    const { api, tests, settled } = createCollectingApi();
    describeSandboxContract(api, {
      name: 'broken',
      create: () => {
        throw new Error('no engine');
      },
    });
    await settled();
    expect(tests.map(({ title }) => title)).toEqual(['starts']);
    await expect(tests[0]?.body()).rejects.toThrow('no engine');
  });

  it('fails, check by check, on a backend that does everything wrong', async () => {
    const { tests } = collect(await capabilitiesOfBroken());
    const passed: string[] = [];
    for (const { title, body } of tests) {
      if (title.includes('(skipped:') || title.startsWith('skipped by capability')) continue;
      await body().then(
        () => passed.push(title),
        () => undefined,
      );
    }
    expect(passed).toEqual(PASSED_BY_THE_BROKEN);
  });

  it('adapter part: fails, check by check, on an adapter that does everything wrong', async () => {
    const { api, tests } = createCollectingApi();
    describeAdapterContract(api, {
      name: 'broken',
      create: () => ({
        name: '',
        run: async () => ({ stdout: 'ok', stderr: '', exitCode: 0 }),
        writeFile: async () => undefined,
      }),
    });
    const outcomes = await Promise.allSettled(tests.map(({ body }) => body()));
    expect(tests).toHaveLength(10);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});

async function capabilitiesOfBroken(): Promise<SandboxCapabilities> {
  const sandbox = createBrokenSandbox();
  await sandbox.start();
  return sandbox.capabilities;
}

/** What even a backend that lies about everything does: it answers, and it can be ended. */
const PASSED_BY_THE_BROKEN: readonly string[] = ['ends the shared session'];

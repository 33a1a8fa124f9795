import { rm } from 'node:fs/promises';
import type { SandboxCapabilities, WorkspaceMode } from '../../../src/sandbox/contract.js';
import type { Contract } from './contract.js';
import { CONTRACT_PARTS, type ContractBackend, type ContractPart } from './contract-backend.js';
import { type ContractRun, createContract, makeWorkspace } from './create-contract.js';
import { describeCommands } from './parts/commands.js';
import { describeEvaluate } from './parts/evaluate.js';
import { describeFiles } from './parts/files.js';
import { describeLifecycle } from './parts/lifecycle.js';
import { describeSearch } from './parts/search.js';
import { describeSurvival } from './parts/survival.js';
import { describeTools } from './parts/tools.js';
import { describeWorkspace } from './parts/workspace.js';
import type { TestApi } from './test-api.js';

/** Parts that depend on where the workspace's files are, and so are run again in every further mode. */
const MODE_PARTS: readonly ContractPart[] = ['files', 'search', 'workspace'];

const PARTS: Record<ContractPart, (contract: Contract) => void> = {
  lifecycle: describeLifecycle,
  commands: describeCommands,
  files: describeFiles,
  search: describeSearch,
  workspace: describeWorkspace,
  tools: describeTools,
  evaluate: describeEvaluate,
  survival: describeSurvival,
};

/**
 * Registers every check of the sandbox contract for one backend. The whole suite runs in the first of
 * `backend.workspaceModes`, the parts about files again in each of the others. A check is skipped only when the
 * backend lacks a named capability; each skip is a title of its own and a reported line.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from 'vitest';
 * import { describeSandboxContract } from 'caisson/testing';
 *
 * describeSandboxContract({ describe, it, expect }, { name: 'mine', create: (options) => createMySandbox(options) });
 * ```
 */
export function describeSandboxContract(api: TestApi, backend: ContractBackend): void {
  const modes = backend.workspaceModes ?? ['memory'];
  const [first, ...others] = modes;
  if (first === undefined) throw new RangeError(`Cannot describe '${backend.name}': workspaceModes is empty`);
  const parts = backend.parts ?? CONTRACT_PARTS;
  describeMode(api, backend, { mode: first, parts });
  for (const mode of others) {
    describeMode(api, backend, { mode, parts: MODE_PARTS.filter((part) => parts.includes(part)) });
  }
}

function describeMode(
  api: TestApi,
  backend: ContractBackend,
  run: { mode: WorkspaceMode; parts: readonly ContractPart[] },
): void {
  const title = `the sandbox contract: ${backend.name}, ${run.mode} workspace`;
  const { capabilities } = backend;
  if (capabilities !== undefined) {
    api.describe(title, () => registerParts(api, backend, { ...run, capabilities }));
    return;
  }
  api.describe(title, async () => {
    const probed = await probe(backend, run.mode);
    if ('error' in probed) {
      api.it('starts', async () => Promise.reject(probed.error));
      return;
    }
    registerParts(api, backend, { ...run, capabilities: probed.capabilities });
  });
}

/** Capabilities are conservative until a session has started. */
async function probe(
  backend: ContractBackend,
  mode: WorkspaceMode,
): Promise<{ capabilities: SandboxCapabilities } | { error: unknown }> {
  const workspace = mode === 'memory' ? undefined : await makeWorkspace(backend);
  try {
    const session = await backend.create({ workspaceMode: mode, ...(workspace !== undefined && { workspace }) });
    try {
      await session.start();
      return { capabilities: session.capabilities };
    } finally {
      await session.dispose();
    }
  } catch (error) {
    return { error };
  } finally {
    if (workspace !== undefined) await rm(workspace, { recursive: true, force: true });
  }
}

function registerParts(
  api: TestApi,
  backend: ContractBackend,
  run: { mode: WorkspaceMode; parts: readonly ContractPart[]; capabilities: SandboxCapabilities },
): void {
  const contractRun = createContract(api, backend, { mode: run.mode, capabilities: run.capabilities });
  for (const part of run.parts) PARTS[part](contractRun.contract);
  api.describe('skips', () => summarise(api, contractRun, backend));
  closeAtEnd(api, contractRun);
}

function summarise(api: TestApi, { skips }: ContractRun, backend: ContractBackend): void {
  const report = backend.report ?? ((line: string) => process.stdout.write(`${line}\n`));
  const byNeed = Map.groupBy(skips, ({ need }) => need);
  const summary = [...byNeed].map(([need, checks]) => `${need} (${checks.length})`).join(', ') || 'none';
  api.it(`skipped by capability: ${summary}`, async () => {
    for (const { title, need } of skips) report(`skipped: ${title}: needs ${need}`);
    report(`${backend.name}: ${skips.length} checks skipped by capability: ${summary}`);
  });
}

function closeAtEnd(api: TestApi, run: ContractRun): void {
  if (api.afterAll !== undefined) {
    api.afterAll(run.close);
    return;
  }
  api.describe('end', () => {
    api.it('ends the shared session', run.close);
  });
}

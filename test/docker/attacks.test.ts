import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { archiveAttacks } from './attacks/archive.js';
import type { Stage } from './attacks/attack.js';
import { escapeAttacks } from './attacks/escape.js';
import { fileAttacks } from './attacks/file-system.js';
import { lifecycleAttacks } from './attacks/lifecycle.js';
import { protocolAttacks } from './attacks/protocol.js';
import { resourceAttacks } from './attacks/resource.js';
import { runAttacks } from './attacks/run.js';
import { searchAttacks } from './attacks/search.js';
import { describeOnDocker } from './engine.js';
import { makeWorkspace } from './workspaces.js';

interface Case {
  id: string;
  call: string;
  expect: string;
}

const CASES = readFileSync(join(import.meta.dirname, 'cases/attacks.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

const ATTACKS = {
  ...escapeAttacks,
  ...resourceAttacks,
  ...protocolAttacks,
  ...archiveAttacks,
  ...lifecycleAttacks,
  ...fileAttacks,
  ...searchAttacks,
  ...runAttacks,
};

/** Cases that another test stands for, or that this machine cannot show; each says which. */
const ELSEWHERE: Record<string, string> = {
  'DOC-015':
    'the runtime runsc is not installed where these tests run; an engine without it refuses the option by name',
  'DOC-077': 'needs to kill the engine that other tests use: engine-restart.test.ts, with an engine of its own',
  'DOC-078': 'as DOC-077',
  'RUN-016': 'contract.test.ts runs the whole suite',
};

describeOnDocker('attacks on the Docker sandbox', (engine) => {
  const shared: { sandbox?: SandboxSession } = {};
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
    await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
  });
  afterAll(() => shared.sandbox?.dispose());

  const stage = (): Stage => {
    shared.sandbox ??= createDockerSandbox();
    return {
      engine,
      sandbox: shared.sandbox,
      open: async (options) => {
        const session = createDockerSandbox(options);
        sessions.push(session);
        return session;
      },
      workspace: async () => {
        const directory = await makeWorkspace();
        directories.push(directory);
        return directory;
      },
    };
  };

  for (const { id, call, expect: wanted } of CASES) {
    const attack = ATTACKS[id];
    const elsewhere = ELSEWHERE[id];
    if (attack !== undefined) it(`${id}: ${call} → ${wanted}`, () => attack(stage()), 60_000);
    else if (elsewhere !== undefined) describe.skip(`${id}: ${elsewhere}`, () => it(call, () => {}));
    else it(`${id}: ${call}`, () => expect.unreachable('This case has no test'));
  }

  it('DOC-010: options and mounts that weaken the sandbox are refused with a reason', () =>
    ATTACKS['DOC-010']?.(stage()));
});

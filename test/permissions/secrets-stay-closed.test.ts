import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import { describeLeaks } from './describe-leaks.js';
import { FILES } from './leak-cases.js';

for (const workspaceMode of ['direct', 'overlay'] as const) {
  describeLeaks('the isolate', {
    workspaceMode,
    enforcement: 'file gate',
    async open() {
      const root = mkdtempSync(join(tmpdir(), 'secrets-'));
      for (const [path, content] of Object.entries(FILES)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
      const session = createIsolateSandbox({ workspace: root, workspaceMode });
      return { session, root, close: async () => rmSync(root, { recursive: true }) };
    },
  });
}

describeLeaks('the isolate', {
  workspaceMode: 'memory',
  enforcement: 'file gate',
  async open() {
    const session = createIsolateSandbox({});
    for (const [path, content] of Object.entries(FILES)) await session.fs.writeFile(path, content);
    return { session, close: async () => {} };
  },
});

describe('the argv gate of the isolate', () => {
  let sandbox: SandboxSession;
  beforeAll(() => {
    sandbox = createIsolateSandbox({});
    const { denyCommands, ...plan } = createToolHost({
      permissions: {
        deny: [{ tool: 'shell', command: 'rm -rf:*', reason: 'One by one' }, 'shell(seq 1 2:*)', 'shell(touch:*)'],
      },
      protectedPaths: false,
      policyFiles: false,
    }).permissions.plan();
    sandbox.enforce({ ...plan, denyCommands: denyCommands ?? [] });
  });
  afterAll(() => sandbox.dispose());

  it.each([
    'rm -rf x',
    'rm -r -f x',
    'rm x --force --recursive',
    'C=rm; $C -fr x',
    'echo x | xargs rm -rf',
    'find . -maxdepth 0 -exec rm -rf x \\;',
    'bash -c "rm -Rf x"',
    'r""m -rf x',
    'env rm -rf x',
    '/bin/rm -rf x',
    'command rm -rf x',
    'touch x',
    'seq 1 2',
    'seq -s , 1 2',
  ])('sees the final words of %s', async (command) => {
    const { stderr } = await sandbox.exec(command);
    expect(stderr).toContain('denied by the rule');
  });

  it.each(['rm -f x', 'rm -r x 2>/dev/null; true', 'seq 2 1 2', 'echo rm -rf x'])('lets %s run', async (command) => {
    const { stderr } = await sandbox.exec(command);
    expect(stderr).not.toContain('denied by the rule');
  });

  it('answers with the reason, and as a shell does for what may not be run', async () => {
    const { stderr, exitCode } = await sandbox.exec('rm -rf x');
    expect(stderr).toBe("bash: rm: denied by the rule 'shell(rm -rf:*)' (One by one)\n");
    expect(exitCode).toBe(126);
  });
});

/** Words that a shell takes as its own, whatever programs there are. */
const OWN =
  `. : [ [[ ! { alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs
  disown enable eval exec exit export fc fg for function getopts hash help history if jobs let local logout mapfile popd
  pushd read readarray readonly return select set shift shopt source suspend test time times trap type typeset ulimit umask
  unalias unset until wait while true false`.split(/\s+/);

describe('what is said to hold of a command rule in the isolate', () => {
  it('holds, for every word that its shell runs', async () => {
    await using listing = createIsolateSandbox({});
    const there = (await listing.exec('compgen -c; ls /bin /usr/bin')).stdout.split(/\s+/);
    const words = [...new Set([...OWN, ...there])].filter((word) => /^[^/:]+$/.test(word) || word === ':');
    expect(words.length).toBeGreaterThan(100);
    const claimed = words.filter((word) => {
      const host = createToolHost({ permissions: { deny: [{ tool: 'shell', command: word }] }, policyFiles: false });
      const [rule] = host.permissions.describe({ name: 'isolate', workspaceMode: 'memory' });
      return rule?.enforcement.holds === true;
    });
    expect(claimed).toEqual(expect.arrayContaining(['true', 'false', 'pwd', 'echo', 'printf', 'env', 'xargs', 'bash']));
    const { denyCommands = [] } = createToolHost({
      permissions: { deny: claimed.map((command) => ({ tool: 'shell' as const, command })) },
      protectedPaths: false,
      policyFiles: false,
    }).permissions.plan();
    await using sandbox = createIsolateSandbox({ plan: { denyRead: [], denyWrite: [], denyCommands } });
    const script = claimed.flatMap((word) => [`w=${word.slice(0, 1)}; \${w}${word.slice(1)} x`, word]).join('\n');
    const { stderr } = await sandbox.exec(script);
    for (const word of claimed)
      expect([word, stderr.split(`bash: ${word}: denied by the rule`).length - 1]).toEqual([word, 2]);
  });
});

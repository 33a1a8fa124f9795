// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { HostEvent, ToolHost } from '../../src/host/types.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import { codingTools } from '../../src/tools/coding-tools.js';

const SECRET = 'canary-7f3a91c4e8';
/** Each form of a read rule in the case file, and where a file is that it denies. */
const SECRETS: readonly (readonly [rule: string, path: string])[] = [
  ['read_file(.env)', '.env'],
  ['read_file(.env)', 'packages/api/.env'],
  ['read_file(secrets/**)', 'secrets/prod/key.json'],
  ['read_file(**/*.pem)', 'certs/TLS.pem'],
  ['read_file(/private/token.txt)', 'private/token.txt'],
  ['read_file(./local.cfg)', 'local.cfg'],
];
const PLACES = [...new Set(SECRETS.map(([, path]) => path))];

/** Ways to a file's content, with its path in `F`. */
const COMMANDS = [
  'cat "$F"',
  'F2=$F; cat $F2',
  'grep -r canary . ; grep -rn "" .',
  'cat < "$F"; echo "$(<"$F")"',
  'cp "$F" copy.txt; cat copy.txt',
  'mv "$F" moved.txt; cat moved.txt',
  'ln -s "$F" link.txt; cat link.txt; ln "$F" hard.txt; cat hard.txt',
  'while read -r line; do echo "$line"; done < "$F"; mapfile -t a < "$F"; echo "${a[@]}"',
  'tar cf all.tar . ; cat all.tar; tar cf - "$F"',
  'find . -type f -exec cat {} +; find . -type f | xargs cat',
  'cat .e* */*/.e* .[a-z]* s*/*/* c*/* p*/* l*.cfg',
  'base64 "$F"; xxd "$F"; od -c "$F"; sed -n p "$F"; awk 1 "$F"; sort "$F"; head -c 99 "$F"; strings "$F"',
  'cd "$(dirname "$F")" && cat "$(basename "$F")"; cat ./"$(basename "$F")"',
  'eval "cat $F"; bash -c "cat $F"; . "./$F"',
  'diff /dev/null "$F"; cat nonexistent "$F" 2>&1; wc "$F"; md5sum "$F" >/dev/null; rg canary',
  'gzip -c "$F" | gunzip -c; cp -r . /tmp/all; cat /tmp/all/"$F"; cp -a secrets /tmp/s; cat /tmp/s/*/*',
];

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), 'secrets-'));
  for (const path of PLACES) {
    mkdirSync(join(workspace, path, '..'), { recursive: true });
    writeFileSync(join(workspace, path), `TOKEN=${SECRET}\n`);
  }
  writeFileSync(join(workspace, 'README.md'), 'nothing here\n');
});
afterAll(() => rmSync(workspace, { recursive: true }));

describe.each(['direct', 'overlay'] as const)('on the isolate in %s mode', (workspaceMode) => {
  let sandbox: SandboxSession;
  let host: ToolHost;
  const events: HostEvent[] = [];
  beforeAll(() => {
    sandbox = createIsolateSandbox({ workspace, workspaceMode });
    host = createToolHost({
      sandbox,
      workspace,
      tools: codingTools(),
      permissions: { deny: [...new Set(SECRETS.map(([rule]) => rule))] },
      onEvent: (event) => events.push(event),
    });
  });
  afterAll(async () => {
    await host.dispose();
    await sandbox.dispose();
  });

  it.each(COMMANDS)(
    'no command shows what a rule denies: %s',
    async (command) => {
      for (const path of PLACES) {
        // The text check is gone round: what counts is the mechanism.
        const direct = await sandbox.exec(command, { env: { F: path } });
        expect(direct.stdout + direct.stderr).not.toContain(SECRET);
        expect(direct.stdout + direct.stderr).not.toContain(
          Buffer.from(`TOKEN=${SECRET}`).toString('base64').slice(0, 16),
        );
        const outcome = await host.call({ toolName: 'shell', args: { command: `F=${path}; ${command}` } });
        expect(JSON.stringify(outcome)).not.toContain(SECRET);
      }
    },
    120_000,
  );

  it('no tool does', async () => {
    for (const path of PLACES) {
      for (const [toolName, args] of [
        ['read_file', { path }],
        ['read_file', { path: `./${path.toUpperCase()}` }],
        ['edit_file', { path, old_string: 'TOKEN', new_string: 'X' }],
        ['grep', { pattern: 'canary' }],
        ['grep', { pattern: 'TOKEN', path: path.includes('/') ? path.slice(0, path.indexOf('/')) : '.' }],
        ['glob', { pattern: '**/*' }],
        ['list_dir', { path: '.' }],
      ] as const) {
        expect(JSON.stringify(await host.call({ toolName, args }))).not.toContain(SECRET);
      }
    }
  }, 120_000);

  it('nor events, nor the changes of the session', async () => {
    expect(JSON.stringify(events)).not.toContain(SECRET);
    if (workspaceMode === 'overlay') expect(JSON.stringify(await sandbox.changes())).not.toContain(SECRET);
  });

  it('a command that only could touch a denied path runs, and the sandbox answers for the path', async () => {
    const outcome = await host.call({
      toolName: 'shell',
      args: { command: 'cat README.md; F=README.md; cat "$F"; grep -rc here . | head -1' },
    });
    expect(outcome.status).toBe('ok');
    const refused = await host.call({ toolName: 'shell', args: { command: 'cat .env' } });
    expect(refused.decision).toMatchObject({
      effect: 'deny',
      enforcement: 'file gate',
      rule: { text: 'read_file(.env)' },
    });
  });
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

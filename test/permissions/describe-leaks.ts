import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditLog } from '../../src/host/audit-log.js';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { HostEvent, ToolHost } from '../../src/host/types.js';
import type { SandboxSession, WorkspaceMode } from '../../src/sandbox/contract.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { COMMANDS, FILES, ONLY_REMOVES, PLACES, placesFor, RULES, reveals, WALKS } from './leak-cases.js';

export interface LeakCase {
  workspaceMode: WorkspaceMode;
  /** What holds the rules against commands; `text only`: nothing does. */
  enforcement: 'file gate' | 'mask' | 'overlay' | 'text only';
  /** A session whose workspace holds the files, no rules yet; `root` is the directory, where there is one. */
  open(): Promise<{ session: SandboxSession; root?: string; close(): Promise<void> }>;
}

/** Tries to read what the rules deny, in every way that is known, and looks for it everywhere that anything is shown. */
export function describeLeaks(name: string, { workspaceMode, enforcement, open }: LeakCase): void {
  const holds = enforcement !== 'text only';
  describe(`${name} in ${workspaceMode} mode`, () => {
    let opened: Awaited<ReturnType<LeakCase['open']>>;
    let host: ToolHost;
    const events: HostEvent[] = [];
    const lines: string[] = [];
    beforeAll(async () => {
      opened = await open();
      const audit = createAuditLog({ write: (line) => lines.push(line), previewCharacters: 2_000 });
      host = createToolHost({
        sandbox: opened.session,
        ...(opened.root === undefined ? {} : { workspace: opened.root }),
        tools: codingTools(),
        permissions: { deny: RULES },
        policyFiles: false,
        onEvent: (event) => {
          events.push(event);
          audit(event);
        },
      });
      await host.ready();
    }, 60_000);
    afterAll(async () => {
      await host.dispose();
      await opened.session.dispose();
      await opened.close();
    }, 60_000);

    /** The text check is gone round: what counts is the mechanism. */
    const run = (command: string, path: string) =>
      opened.session.exec(command, { env: { F: path }, timeoutMs: 20_000 }).then(
        ({ stdout, stderr }) => stdout + stderr,
        (error: Error) => error.message,
      );

    it.each(holds ? COMMANDS : [])(
      'no command shows what a rule denies: %s',
      async (command) => {
        for (const path of placesFor(command)) {
          const shown = await run(command, path);
          expect([path, shown, reveals(shown)]).toEqual([path, shown, false]);
        }
      },
      180_000,
    );

    // Each is a way to the content where nothing holds the rules: else the tests above would prove nothing.
    it.each(holds ? [] : COMMANDS.filter((command) => command !== ONLY_REMOVES))(
      'without a mechanism this shows it: %s',
      async (command) => {
        const shown: string[] = [];
        for (const path of placesFor(command)) {
          for (const [name, content] of Object.entries(FILES)) await opened.session.fs.writeFile(name, content);
          shown.push(await run(command, path));
          if (reveals(shown)) break;
        }
        expect([shown, reveals(shown)]).toEqual([shown, true]);
      },
      60_000,
    );

    it.each(holds ? COMMANDS : COMMANDS.filter((command) => !WALKS.includes(command)))(
      'nor does a call of the shell tool: %s',
      async (command) => {
        for (const path of placesFor(command)) {
          const outcome = await host.call({ toolName: 'shell', args: { command: `F=${path}; ${command}` } });
          expect([path, reveals(outcome)]).toEqual([path, false]);
        }
      },
      180_000,
    );

    it('no other tool does', async () => {
      for (const path of PLACES) {
        const directory = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
        for (const [toolName, args] of [
          ['read_file', { path }],
          ['read_file', { path: `./${path.toUpperCase()}` }],
          ['read_file', { path: `/workspace/${path}` }],
          ['edit_file', { path, old_string: 'TOKEN', new_string: 'X' }],
          ['write_file', { path: `${path}/x`, content: 'x' }],
          ['grep', { pattern: 'canary' }],
          ['grep', { pattern: 'TOKEN', path: directory }],
          ['grep', { pattern: 'TOKEN', path }],
          ['glob', { pattern: '**/*' }],
          ['list_dir', { path: directory }],
        ] as const) {
          expect([toolName, args, reveals(await host.call({ toolName, args }))]).toEqual([toolName, args, false]);
        }
      }
    }, 120_000);

    it('nor file calls of the session, nor what they answer when they fail', async () => {
      const { fs } = opened.session;
      for (const path of PLACES) {
        for (const call of [
          () => fs.readFile(path).then((bytes) => Buffer.from(bytes ?? '').toString()),
          () => fs.rename(path, 'README2.md'),
          () => fs.grep('canary', { ignoreDirectories: [] }),
          () => fs.grep('TOKEN', { path }),
        ]) {
          const shown = await call().catch((error: Error) => error.message);
          expect([path, reveals(shown)]).toEqual([path, false]);
        }
      }
    });

    it('nor the changes of the session, its events, or the audit log', async () => {
      if (holds && workspaceMode !== 'direct') expect(reveals(await opened.session.changes())).toBe(false);
      expect(events.length).toBeGreaterThan(50);
      expect(reveals(events)).toBe(false);
      expect(lines.length).toBeGreaterThan(50);
      expect(reveals(lines.join(''))).toBe(false);
    });

    it('says in its event what commands can go around, and decides by it', async () => {
      const started = events.find(({ type }) => type === 'sandbox.started') as { unenforced?: string[] };
      const open = (started.unenforced ?? []).filter((rule) => RULES.includes(rule));
      expect(open.sort()).toEqual(holds ? [] : [...RULES].sort());
      const could = await host.call({ toolName: 'shell', args: { command: 'F=README.md; cat "$F$UNKNOWN"' } });
      expect(could.status === 'ok').toBe(holds);
      const named = await host.call({ toolName: 'shell', args: { command: 'cat .env' } });
      expect(named.decision).toMatchObject({ effect: 'deny', enforcement, rule: { text: 'read_file(.env)' } });
    });

    if (!holds) return;

    it('no file that commands left behind has it, no snapshot, and nothing that is restored from one', async () => {
      const leftBehind = 'find . -type f -exec cat {} +; cat /tmp/* /tmp/*/* 2>/dev/null';
      expect(reveals(await run(leftBehind, ''))).toBe(false);
      if (workspaceMode === 'direct' || opened.session.snapshot === undefined) return;
      const id = await opened.session.snapshot();
      await opened.session.restore?.(id);
      expect(reveals(await run(leftBehind, ''))).toBe(false);
      expect(reveals(await run('cat "$F"; grep -r "" .', '.env'))).toBe(false);
    });
  });
}

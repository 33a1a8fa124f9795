import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PermissionLists } from '../permissions/rules/rule.js';
import type { SandboxSession, WorkspaceMode } from '../sandbox/contract.js';
import { MAX_TIMEOUT_MS } from '../sandbox/limits.js';
import { type BackendName, openNamedSession, startAutoSession } from '../sandbox/named-session.js';
import { noteColor } from './terminal/color.js';
import { escapeTerminal } from './terminal/escape.js';
import { printNote } from './terminal/print.js';
import { UsageError } from './usage-error.js';

/** What `call`, `shell` and `mcp` all take. */
export interface SandboxOptions {
  workspace?: string;
  workspaceMode?: WorkspaceMode;
  sandbox: BackendName | 'auto';
  deny: string[];
  ask: string[];
  allow: string[];
  timeout?: number;
}

/** Adds the options that say where a call runs and what it may do. */
export function addSandboxOptions(command: Command): Command {
  return command
    .option('-w, --workspace <dir>', 'directory the sandbox sees as /workspace (without it: an empty one in memory)')
    .addOption(
      new Option(
        '--workspace-mode <mode>',
        'direct writes to the directory, overlay keeps writes apart, memory starts empty',
      ).choices(['direct', 'overlay', 'memory']),
    )
    .addOption(
      new Option(
        '--sandbox <backend>',
        'where it runs; auto: docker where an engine and its image are there, else the isolate',
      )
        .choices(['isolate', 'docker', 'auto'])
        .default('isolate'),
    )
    .option('--deny <rule>', "forbid what the rule matches, e.g. 'read_file(**/.env)' (repeatable)", collect, [])
    .option('--ask <rule>', 'ask before what the rule matches (repeatable)', collect, [])
    .option('--allow <rule>', 'allow without asking (repeatable); never lifts a deny', collect, [])
    .option('--timeout <ms>', 'longest time of one command, milliseconds (default 120000)', milliseconds);
}

/** The sandbox the options describe; it starts on first use (`auto`: here), and the caller disposes it. */
export async function openSandbox(options: SandboxOptions): Promise<SandboxSession> {
  if (options.workspaceMode === 'memory' && options.workspace !== undefined) {
    throw new UsageError(
      '--workspace-mode memory starts empty and takes no --workspace; use overlay to leave it unchanged',
    );
  }
  if (options.workspaceMode !== undefined && options.workspaceMode !== 'memory' && options.workspace === undefined) {
    throw new UsageError(`--workspace-mode ${options.workspaceMode} needs --workspace: the directory to work on`);
  }
  const settings = {
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    ...(options.workspaceMode === undefined ? {} : { workspaceMode: options.workspaceMode }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
  };
  if (options.sandbox !== 'auto') return openNamedSession(options.sandbox, settings);
  const { session, passedOver } = await startAutoSession(settings);
  const others = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  printNote(noteColor.dim(escapeTerminal(`Sandbox ${session.name} (not taken: ${others})`)));
  return session;
}

/** The rules given on the command line. */
export function permissionsOf(options: SandboxOptions): PermissionLists {
  return { deny: options.deny, ask: options.ask, allow: options.allow };
}

function collect(rule: string, rules: string[]): string[] {
  return [...rules, rule];
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MAX_TIMEOUT_MS) {
    throw new InvalidArgumentError(`Give whole milliseconds between 1 and ${MAX_TIMEOUT_MS}`);
  }
  return value;
}

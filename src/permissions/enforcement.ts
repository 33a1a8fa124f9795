import type { WorkspaceMode } from '../sandbox/contract.js';
import { type CompiledRule, isProgramRule } from './rules/compiled-rule.js';
import type { Enforcement } from './rules/rule.js';
import { SHELL_TOOL } from './rules/tool-names.js';

/** Where calls run, as far as rules are concerned. `none`: a tool of the host's own, or a sandbox that holds no rules. */
export interface Backend {
  name: 'isolate' | 'docker' | 'none';
  workspaceMode: WorkspaceMode;
}

/** What a rule is about, as far as mechanisms go. */
export type RuleKind = 'tool' | 'path read' | 'path write' | 'path outside' | 'command' | 'command text' | 'domain';

export interface EnforcementRow {
  by: Enforcement;
  /** It holds whatever the command: a possible match need not be refused. */
  holds: boolean;
  /** Where it does not: nothing that is there, and that it is about, can be changed or removed all the same. */
  holdsExisting?: boolean;
  /** What it does not cover. */
  limit?: string;
}

const TEXT: EnforcementRow = { by: 'text only', holds: false, limit: 'a program that is run can go around it' };
const GATE: EnforcementRow = { by: 'tool gate', holds: true };
const FILE_GATE: EnforcementRow = {
  by: 'file gate',
  holds: true,
  limit: 'the same content under a name that no rule denies: copies made before, git objects',
};
const UNREACHABLE: EnforcementRow = { by: 'file gate', holds: true, limit: 'no such path exists in the sandbox' };
const NO_NETWORK: EnforcementRow = { by: 'no network', holds: true };
const ARGV_GATE: EnforcementRow = {
  by: 'argv gate',
  holds: true,
  limit: 'words that the shell handles itself (cd, export, eval, if, time) are no program',
};

const NO_RULES: ReadonlySet<string> = new Set();

type Rows = Readonly<Record<RuleKind, EnforcementRow>>;

const NONE: Rows = {
  tool: GATE,
  'path read': TEXT,
  'path write': TEXT,
  'path outside': TEXT,
  command: TEXT,
  'command text': TEXT,
  domain: GATE,
};
const ISOLATE: Rows = {
  tool: GATE,
  'path read': FILE_GATE,
  'path write': { by: 'file gate', holds: true },
  'path outside': UNREACHABLE,
  command: ARGV_GATE,
  'command text': TEXT,
  domain: NO_NETWORK,
};
const DOCKER = {
  tool: GATE,
  'path outside': {
    by: 'copied without it',
    holds: true,
    limit: "the host's path is not in the container, unless `mounts` brings it there",
  },
  command: TEXT,
  'command text': TEXT,
  domain: { ...NO_NETWORK, limit: "with network: 'full' the rule is text only" },
} as const;
const DOCKER_DIRECT: Rows = {
  ...DOCKER,
  'path read': {
    by: 'mask',
    holds: true,
    limit:
      'hard links, copies made before and git objects; what comes under such a name while a command runs is hidden from the next command on, and a command under which the host replaces a hidden file is ended',
  },
  'path write': {
    by: 'read-only mount',
    holds: false,
    holdsExisting: true,
    limit:
      'what exists when the container starts, and nothing in node_modules; a command can make what is missing, or put a link above it, which the event `sandbox.written` names',
  },
};
const DOCKER_OVERLAY: Rows = {
  ...DOCKER,
  'path read': {
    by: 'overlay',
    holds: true,
    limit:
      "hard links, copies made before and git objects; a file made inside under such a name is the sandbox's own; what the host makes under one is open to what runs at that moment and lets no further command start",
  },
  'path write': {
    by: 'overlay',
    holds: true,
    limit: "the sandbox's own copy can change; it is refused when the changes are written back",
  },
};
const NOTHING_OF_THE_HOST: EnforcementRow = {
  by: 'text only',
  holds: false,
  limit: 'nothing of the host is there; what was written in the sandbox a program can read and change',
};
const DOCKER_MEMORY: Rows = { ...DOCKER, 'path read': NOTHING_OF_THE_HOST, 'path write': NOTHING_OF_THE_HOST };

/** How a backend holds a kind of rule. The one place that says so: decisions, `explain()` and `policy doctor` read it. */
export function enforcementRow({ name, workspaceMode }: Backend, kind: RuleKind): EnforcementRow {
  switch (name) {
    case 'none':
      return NONE[kind];
    case 'isolate':
      return ISOLATE[kind];
    case 'docker':
      return { direct: DOCKER_DIRECT, overlay: DOCKER_OVERLAY, memory: DOCKER_MEMORY }[workspaceMode][kind];
  }
}

/** Rules of the other file tools are about the argument of a call: what a command does is none of their matter. */
const HELD_BY_PATH = new Set(['read_file', 'write_file', 'edit_file']);

/** What a rule is about. */
export function kindOf(compiled: CompiledRule): RuleKind {
  const { rule, insideWorkspace } = compiled;
  if (rule.domain !== undefined) return 'domain';
  if (rule.path !== undefined && HELD_BY_PATH.has(rule.tool)) {
    if (!insideWorkspace) return 'path outside';
    return rule.tool === 'write_file' || rule.tool === 'edit_file' ? 'path write' : 'path read';
  }
  if (rule.command === undefined || rule.tool !== SHELL_TOOL || rule.command === '*') return 'tool';
  return isProgramRule(compiled) ? 'command' : 'command text';
}

/** A path rule that this very sandbox does not hold, whatever its kind does. */
const UNHELD: EnforcementRow = { ...TEXT, limit: 'this sandbox could not be made to hold it' };

/** Docker mounts nothing over what was installed, or it could not be installed again. */
const INSTALLED: EnforcementRow = { ...TEXT, limit: 'nothing in node_modules is mounted read-only' };

/** By what one rule holds. Only a deny has a mechanism: the others are answers to a call. */
export function enforcementOf(
  rule: CompiledRule,
  backend: Backend,
  unenforced: ReadonlySet<string> = NO_RULES,
): EnforcementRow {
  const kind = kindOf(rule);
  if (kind.startsWith('path') && unenforced.has(rule.text)) return UNHELD;
  const isDirect = backend.name === 'docker' && backend.workspaceMode === 'direct';
  if (rule.rule.effect === 'deny' && isDirect && kind === 'path write' && namesInstalled(rule)) return INSTALLED;
  if (rule.rule.effect === 'deny') return enforcementRow(backend, kind);
  return kind.startsWith('command') || kind.startsWith('path') ? TEXT : GATE;
}

/** Whether the rule itself speaks of something in `node_modules`, and not of all of it. */
function namesInstalled({ plan }: CompiledRule): boolean {
  return plan.denyWrite.some(({ glob }) => /(^|\/)node_modules\/(?!\*\*$)/i.test(glob));
}

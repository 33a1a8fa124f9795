import type { Backend } from '../../permissions/enforcement.js';
import type { Policy, RuleDescription } from '../../permissions/policy.js';
import type { MaskCheck } from '../../sandbox/docker/names/check-masks.js';
import type { OtherName } from '../../sandbox/docker/names/find-other-names.js';
import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';

const BACKENDS: readonly (Backend & { title: string })[] = [
  // Whatever its mode.
  { title: 'isolate', name: 'isolate', workspaceMode: 'direct' },
  { title: 'docker direct', name: 'docker', workspaceMode: 'direct' },
  { title: 'docker overlay', name: 'docker', workspaceMode: 'overlay' },
  { title: 'docker memory', name: 'docker', workspaceMode: 'memory' },
];

/** Of every rule that reads commands, wherever its program is held: docs/permissions.md says more of each. */
const COMMAND_LIMITS = [
  'a rule about commands speaks of what is typed: a Makefile, a script or a binary that is run may do the same',
  'what takes two steps is not seen (write a script and run it, a copy or a link under another name, an alias in git): deny the effect by paths, network and credentials',
  'inline code (python -c, node -e) is searched for literal mentions only',
  'a quoted variable counts as an operand, not a flag: a deny on --force passes if "$X" is --force',
  'commands are read as bash 5 reads them',
];
const MASK_LIMIT =
  'docker direct, mask: needs a local, rootful engine; holds neither in a privileged container nor on a case-insensitive file system';

/** What was found in the workspace; nothing where nobody looked. */
export interface WorkspaceFindings {
  exposures?: readonly OtherName[];
  unseen?: readonly string[];
  dockerDirect?: MaskCheck;
}

export interface PolicyReport extends Required<Omit<WorkspaceFindings, 'dockerDirect'>> {
  default: string;
  rules: (Omit<RuleDescription, 'enforcement'> & { heldBy: Record<string, string> })[];
  limits: string[];
  warnings: readonly string[];
  dockerDirect?: MaskCheck;
}

/** Every rule with how each backend holds it. */
export function policyReport(
  policy: Policy,
  { exposures = [], unseen = [], dockerDirect }: WorkspaceFindings,
): PolicyReport {
  const columns = BACKENDS.map((backend) => ({ ...backend, rows: policy.describe(backend) }));
  const limits = new Set<string>();
  const rules = policy.describe().map(({ enforcement: _, ...rule }, index) => {
    const heldBy: Record<string, string> = {};
    for (const { title, rows } of columns) {
      const row = rows[index]?.enforcement;
      heldBy[title] = row?.by ?? 'text only';
      if (row?.limit !== undefined) limits.add(`${title}, ${row.by}: ${row.limit}`);
    }
    return { ...rule, heldBy };
  });
  if (rules.some(({ heldBy }) => heldBy['docker direct'] === 'mask')) limits.add(MASK_LIMIT);
  const own = rules.filter(({ effect, source }) => effect !== 'allow' && source !== 'protectedPaths');
  if (own.some(({ text }) => text.startsWith('shell('))) for (const limit of COMMAND_LIMITS) limits.add(limit);
  return {
    default: policy.default,
    rules,
    limits: [...limits],
    warnings: policy.warnings,
    exposures,
    unseen,
    ...(dockerDirect === undefined ? {} : { dockerDirect }),
  };
}

/** The report for a person. */
export function policyReportText({
  rules,
  limits,
  warnings,
  exposures,
  unseen,
  dockerDirect,
  ...report
}: PolicyReport): string {
  const own = rules.filter(({ source }) => source !== 'protectedPaths');
  const lines = own.map(({ effect, text, source, heldBy }) => {
    const held =
      effect === 'deny'
        ? Object.entries(heldBy)
            .map(([name, by]) => `${name}: ${by}`)
            .join('; ')
        : '';
    return `  ${effect.padEnd(5)} ${safe(text)}  ${color.dim(safe(source))}${held === '' ? '' : `\n        ${held}`}`;
  });
  return [
    `default ${report.default}, ${own.length} ${own.length === 1 ? 'rule' : 'rules'}, ${rules.length - own.length} protected paths`,
    ...lines,
    ...section('What this does not cover', limits),
    ...section('Warnings', warnings),
    ...section(
      'Denied content under other names',
      exposures.map(({ path, rule, how, also }) => `${path} (${rule}) also as ${also} (${how})`),
    ),
    ...section('Not looked at', unseen),
    ...section('In this workspace, docker direct', dockerDirect === undefined ? [] : masksText(dockerDirect)),
  ].join('\n');
}

function masksText({ held, unenforced, refused }: MaskCheck): string[] {
  if (refused !== undefined) return [refused];
  const own = unenforced.filter((rule) => !rule.startsWith('protected path '));
  const missing = unenforced.length - own.length;
  return [
    `${held} paths are covered or mounted read-only`,
    ...own.map((rule) => `${rule} names nothing that can be mounted: a command can make such a file`),
    ...(missing === 0 ? [] : [`${missing} protected paths do not exist: a command can make them`]),
  ];
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${color.yellow('•')} ${safe(item)}`)];
}

function safe(text: string): string {
  return escapeTerminal(text).replaceAll('\n', '\\n');
}

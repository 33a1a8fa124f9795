import type { Backend } from '../../permissions/enforcement.js';
import type { Policy, RuleDescription } from '../../permissions/policy.js';
import type { SecretExposure } from '../../permissions/secret-exposure.js';
import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';

const BACKENDS: readonly (Backend & { title: string })[] = [
  { title: 'isolate', name: 'isolate', workspaceMode: 'direct' },
  { title: 'docker direct', name: 'docker', workspaceMode: 'direct' },
  { title: 'docker overlay', name: 'docker', workspaceMode: 'overlay' },
];

export interface PolicyReport {
  default: string;
  rules: (Omit<RuleDescription, 'enforcement'> & { heldBy: Record<string, string> })[];
  limits: string[];
  warnings: readonly string[];
  exposures: readonly SecretExposure[];
  /** Every file of the workspace was looked at. */
  complete: boolean;
}

/** Every rule with how each backend holds it. */
export function policyReport(
  policy: Policy,
  found: { exposures: readonly SecretExposure[]; complete: boolean },
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
  return { default: policy.default, rules, limits: [...limits], warnings: policy.warnings, ...found };
}

/** The report for a person. */
export function policyReportText({ rules, limits, warnings, exposures, complete, ...report }: PolicyReport): string {
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
    `default ${report.default}, ${own.length} rules, ${rules.length - own.length} protected paths`,
    ...lines,
    ...section('What this does not cover', limits),
    ...section('Warnings', warnings),
    ...section(
      'Denied content under other names',
      exposures.map(({ path, rule, how, also }) => `${path} (${rule}) also as ${also} (${how})`),
    ),
    ...(complete ? [] : ['', 'The workspace has more files than were looked at']),
  ].join('\n');
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${color.yellow('•')} ${safe(item)}`)];
}

function safe(text: string): string {
  return escapeTerminal(text).replaceAll('\n', '\\n');
}

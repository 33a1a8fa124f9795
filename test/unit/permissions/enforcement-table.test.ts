import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Backend,
  type EnforcementRow,
  enforcementRow,
  type RuleKind,
} from '../../../src/permissions/enforcement.js';
import { parsePolicy } from '../../../src/permissions/policy.js';

const KINDS: readonly (readonly [kind: RuleKind, title: string, rule: string])[] = [
  ['tool', 'a whole tool, or its arguments', 'lint'],
  ['path read', '`read_file(path)`', 'read_file(.env)'],
  ['path write', '`write_file(path)`, `edit_file(path)`', 'write_file(.env)'],
  ['path outside', 'a path outside the workspace', 'read_file(//etc/shadow)'],
  ['command', '`shell(rm:*)`: a program, with or without words', 'shell(rm:*)'],
  ['command text', '`shell(…)` of the shell itself, of a path, or with a star inside', 'shell(npm * --force)'],
  ['domain', '`fetch(domain:…)`', 'fetch(domain:x.example)'],
];
const MODES = ['direct', 'overlay', 'memory'] as const;
const PLACES: readonly Backend[] = [
  ...(['isolate', 'docker', 'none'] as const).flatMap((name) =>
    MODES.map((workspaceMode) => ({ name, workspaceMode })),
  ),
];
const page = readFileSync(join(import.meta.dirname, '../../../docs/permissions.md'), 'utf8');

describe('the table of what each kind of rule guarantees', () => {
  it('stands in the documentation as the code has it', () => {
    expect(page).toContain(table());
  });

  it.each(KINDS)('has a rule of the kind %s for what it says', (kind, _title, rule) => {
    for (const backend of PLACES) {
      const [described] = parsePolicy({ deny: [rule] }).describe(backend);
      expect([backend, described?.enforcement]).toEqual([backend, enforcementRow(backend, kind)]);
    }
  });
});

function table(): string {
  return [
    '| deny rule | where | held by | whatever the command | what it does not cover |',
    '|---|---|---|---|---|',
    ...KINDS.flatMap(([kind, title]) => rowsOf(kind).map(([where, row]) => line(title, where, row))),
  ].join('\n');
}

/** Places whose rows are the same are one row. */
function rowsOf(kind: RuleKind): [where: string, row: EnforcementRow][] {
  const groups = new Map<string, { row: EnforcementRow; places: Backend[] }>();
  for (const place of PLACES) {
    const row = enforcementRow(place, kind);
    const group = groups.get(JSON.stringify(row)) ?? { row, places: [] };
    groups.set(JSON.stringify(row), group);
    group.places.push(place);
  }
  return [...groups.values()].map(({ row, places }) => [whereText(places), row]);
}

function whereText(places: readonly Backend[]): string {
  if (places.length === PLACES.length) return 'everywhere';
  const names = [...new Set(places.map(({ name }) => name))];
  return names
    .map((name) => {
      const modes = places.filter((place) => place.name === name).map(({ workspaceMode }) => workspaceMode);
      const shown = name === 'docker' ? 'Docker' : name === 'none' ? 'no sandbox that takes rules' : 'isolate';
      return modes.length === MODES.length ? shown : `${shown} ${modes.join(', ')}`;
    })
    .join('; ');
}

function line(title: string, where: string, { by, holds, limit }: EnforcementRow): string {
  return `| ${title} | ${where} | ${by} | ${holds ? 'holds' : 'screened'} | ${limit ?? ''} |`;
}

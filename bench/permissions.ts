import { readFileSync } from 'node:fs';
import { parsePolicy } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';
import { percentile } from './samples.ts';

interface Case {
  rules: { deny?: string[]; ask?: string[]; allow?: string[] };
  call: { tool: string; args: unknown };
  ctx?: object;
}

const ROUNDS = 30;
const WARM_UP = 20;

/** How long a decision takes: over the case file, and with many rules. Rules are read once, before. */
export async function permissions(): Promise<Measurement[]> {
  const cases = readCases();
  const each = cases.map(({ rules, call, ctx }) => {
    const policy = parsePolicy({ ...rules, default: 'ask' });
    return () => policy.decide({ toolName: call.tool, args: call.args }, ctx);
  });
  const overCases = microseconds(each);
  const [p50, p95] = [percentile(overCases, 0.5), percentile(overCases, 0.95)];
  const few = percentile(microseconds(withRules(10, cases)), 0.5);
  const many = percentile(microseconds(withRules(1_000, cases)), 0.5);
  return [
    { what: 'permission decision', unit: 'µs', p50, p95, target: atMost(50, p50, 'µs') },
    { what: 'permission decision, slowest of 20', unit: 'µs', p50: p95, target: atMost(300, p95, 'µs') },
    {
      what: 'permission decision, 1,000 rules',
      unit: 'µs',
      p50: many,
      rival: { name: '10 rules', p50: few },
      target: { text: '≤ 5× of 10 rules', met: many <= few * 5, value: many / few, limit: 5 },
    },
  ];
}

/** Rules of every kind, so that none of the calls meets one: all have to be ruled out. */
function withRules(count: number, cases: readonly Case[]): (() => unknown)[] {
  const kinds: ((index: number) => string)[] = [
    (index) => `shell(tool${index}:*)`,
    (index) => `shell(git sub${index}:*)`,
    (index) => `read_file(secret-${index}/**)`,
    (index) => `read_file(**/*.key${index})`,
    (index) => `write_file(/generated/${index}.ts)`,
    (index) => `shell(npm run task${index} *)`,
    (index) => `custom_tool_${index}`,
    (index) => `read_file(.env.${index})`,
    (index) => `shell(app${index} * --force)`,
    (index) => `write_file(~/.config/app${index}/**)`,
  ];
  const deny = Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.(index) ?? '');
  const policy = parsePolicy({ deny, default: 'ask' });
  return cases.map(
    ({ call }) =>
      () =>
        policy.decide({ toolName: call.tool, args: call.args }, { pathEnforced: true }),
  );
}

function readCases(): Case[] {
  const text = readFileSync(new URL('../test/permissions/cases.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
}

/** Of each decision, after as many rounds as the compiler needs. */
function microseconds(decisions: readonly (() => unknown)[]): number[] {
  for (let round = 0; round < WARM_UP; round += 1) for (const decide of decisions) decide();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const decide of decisions) {
      const started = performance.now();
      decide();
      samples.push((performance.now() - started) * 1000);
    }
  }
  return samples;
}

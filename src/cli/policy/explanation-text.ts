import type { Explanation } from '../../permissions/policy.js';
import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';

const SHOWN = { deny: color.red('deny'), ask: color.yellow('ask'), allow: color.green('allow') };

/** An explanation for a person. */
export function explanationText(explained: Explanation, { whole }: { whole: boolean }): string {
  const { decision, rule, part, certainty, why, enforcement, instead } = explained;
  const by =
    rule === undefined
      ? 'no rule matched: the default of the policy'
      : `${safe(rule.text)}   ${color.dim(safe(rule.source))}`;
  const lines = [
    `${SHOWN[decision]}`,
    row('rule', by),
    ...(rule?.reason === undefined ? [] : [row('reason', safe(rule.reason))]),
    ...(part === undefined ? [] : [row('part', partText(part))]),
    row('certainty', certainty === 'yes' ? 'yes' : `could be${why === undefined ? '' : `: ${safe(why)}`}`),
    row('held by', enforcement),
    ...(instead === undefined ? [] : [row('instead', safe(instead))]),
  ];
  return whole ? [...lines, ...details(explained)].join('\n') : lines.join('\n');
}

function details({ commands, reads, writes, unknown, considered }: Explanation): string[] {
  const matched = considered.filter(({ result }) => result !== 'no');
  return [
    ...list('commands', commands),
    ...list('reads', reads),
    ...list('writes', writes),
    ...list('unknown', unknown),
    ...list(
      `rules (${considered.length} asked)`,
      matched.map(
        ({ effect, rule, source, result, why }) =>
          `${effect} ${rule} (${source}): ${result}${why === undefined ? '' : `, ${why}`}`,
      ),
    ),
  ];
}

function partText({ text, span, via }: NonNullable<Explanation['part']>): string {
  const place = span === undefined ? '' : color.dim(`  characters ${span[0]} to ${span[1]}`);
  return `${safe(text)}${via === undefined ? '' : `  through ${safe(via.join(', '))}`}${place}`;
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', name, ...items.map((item) => `  ${safe(item)}`)];
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(10)} ${text}`;
}

function safe(text: string): string {
  return escapeTerminal(text).replaceAll('\n', '\\n');
}

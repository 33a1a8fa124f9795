// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { generateScript } from './generate-script.js';
import type { Random } from './random.js';

const TOKENS = [
  ...[
    'zap',
    'zap',
    'zap',
    'git',
    'push',
    'ok',
    'a',
    'x',
    'echo',
    'true',
    'cat',
    'eval',
    'command',
    'env',
    'exec',
    'time',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    ' ',
    '\n',
    '\n',
    '\t',
    ';',
    ';',
    '&',
    '|',
    '&&',
    '||',
    '(',
    ')',
    '{ ',
    ' }',
    '{',
    '}',
    '!',
    '$',
    '$(',
    '${',
    '`',
  ],
  ...[
    '"',
    '"',
    "'",
    "'",
    '\\',
    '\\\n',
    '#',
    '<',
    '>',
    '<<E\n',
    '\nE\n',
    '<<<',
    '<(',
    '>(',
    '$((',
    '))',
    '((',
    '[[ ',
    ' ]]',
    '=',
    '+=',
    '[',
    ']',
  ],
  ...[
    'if ',
    'then ',
    'fi',
    'for ',
    ' in ',
    'do ',
    'done',
    'case ',
    'esac',
    ';;',
    'while ',
    'until ',
    'function ',
    'coproc ',
    '() ',
    'x=',
    'x=zap',
    '$x',
    '"$x"',
  ],
  ...[
    "$'",
    '$"',
    ':-',
    '@P',
    '*',
    '?',
    '{a,',
    ',',
    '-c ',
    'bash -c ',
    '\\;',
    '2>&1',
    '>out',
    '~',
    '\r',
    '%',
    '^',
    '-',
    '1',
  ],
];

/** Tokens in no order at all: few are valid, and those are odd. */
export function randomScript(random: Random): string {
  const length = 2 + random.below(14);
  return Array.from({ length }, () => random.pick(TOKENS)).join('');
}

/** A script of the grammar with a few characters lost, doubled or replaced. */
export function damagedScript(random: Random): string {
  let script = generateScript(random);
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(script.length + 1);
    const put = random.pick(['', '', ...TOKENS]);
    script = script.slice(0, at) + put + script.slice(at + random.below(3));
  }
  return script;
}

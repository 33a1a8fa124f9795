import { isKnown } from '../../text/marks.js';
import { valueIn } from '../programs/program-options.js';

/** A variable that gets a value; without a name it may be any. */
interface SetVariable {
  name?: string;
  value?: string;
}

const ANY: readonly SetVariable[] = [{}];
const NOTHING: readonly SetVariable[] = [];
const NAME = /^[A-Za-z_]\w*/;
/** By builtin, the options that take a value. */
const READ_VALUES = ['-a', '-d', '-i', '-n', '-N', '-p', '-t', '-u'];
const MAPFILE_VALUES = ['-d', '-n', '-O', '-s', '-u', '-C', '-c'];
/** Names that an expression gives a value: `x = 1`, `x[2] += 1`, `x++`, `--x`; not `x == 1`, `x <= 1`. */
const ASSIGNED =
  /(?<!\w)([A-Za-z_]\w*)\s*(?:\[[^\]]{0,200}\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** The variables that a builtin gives a value, or takes it from. */
export function variablesSetBy([program = '', ...words]: readonly string[]): readonly SetVariable[] {
  switch (program) {
    case 'read':
      return [...operandsOf(words, READ_VALUES), ...valuesOf(words, READ_VALUES, '-a')].flatMap(named);
    case 'mapfile':
    case 'readarray':
      return operandsOf(words, MAPFILE_VALUES).flatMap(named);
    case 'getopts':
      return words.slice(1, 2).flatMap(named);
    case 'wait':
      return valuesOf(words, ['-p'], '-p').flatMap(named);
    case 'compgen':
      return valuesOf(words, ['-V', '-A', '-G', '-W', '-F', '-C', '-X', '-P', '-S'], '-V').flatMap(named);
    case 'unset':
      return operandsOf(words, []).flatMap(named);
    case 'local':
    case 'declare':
    case 'typeset':
      return declared(words);
    case 'export':
    case 'readonly':
      return declared(words.filter((word) => word.includes('=') || !isKnown(word)));
    case 'printf':
      return printed(words);
    case 'set':
      // Any word may be an assignment from there on.
      return words.some((word) => /^-[A-Za-z]*k|^keyword$/.test(word) || !isKnown(word)) && !words.includes('--')
        ? ANY
        : NOTHING;
    default:
      return NOTHING;
  }
}

/** The names that a text gives a value if it is read as an arithmetic expression. */
export function namesSetByExpression(text: string): string[] {
  return [...text.matchAll(ASSIGNED)].flatMap(([, before, behind]) => before ?? behind ?? []);
}

/** `-n` makes a name that stands for another one. */
function declared(words: readonly string[]): readonly SetVariable[] {
  const options = words.filter((word) => /^[-+]/.test(word));
  if (options.some((word) => /^-[A-Za-z]*[pfF]/.test(word))) return NOTHING;
  const refers = options.some((word) => /^-[A-Za-z]*n/.test(word));
  return words
    .filter((word) => !/^[-+]/.test(word))
    .flatMap((word) => {
      const at = word.indexOf('=');
      const value = at === -1 ? undefined : word.slice(at + 1);
      const all = named(word).map((one) => (value === undefined ? one : { ...one, value }));
      return refers && value !== undefined ? [...all, ...named(value)] : all;
    });
}

/** `printf -v name`, and `%n`, which puts a number into the variable that the word names. */
function printed(words: readonly string[]): readonly SetVariable[] {
  const [first = '', second = ''] = words;
  if (first.startsWith('-v')) return named(first === '-v' ? second : first.slice(2));
  const [format = '', ...rest] = first === '--' ? words.slice(1) : words;
  if (isKnown(format)) return /%[^%A-Za-z]*n/.test(format.replaceAll('%%', '')) ? rest.flatMap(named) : NOTHING;
  return rest.filter((word) => isKnown(word) && /^\w+$/.test(word)).flatMap(named);
}

function named(word: string): readonly SetVariable[] {
  const name = /^[^=[+]*/.exec(word)?.[0] ?? '';
  if (!isKnown(name)) return ANY;
  return NAME.test(name) ? [{ name }] : NOTHING;
}

function operandsOf(words: readonly string[], takers: readonly string[]): string[] {
  return words.filter((word, index) => {
    if (/^-./.test(word)) return false;
    const before = words[index - 1] ?? '';
    const taken = before.startsWith('-') ? valueIn(before, takers) : undefined;
    return taken === undefined || taken.value !== undefined;
  });
}

function valuesOf(words: readonly string[], takers: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => {
    const taken = word.startsWith('-') ? valueIn(word, takers) : undefined;
    return taken?.option === option ? [taken.value ?? words[index + 1] ?? ''] : [];
  });
}

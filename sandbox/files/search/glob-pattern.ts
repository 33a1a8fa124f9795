import picomatch from 'picomatch';
import { negateClasses } from '../negate-classes.js';
import { Refusal } from '../refusal.js';

const MAX_LENGTH = 1000;
const MAX_GLOBSTARS = 4;
const MAX_STARS_IN_A_NAME = 6;
const MAX_BRACES = 20;
const MAX_BRACE_DEPTH = 3;

/**
 * Compiles one glob. `*` and `?` stay within a name, `**` crosses directories, `{a,b}`, `[a-z]`, `!(a|b)`, `?(a)`,
 * `@(a|b)` as in bash; hidden names match like others; a path that is the pattern letter by letter matches as well, so
 * that `app/[id]/page.tsx` finds the file of that name. Case counts. Its regular expression could take exponential time
 * without the caps.
 * @throws `Refusal` `bad_pattern`
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const glob = collapse(pattern);
  const problem = problemOf(glob, pattern.length);
  if (problem !== undefined) throw new Refusal('bad_pattern', `${problem}: '${pattern.slice(0, 200)}'`);
  const matches = picomatch(negateClasses(glob), { dot: true, nonegate: true, windows: false, flags: 's' });
  return (path) => path === glob || matches(path);
}

/** `./a//b` is `a/b`; `**` followed by more of them is one. */
function collapse(pattern: string): string {
  return pattern
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\*{3,}/g, '**')
    .replace(/(?:(?<=^|\/)\*\*\/)+/g, '**/')
    .replace(/(?<=^|\/)\*\*\/\*\*$/, '**');
}

function problemOf(glob: string, length: number): string | undefined {
  if (glob === '') return 'The pattern is empty';
  if (length > MAX_LENGTH) return `The pattern is longer than ${MAX_LENGTH} characters`;
  if (glob.includes('\0')) return 'The pattern holds a NUL character';
  return structureProblem(glob);
}

function structureProblem(glob: string): string | undefined {
  let [braces, depth, extglobs, extglobDepth, stars, globstars] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < glob.length; i += 1) {
    const char = glob[i];
    const next = glob[i + 1];
    if (char === '\\') {
      i += 1;
      if (next === undefined) return 'The pattern ends in a lone backslash';
    } else if (char === '[') {
      const end = classEnd(glob, i);
      if (end === -1) return "The pattern has a '[' without ']' (write '\\[' for the character itself)";
      i = end;
    } else if (char === '{') {
      braces += 1;
      depth += 1;
      if (braces > MAX_BRACES || depth > MAX_BRACE_DEPTH)
        return `The pattern has more than ${MAX_BRACES} braces, or nests them too deeply`;
    } else if (char === '}') {
      depth -= 1;
      if (depth < 0) return "The pattern has a '}' without '{'";
    } else if (next === '(' && char !== undefined && '?*+@!'.includes(char)) {
      extglobs += 1;
      extglobDepth += 1;
      if (char === '*' || char === '+') return `The pattern repeats a group with '${char}(', which is not supported`;
      if (extglobs > 4 || extglobDepth > 1) return 'The pattern has more than 4 groups, or nests them';
      i += 1;
    } else if (char === ')') {
      extglobDepth = Math.max(0, extglobDepth - 1);
    } else if (char === '/') {
      stars = 0;
    } else if (char === '*' && next === '*') {
      globstars += 1;
      i += 1;
      if (globstars > MAX_GLOBSTARS) return `The pattern has more than ${MAX_GLOBSTARS} separate '**'`;
    } else if (char === '*') {
      stars += 1;
      if (stars > MAX_STARS_IN_A_NAME) return `The pattern has more than ${MAX_STARS_IN_A_NAME} '*' in one name`;
    }
  }
  if (depth > 0) return "The pattern has a '{' without '}' (write '\\{' for the character itself)";
  return undefined;
}

/** Where the class that begins at `start` ends; `]` directly after `[` or `[!` is in the class. */
function classEnd(glob: string, start: number): number {
  let i = start + 1;
  if (glob[i] === '!' || glob[i] === '^') i += 1;
  if (glob[i] === ']') i += 1;
  for (; i < glob.length; i += 1) {
    if (glob[i] === '\\') i += 1;
    else if (glob[i] === ']') return i;
  }
  return -1;
}

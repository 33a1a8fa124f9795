import { textsIn } from './inline-code.js';
import { read, type TouchedWord, written } from './touched-word.js';

/** In code: it may write what it names. */
const WRITES_IN_CODE =
  /writ|append|unlink|remove|\brm|rename|truncat|copy|mkdir|put_contents|\bsave|\bdump|>|["'][wax]b?\+?["']/i;

/** The files that the texts of a piece of code name. */
export function codeTouches(code: string): TouchedWord[] {
  const writes = writesInCode(code);
  // perl opens `>file` to write it.
  const texts = textsIn(code).map((text) => text.replace(/^[+<>|\s]+/, ''));
  return texts
    .filter((text) => text !== '')
    .flatMap((text) => [read(text, { perhaps: true }), ...(writes ? [written(text, { perhaps: true })] : [])]);
}

export function writesInCode(code: string): boolean {
  return WRITES_IN_CODE.test(code);
}

import { isKnown } from '../../text/marks.js';
import { textsIn } from '../layers/inline-code.js';
import { read, type TouchedWord, written } from './touched-word.js';

/** In code: it may write what it names. */
const WRITES_IN_CODE =
  /writ|append|unlink|remove|\brm|rename|truncat|copy|mkdir|put_contents|\bsave|\bdump|>|["'][wax]b?\+?["']/i;

/** A text of which not all is known, in the place of a name of a file that is opened: `open('…')`, `getline < "…"`. */
const OPENED =
  /(?:open|read\w*|slurp|path|file\w*|contents|write\w*|append\w*|unlink\w*|remove|rename\w*|copy\w*|source|require|getline[^<\n]{0,40}<|print[^>\n]{0,80}>)\s*\(?\s*(["'`])([^"'`\n]{0,200})\1/gi;

/** The files that the texts of a piece of code name. */
export function codeTouches(code: string): TouchedWord[] {
  const writes = writesInCode(code);
  // perl opens `>file` to write it.
  const texts = textsIn(code).map((text) => text.replace(/^[+<>|\s]+/, ''));
  const opened = isKnown(code)
    ? []
    : [...code.matchAll(OPENED)].flatMap(([, , text = '']) => (isKnown(text) ? [] : [text]));
  return [
    ...texts.filter((text) => text !== '').map((text) => [text, true] as const),
    ...opened.map((text) => [text, false] as const),
  ].flatMap(([text, perhaps]) => [read(text, { perhaps }), ...(writes ? [written(text, { perhaps })] : [])]);
}

export function writesInCode(code: string): boolean {
  return WRITES_IN_CODE.test(code);
}

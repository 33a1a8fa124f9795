const MAX_WORDS = 64;

/**
 * Expands `a{b,c}d` as bash does, on the text and before everything else. A range (`{1..9}`) is left to the caller.
 * @returns raw words, or `undefined` when there are too many, or one that this does not follow
 */
export function expandBraces(raw: string): string[] | undefined {
  const done: string[] = [];
  const pending = [raw];
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    if (done.length + pending.length > MAX_WORDS) return undefined;
    const found = firstList(text);
    if (found === 'complex') return undefined;
    if (found === undefined) done.push(text);
    else {
      const { from, to, items } = found;
      const [before, after] = [text.slice(0, from), text.slice(to)];
      pending.push(...items.map((item) => before + item + after).reverse());
    }
  }
  return done;
}

interface BraceList {
  from: number;
  to: number;
  items: string[];
}

function firstList(text: string): BraceList | 'complex' | undefined {
  for (let from = skipTo(text, 0, '{'); from < text.length; from = skipTo(text, from + 1, '{')) {
    const list = listAt(text, from);
    if (list !== undefined) return list;
  }
  return undefined;
}

/** The comma list that opens at `from`; `undefined` when it is none. */
function listAt(text: string, from: number): BraceList | 'complex' | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < text.length; at = skipTo(text, at + 1, '{},')) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      items.push(text.slice(start, at));
      start = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      const last = text.slice(start, at);
      if (items.length === 0) return /\.\./.test(last) ? 'complex' : undefined;
      return { from, to: at + 1, items: [...items, last] };
    }
  }
  return undefined;
}

/** The next of `wanted` that is neither quoted nor inside an expansion; the end when there is none. */
function skipTo(text: string, start: number, wanted: string): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') at += 1;
    else if (character === "'") at = endOf(text, at, "'");
    else if (character === '"' || character === '`') at = endOf(text, at, character, true);
    else if (character === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) at = closing(text, at + 1);
    else if (wanted.includes(character)) return at;
  }
  return text.length;
}

function endOf(text: string, open: number, quote: string, escapes = false): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (escapes && text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function closing(text: string, open: number): number {
  const [opens, closes] = text[open] === '{' ? ['{', '}'] : ['(', ')'];
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === opens) depth += 1;
    else if (text[at] === closes) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

import type { SyntaxNode } from 'mvdan-sh';
import mvdan from 'mvdan-sh';

const { syntax } = mvdan;
const parser = syntax.NewParser();

/** What mvdan/sh reads otherwise than bash: a carriage return is no blank, `time --` and `coproc a=b` name nothing. */
export const MISREAD = /\r|\btime\s+--|\bcoproc\s+\w+\+?=/;

/**
 * The simple commands of a script as mvdan/sh reads it, those of which every word is literal, each as its words;
 * `undefined` for a script that it refuses.
 */
export function literalCommands(script: string): string[][] | undefined {
  const found: string[][] = [];
  try {
    syntax.Walk(parser.Parse(script, 'script'), (node) => {
      if (node === null || syntax.NodeType(node) !== 'CallExpr') return true;
      const words = (node.Args ?? []).map(literal);
      const known = words.filter((word) => word !== undefined);
      if (known.length > 0 && known.length === words.length) found.push(known);
      return true;
    });
  } catch {
    return undefined;
  }
  return found;
}

/** A word without its quotes, where nothing in it expands. */
function literal(word: SyntaxNode): string | undefined {
  const parts = (word.Parts ?? []).map((part) => {
    switch (syntax.NodeType(part)) {
      case 'Lit':
        return /[{*?[~]/.test(part.Value ?? '')
          ? undefined
          : (part.Value ?? '').replace(/\\\n/g, '').replace(/\\([\s\S])/g, '$1');
      case 'SglQuoted':
        return part.Dollar === true ? undefined : (part.Value ?? '');
      case 'DblQuoted':
        return quoted(part);
      default:
        return undefined;
    }
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

function quoted({ Parts, Dollar }: SyntaxNode): string | undefined {
  if (Dollar === true || (Parts ?? []).some((part) => syntax.NodeType(part) !== 'Lit')) return undefined;
  return (Parts ?? []).map(({ Value = '' }) => Value.replace(/\\\n/g, '').replace(/\\([$`"\\])/g, '$1')).join('');
}

import type { Change } from '../protocol/files.js';
import { contentOf } from './overlay/file-content.js';
import { type Difference, diffLayers, type Layers } from './overlay/layer-diff.js';
import type { PathRules } from './rules/path-rules.js';
import { spotOf, type Tree } from './tree.js';

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_ALL_TEXT_BYTES = 16 * 1024 * 1024;

/** Differences with the texts before and after, where they are text, small, and no rule keeps them closed. */
export function listChanges(layers: Layers, rules: PathRules): Change[] {
  const budget = { left: MAX_ALL_TEXT_BYTES };
  return diffLayers(layers).map((difference) => withTexts(difference, { layers, rules, budget }));
}

interface Means {
  layers: Layers;
  rules: PathRules;
  budget: { left: number };
}

function withTexts(difference: Difference, { layers, rules, budget }: Means): Change {
  if (difference.type === 'directory' || rules.find('denyRead', difference.path) !== undefined) return difference;
  const before = difference.kind === 'added' ? undefined : textOf(layers.below, difference, budget);
  const after = difference.kind === 'deleted' ? undefined : textOf(layers.seen, difference, budget);
  // One side of a change alone would read as a file that came or went.
  if (difference.kind === 'modified' && (before === undefined || after === undefined)) return difference;
  return { ...difference, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function textOf(tree: Tree | undefined, { path, type }: Difference, budget: { left: number }): string | undefined {
  if (tree === undefined) return undefined;
  const at = spotOf(path);
  if (type === 'symlink') return tree.readlink(at);
  const bytes = contentOf(tree, at, Math.min(MAX_TEXT_BYTES, budget.left));
  if (bytes === undefined || bytes.includes(0)) return undefined;
  const text = decode(bytes);
  if (text !== undefined) budget.left -= bytes.length;
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

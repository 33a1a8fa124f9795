import { GLOB, HOLE, ONE } from '../../text/marks.js';
import { optionValues } from '../programs/program-options.js';

/**
 * The names of files that a search through directories looks into, as the end of a path with marks: where one pattern
 * of an option says it. `undefined`: any.
 */
export function searchedNames(program: string, words: readonly string[]): string | undefined {
  if (/^[ef]?grep$/.test(program)) return namedBy(optionValues(words, /^--include$/));
  if (program !== 'rg' || words.some((word) => /^(?:--iglob|-t|--type|--files-from)/.test(word))) return undefined;
  return namedBy(optionValues(words, /^(?:-g|--glob)$/).filter((pattern) => !pattern.startsWith('!')));
}

/** A star stands for a leading dot as well. */
function namedBy(patterns: readonly string[]): string | undefined {
  const [pattern, ...others] = patterns;
  if (pattern === undefined || others.length > 0 || !/^[\w.*?-]+$/.test(pattern.replaceAll(GLOB, '*')))
    return undefined;
  return `/${HOLE}${pattern.replaceAll('?', ONE).replaceAll('*', HOLE).replaceAll(GLOB, HOLE)}`;
}

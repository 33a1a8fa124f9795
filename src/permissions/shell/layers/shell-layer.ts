import { resolvePath } from '../../paths/resolve-path.js';
import { isKnown } from '../../text/marks.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import { known, type Layer, runsScript, UNKNOWN } from './layer.js';

/** `bash -c text`, `bash script`, or a script on stdin. */
export function shellLayer(words: readonly ShellWord[], stdin: string | undefined): Layer | undefined {
  let index = 0;
  while (index < words.length) {
    const word = words[index]?.text ?? '';
    if (!isKnown(word)) return UNKNOWN;
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(word)) {
      // `-eco pipefail`: each `o` takes a word of its own before the text.
      const taken = word.replace(/[^oO]/g, '').length;
      return runsScript(firstOperand(words.slice(index + 1 + taken)));
    }
    if (word === '-s' || word === '-') break;
    if (/^--(?:rcfile|init-file)/.test(word)) return UNKNOWN;
    if (/^[-+][A-Za-z]*[oO]/.test(word)) index += word.replace(/[^oO]/g, '').length;
    else if (!/^[-+]/.test(word)) return isDevice(word) ? UNKNOWN : undefined;
    else if (word === '--version' || word === '--help') return undefined;
    index += 1;
  }
  return stdin === undefined ? UNKNOWN : runsScript(stdin);
}

/** Options may stand between `-c` and its text: `bash -c -e 'text'`. */
function firstOperand(words: readonly ShellWord[]): string | undefined {
  for (const [index, { text }] of words.entries()) {
    if (!isKnown(text)) return undefined;
    if (text === '--' || text === '-') return known(words[index + 1]?.text);
    if (!/^[-+]./.test(text)) return text;
    if (/[oO]/.test(text)) return undefined;
  }
  return undefined;
}

/** A file that holds what was just made: `/dev/stdin`, `/proc/self/fd/3`, however they are spelled. */
export function isDevice(file: string): boolean {
  const path = file.startsWith('/') ? resolvePath('/', file) : file;
  if ([file, path].some((one) => /^\/+(?:dev|proc)\//.test(one))) return true;
  // Up from where it is not known, and down again.
  const up = path.startsWith('../') ? 0 : path.indexOf('/../');
  return up !== -1 && Math.max(path.lastIndexOf('/dev/'), path.lastIndexOf('/proc/')) > up;
}

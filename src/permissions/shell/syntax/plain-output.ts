import type { ParsedScript } from 'unbash';
import { NAME } from '../../text/marks.js';

/** A format of `date` that prints neither a slash nor a dot nor a space. */
const PLAIN_FORMAT = /^\+(?:%-?[FYmdHMSsNjuwyGVTR]|[\w:-])+$/;
const PLAIN_WORD = /^(?:'[^'$`\\]*'|"[^"$`\\!]*"|[\w%+:./-]+)$/;
/** Variables whose values are numbers. */
const NUMBERS = /^(?:\$|RANDOM|SRANDOM|PPID|E?UID|BASHPID|SECONDS|LINENO|EPOCHSECONDS)$/;
/** What gives a program, or such a variable, another meaning, or lets values be parted where they are not else. */
const REDEFINES =
  /\(\s*\)|\b(?:function|alias|hash|enable|builtin|source|eval|IFS|PATH|TMPDIR)\b|(?:^|[\s;&|])\.\s|(?:^|[^\w${])(?:S?RANDOM|SECONDS|LINENO|EPOCHSECONDS)\b/;

/** Whether programs and variables of a text mean what they do elsewhere. */
export function keepsMeanings(text: string): boolean {
  return !REDEFINES.test(text);
}

/** What a variable of the shell's own holds, as far as it cannot lead to another directory. */
export function plainVariable(name: string): string | undefined {
  return NUMBERS.test(name) ? NAME : undefined;
}

/** What a substitution prints, as far as that cannot lead to another directory: `$(date +%F)`, `$(id -u)`, `$(mktemp)`. */
export function plainOutput({ commands }: ParsedScript): string | undefined {
  const [statement] = commands;
  const command = statement?.command;
  if (commands.length !== 1 || command?.type !== 'Command') return undefined;
  if (command.prefix.length > 0 || command.redirects.length > 0) return undefined;
  const texts = command.suffix.map((part) =>
    part.type === 'Word' && PLAIN_WORD.test(part.text) ? part.text : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const words = texts.map((text = '') => text.replace(/^['"]|['"]$/g, ''));
  switch (command.name?.text) {
    case 'date':
      return /^(?:-u )?\+\S+$/.test(words.join(' ')) && PLAIN_FORMAT.test(words.at(-1) ?? '') ? NAME : undefined;
    case 'id':
      return words.length === 1 && /^-[ug]$/.test(words[0] ?? '') ? NAME : undefined;
    case 'nproc':
      return words.length === 0 ? NAME : undefined;
    case 'mktemp':
      return madeBy(words);
    default:
      return undefined;
  }
}

/** In the directory for such files, unless a template says otherwise. */
function madeBy(words: readonly string[]): string | undefined {
  const options = words.filter((word) => word.startsWith('-'));
  const [template, ...more] = words.filter((word) => !word.startsWith('-'));
  if (more.length > 0 || options.some((word) => !/^(?:-[dqut]+|--directory|--quiet)$/.test(word))) return undefined;
  if (template === undefined) return options.some((word) => /^-[dqu]*t/.test(word)) ? undefined : `/tmp/tmp.${NAME}`;
  if (options.some((word) => /^-[dqu]*t/.test(word))) return template.includes('/') ? undefined : `/tmp/${NAME}`;
  return /^[\w./-]*X{3}[\w.-]*$/.test(template) ? template.replace(/X{3,}(?=[^/]*$)/, NAME) : undefined;
}

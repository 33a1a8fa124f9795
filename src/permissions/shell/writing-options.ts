import { effectsOf } from './programs/program-effects.js';
import { programName } from './programs/program-name.js';
import { toolEffectsOf } from './programs/tool-effects.js';
import type { ShellCommand } from './syntax/shell-command.js';
import { touchedWords } from './touches/touched-words.js';

/** Programs that look or check, beside the plain ones: with an option that writes they do something else. */
const LOOKING_TOOLS = new Set(
  `eslint stylelint standard xo oxlint markdownlint rubocop biome prettier ruff yq gofmt goimports gofumpt shfmt
  clang-format autopep8 yapf xmlformat tree base64 basenc xmllint mypy strace ltrace perf valgrind tcpdump tshark dumpcap
  ngrep nmap masscan ab pg_dump pg_dumpall mysqldump mariadb-dump psql redis-cli`.split(/\s+/),
);
/** Stands for a file that an option or an operand may name. */
const FILE = 'some-file.txt';
/** More options in one command are not asked about. */
const MAX_OPTIONS = 64;

/** Whether a program that is not there to write has options by which it does. */
export function hasWritingOptions(program: string): boolean {
  const effects = effectsOf(program);
  if (toolEffectsOf(program) !== undefined && LOOKING_TOOLS.has(program)) return true;
  if (effects === undefined || !/^(?:read|pattern|data)$/.test(effects.operands)) return false;
  if (effects.writesFirst === true || effects.secondIs !== undefined || effects.here === true) return false;
  return effects.writes !== undefined || effects.prefixes !== undefined;
}

/** The options of a command by which a program that is not there to write writes; `undefined` where they are too many. */
export function writingOptions(command: ShellCommand): readonly string[] | undefined {
  const [first = '', second = '', ...rest] = command.words;
  if (!hasWritingOptions(programName(first))) return [];
  const options = new Set([second, ...rest].filter((word) => word.startsWith('-') && word !== '-' && word !== '--'));
  if (options.size > MAX_OPTIONS) return undefined;
  const start = [first, ...(second === '' || second.startsWith('-') ? [] : [second])];
  const before = new Set(writesOf(command, [...start, FILE]));
  return [...options].filter((option) => writesOf(command, [...start, option, FILE]).some((word) => !before.has(word)));
}

function writesOf(command: ShellCommand, words: readonly string[]): string[] {
  return touchedWords({ ...command, words, redirects: [], assignments: [] }).flatMap(({ access, perhaps, word }) =>
    access === 'write' && perhaps !== true ? [word] : [],
  );
}

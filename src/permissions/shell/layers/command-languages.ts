import { isKnown } from '../../text/marks.js';
import { valueIn } from '../programs/program-options.js';
import type { RawCommand } from '../syntax/shell-command.js';
import { commandsIn, runsPrograms } from './inline-code.js';
import type { NestedScript } from './layer.js';

/** Where a program takes commands of a language of its own, in which shell commands can stand. */
interface CommandLanguage {
  /** Options whose value is such a command. */
  options?: readonly string[];
  /** `+command` */
  plus?: true;
  /** Its operands may be such commands. */
  operands?: true;
  /** The whole text may be a command line of another shell's. */
  whole?: true;
}

const EDITOR: CommandLanguage = { options: ['-c', '--cmd', '--remote-send', '--remote-expr', '-S'], plus: true };
const STDIN: CommandLanguage = {};

/** By program. All of them take commands on their standard input as well. */
const LANGUAGES: ReadonlyMap<string, CommandLanguage> = new Map(
  Object.entries<CommandLanguage>({
    ...each(
      EDITOR,
      'vim vi nvim ex view gvim rvim rview gview evim vimdiff nvimdiff vim.basic vim.tiny elvis nvi vile',
    ),
    ...each({ plus: true }, 'less more zless bless kak micro joe jed'),
    emacs: { options: ['--eval', '-eval', '--execute', '-execute', '-f'] },
    ...each(
      STDIN,
      `ed red ftp sftp telnet tftp ncftp smbmap tdbtool ginsh tasksh bconsole crash pic troff groff nroff mail mailx mutt
      heirloom-mailx bc tclsh wish jshell scheme mit-scheme irb ghci iex sage maxima jdb pdb gp`,
    ),
    ...each(
      { options: ['-c', '-e', '-f', '-s', '-x', '--command', '--execute', '--eval'] },
      'lftp smbclient rlogin dc',
    ),
    gdb: { options: ['-ex', '--ex', '-iex', '--iex', '-eval-command', '--eval-command', '--init-eval-command'] },
    ...each(
      { options: ['-ex', '-o', '-O', '-k', '--one-line', '--one-line-before-file', '-c'] },
      'lldb rust-gdb rust-lldb dlv',
    ),
    psql: { options: ['-c', '--command', '-v', '--set', '-P'] },
    ...each({ options: ['-e', '--execute', '--init-command'] }, 'mysql mariadb mycli'),
    ...each({ options: ['-cmd', '-c', '-s'], operands: true }, 'sqlite3 sqlite litecli duckdb sqlcipher'),
    ...each(
      { options: ['-Q', '-q', '-e', '-c', '--eval'] },
      'sqlcmd isql usql cqlsh mongo mongosh sqlplus clickhouse-client',
    ),
    gnuplot: { options: ['-e'] },
    expect: { options: ['-c'] },
    ipython: { options: ['-c'] },
    ...each({ options: ['-x', '-c', '-e'] }, 'msfconsole r2 radare2 rizin scanmem gimp weechat irssi'),
    ...each({ options: ['--eval', '-E', '--define', '-D'] }, 'rpm rpmquery rpmspec rpmbuild rpmverify rpmkeys rpmdb'),
    ...each({ operands: true }, 'tex latex etex pdftex pdflatex luatex lualatex xetex xelatex tclkit xdg-user-dir'),
    ...each(
      { options: ['-c', '--command', '--commands', '--login', '-Command', '-command', '-e', '-p'], whole: true },
      'nu elvish xonsh rc es osh ysh pwsh powershell murex ion ngs oil scsh',
    ),
    make: { operands: true },
    gmake: { operands: true },
    crontab: STDIN,
  }),
);

/** A word, or a sign, behind which a shell command stands. */
const ESCAPE =
  /(?:^|[\s;:|%({["'\\~,\d.])(?:!+|(?:platform[ \t]+)?shell\b|system\b|spawn\b|exec(?:ute)?\b|term(?:inal)?!?(?=[ \t])|@exec\b|cmd[ \t]+\/[ck])[ \t]*([^\n]+)/gi;
/** Between these signs one stands. */
const ENCLOSED =
  /\$[({]shell[ \t]+([^\n]+)|%\(([^\n)]+)|write18[ \t]*\{([^\n}]+)|\bprogram[ \t]+'([^'\n]+)|\|[ \t]*([^\n|]+)/gi;
/** A line of a table of times. */
const CRONTAB = /^[ \t]*(?:@\w+|(?:[\d*?,/A-Za-z~-]+[ \t]+){5})[ \t]*([^\n]+)/gm;
const NOTHING: readonly NestedScript[] = [];
/** More texts than these are not looked into; the first ones are what a call of one or two commands has. */
const MAX_SCRIPTS = 200;

/** Shell commands in the commands of editors, debuggers, databases and the like, as far as they show. */
export function commandLanguageScripts(program: string, { words, stdin, piped }: RawCommand): readonly NestedScript[] {
  const language = LANGUAGES.get(program);
  if (language === undefined) return NOTHING;
  const texts = textsFor(
    language,
    words.slice(1).map(({ text }) => text),
  );
  const fed = stdin ?? piped?.replace(/\\n/g, '\n');
  if (fed !== undefined) texts.push(fed);
  return texts
    .filter(isKnown)
    .flatMap((text) => (program === 'crontab' ? captured(CRONTAB, text) : scriptsIn(text, language)))
    .slice(0, MAX_SCRIPTS)
    .map((text) => ({ text, guessed: true }));
}

/** Shell commands that the text of a makefile holds. */
export function makeScripts(text: string): string[] {
  return captured(ENCLOSED, text).map(closed);
}

function textsFor({ options = [], plus, operands }: CommandLanguage, words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word.startsWith('-') && word !== '-') {
      // `-c cmd`, `-c!cmd`, and `-sc cmd`.
      const taken = valueIn(word, options);
      return taken === undefined ? [] : (taken.value ?? words[index + 1] ?? []);
    }
    if (plus === true && word.startsWith('+')) return [word.slice(1)];
    return operands === true ? [word] : [];
  });
}

function scriptsIn(text: string, { whole }: CommandLanguage): string[] {
  return [
    ...(whole === true ? [text, text.replace(/^\s*[\^&]\s*/, '')] : []),
    ...[...captured(ESCAPE, text), ...captured(ENCLOSED, text)].map(closed),
    ...(runsPrograms(text) ? commandsIn(text) : []),
  ];
}

function captured(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match.slice(1).filter((group) => group !== undefined));
}

/** Without the quotes and brackets that were open before it. */
function closed(text: string): string {
  let rest = text.trim();
  for (;;) {
    const last = rest.charAt(rest.length - 1);
    const opening = { ')': '(', '}': '{', ']': '[' }[last];
    const isOpen =
      opening === undefined
        ? `"'\``.includes(last) && last !== '' && (rest.split(last).length - 1) % 2 === 1
        : rest.split(last).length > rest.split(opening).length;
    if (!isOpen) return rest.replace(/^[({"']+(?=[^"')}]*$)/, '');
    rest = rest.slice(0, -1).trimEnd();
  }
}

function each(language: CommandLanguage, names: string): Record<string, CommandLanguage> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, language]));
}

import { GLOB, isKnown, isMark, ONE, SPREAD } from '../text/marks.js';

/** Options whose value, the next word, is no option whatever it is. A script or a program is none of them. */
const VALUES: Readonly<Record<string, string>> = {
  awk: '-v -F --assign --field-separator',
  curl: '-H --header -d --data --data-raw --data-binary -X --request -u --user -A --user-agent --url -F --form -m --max-time',
  date: '-d --date -r --reference',
  fd: '-e --extension -t --type -g --glob -d --max-depth -E --exclude',
  find: '-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -size -mtime -mmin -newer -maxdepth -mindepth -user -group -perm',
  'git diff': '-S -G',
  'git grep': '-e',
  'git log': '-S -G -n -L --author --grep --since --until --after --before --max-count --skip',
  'git show': '-S -G',
  rg: '-e --regexp -g --glob -t --type -m --max-count -A -B -C',
  sed: '-e --expression',
  sort: '-k --key -t --field-separator',
  tar: '-f --file -C --directory -xf -tf -tvf -xvf -xzf -tzf',
  uniq: '-f -s -w --skip-fields --skip-chars --check-chars',
  xxd: '-c -g -l -s',
};
const TAKERS = new Map(Object.entries(VALUES).map(([name, options]) => [name, new Set(options.split(' '))]));

/** To these `--` is no end of options. */
const WITHOUT_END = new Set(['find', 'openssl', 'sqlite3', 'xmllint', 'nm', 'cargo']);

/** Commands of git that have options which write files or run programs. */
const REACHING_GIT =
  /^(?:am|archive|bisect|bugreport|bundle|clone|config|diff|diff-.*|difftool|fast-export|fetch|fetch-pack|format-patch|grep|instaweb|log|ls-remote|mergetool|pull|push|range-diff|rebase|reflog|remote|send-email|send-pack|shortlog|show|stash|submodule|upload-pack|whatchanged)$/;

/**
 * Whether a word that is not known may be an option of a program that has options which write or run: one that is the
 * value of another option, comes after `--` or certainly begins otherwise is none.
 */
export function mayBringFlags(program: string, words: readonly string[]): boolean {
  if (program !== 'git') return bringsFlags(words, program, TAKERS.get(program));
  const at = subcommandAt(words);
  if (words.slice(0, at + 1).some((word) => !isKnown(word) && mayBeOption(word, 'git'))) return true;
  const subcommand = words[at] ?? '';
  if (isKnown(subcommand) && !REACHING_GIT.test(subcommand)) return false;
  return bringsFlags(words.slice(at + 1), 'git', TAKERS.get(`git ${subcommand}`));
}

function bringsFlags(words: readonly string[], program: string, takers: ReadonlySet<string> | undefined): boolean {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--' && !WITHOUT_END.has(program)) return false;
    // Behind its program come files.
    if (program === 'awk' && isKnown(word) && !word.startsWith('-')) return false;
    if (takers?.has(word) === true && isOneWord(words[index + 1] ?? '')) index += 1;
    else if (program === 'tar' && index === 0 && /^[a-zA-Z]+f$/.test(word) && isOneWord(words[1] ?? '')) index += 1;
    else if (!isKnown(word) && mayBeOption(word, program)) return true;
  }
  return false;
}

/** A value that is quoted; a pattern may be several words. */
function isOneWord(word: string): boolean {
  return ![SPREAD, GLOB, ONE].some((mark) => word.includes(mark));
}

function mayBeOption(word: string, program: string): boolean {
  if (word.includes(SPREAD) || isMark(word.charAt(0))) return true;
  return word.startsWith('-') && (program === 'find' || !/^--[a-zA-Z][\w-]*=/.test(word));
}

/** Where git's subcommand stands: `-C directory` and `-c setting` come before it. */
function subcommandAt(words: readonly string[]): number {
  let at = 0;
  while (words[at]?.startsWith('-') === true)
    at += /^-[Cc]$|^--(?:git-dir|work-tree|namespace)$/.test(words[at] ?? '') ? 2 : 1;
  return at;
}

/** Whether a word may be more than one. */
export function maySpread(word: string): boolean {
  return !isOneWord(word);
}

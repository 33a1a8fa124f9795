import type { DirectoryEntry } from '../../sandbox/contract.js';
import { type ErrorCode, SandboxError } from '../../sandbox/errors.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';
import { quoteAll } from './shell-quote.js';

/** One question to a session's shell. */
interface Question {
  session: AnyAiSdkSandboxSession;
  /** Relative to its base directory. */
  path: string;
  signal: AbortSignal | undefined;
}

type EntryType = DirectoryEntry['type'];

/** What a session without `stat` knows of a path, asked of its shell. */
export async function statByCommand(question: Question): Promise<{ type: EntryType; size: number } | null> {
  const answer = await ask(
    question,
    'if [ -d "$f" ]; then echo directory; elif [ -f "$f" ]; then echo file $(wc -c < "$f"); elif [ -e "$f" ]; then echo other; else echo missing; fi',
  );
  const [type = '', size = '0'] = answer.trim().split(/\s+/);
  return type === 'missing' ? null : { type: type as EntryType, size: Number(size) };
}

/** The entries of a directory; names that hold a line end are left out. @throws SandboxError `not_directory` */
export async function listByCommand(question: Question): Promise<{ name: string; type: EntryType }[] | null> {
  const answer = await ask(
    question,
    `if [ ! -e "$f" ]; then echo missing; elif [ ! -d "$f" ]; then echo none; else echo entries; cd "$f" || exit 1
for e in * .[!.]* ..?*; do
if [ -L "$e" ]; then echo "symlink $e"; elif [ -d "$e" ]; then echo "directory $e"; elif [ -f "$e" ]; then echo "file $e"; elif [ -e "$e" ]; then echo "other $e"; fi
done; fi`,
  );
  const [kind, ...lines] = answer.split('\n');
  if (kind === 'missing') return null;
  if (kind !== 'entries') throw problem('not_directory', question.path, 'is no directory');
  return lines.flatMap((line) => {
    const [, type, name] = /^(symlink|directory|file|other) (.+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, type: type as EntryType }];
  });
}

/** @returns whether something was there. @throws SandboxError `not_empty` */
export async function removeByCommand(question: Question, { recursive }: { recursive: boolean }): Promise<boolean> {
  const answer = await ask(
    question,
    `if [ ! -e "$f" ] && [ ! -L "$f" ]; then echo missing; elif [ -d "$f" ] && [ ! -L "$f" ]; then ${
      recursive ? 'rm -rf "$f" && echo removed' : 'if rmdir "$f" 2>/dev/null; then echo removed; else echo filled; fi'
    }; else rm -f "$f" && echo removed; fi`,
  );
  if (answer.trim() === 'filled') throw problem('not_empty', question.path, 'is a directory that is not empty');
  return answer.trim() === 'removed';
}

/** @throws SandboxError `exists` when a file is in the way */
export async function makeDirectoryByCommand(question: Question): Promise<void> {
  const answer = await ask(question, 'if [ -e "$f" ] && [ ! -d "$f" ]; then echo taken; else mkdir -p "$f"; fi');
  if (answer.trim() === 'taken') throw problem('exists', question.path, 'is there and is no directory');
}

/** @throws SandboxError `not_found`, `is_directory` */
export async function renameByCommand(question: Question, to: string): Promise<void> {
  const answer = await ask(
    question,
    `t=${quoteAll([anchored(to)])}; if [ ! -e "$f" ] && [ ! -L "$f" ]; then echo missing; elif [ -d "$t" ]; then echo directory; else mkdir -p "$(dirname "$t")" && mv -f "$f" "$t"; fi`,
  );
  if (answer.trim() === 'missing') throw problem('not_found', question.path, 'is not there');
  if (answer.trim() === 'directory') throw problem('is_directory', to, 'is a directory');
}

/** In the script `$f` is the path. */
async function ask({ session, path, signal }: Question, script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await session.run({
    command: `f=${quoteAll([anchored(path)])}; ${script}`,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  if (exitCode === 0) return stdout;
  throw problem('access_denied', path, `cannot be used: ${stderr.trim().slice(0, 200) || `exit code ${exitCode}`}`);
}

/** A name may begin with what a program takes for an option. */
function anchored(path: string): string {
  return `./${path}`;
}

function problem(code: ErrorCode, path: string, what: string): SandboxError {
  return new SandboxError(code, `'${path}' ${what}`, { path });
}

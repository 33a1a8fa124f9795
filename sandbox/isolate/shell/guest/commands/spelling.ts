import { type CustomCommand, defineCommand } from 'just-bash/browser';

interface Spelling {
  /** Short options that take a value, which people write attached (`-n2`) and the interpreter wants apart. */
  valued?: string;
  /** Short options that change nothing here. */
  ignored?: string;
  /** Short and long options that stand for others. */
  meant?: Record<string, readonly string[]>;
}

/** Ways of writing options that real commands take and the interpreter's do not. */
const SPELLINGS: Record<string, Spelling> = {
  xargs: { valued: 'InPd' },
  paste: { valued: 'd' },
  grep: { ignored: 'as' },
  egrep: { ignored: 'as' },
  fgrep: { ignored: 'as' },
  sed: { ignored: 's' },
  cp: { ignored: 'f', meant: { '-a': ['-r', '-p'], '--archive': ['-r', '-p'], '--force': [] } },
};

export const RESPELLED_COMMANDS: readonly CustomCommand[] = Object.entries(SPELLINGS).map(([name, spelling]) =>
  defineCommand(name, (args, context) => {
    if (context.origCommand === undefined) throw new Error(`${name} is not there`);
    return context.origCommand(completed(name, respell(args, spelling)));
  }),
);

function completed(name: string, args: string[]): string[] {
  // One replacement for each line, not for each word.
  if (name === 'xargs' && args.includes('-I') && !args.includes('-d') && !args.includes('-0'))
    return ['-d', '\n', ...args];
  // Without a file it reads its input.
  const onlyOptions = args.every((word, index) => word.startsWith('-') || args[index - 1] === '-d');
  return name === 'paste' && onlyOptions ? [...args, '-'] : args;
}

function respell(args: readonly string[], { valued = '', ignored = '', meant = {} }: Spelling): string[] {
  const respelled: string[] = [];
  const letters = Object.keys(meant).flatMap((option) => /^-([a-z])$/i.exec(option)?.[1] ?? []);
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    // From the first operand of xargs on, and after `--`, words are somebody else's.
    if (word === '--' || (valued.includes('I') && !word.startsWith('-'))) return [...respelled, ...args.slice(index)];
    const group = /^-([A-Za-z0-9].*)$/.exec(word)?.[1];
    if (group === undefined) {
      respelled.push(...(Object.hasOwn(meant, word) ? (meant[word] ?? []) : [word]));
      continue;
    }
    for (const letter of letters) if (group.includes(letter)) respelled.push(...(meant[`-${letter}`] ?? []));
    const { flags, value, takesNext } = readGroup(group, valued, ignored + letters.join(''));
    respelled.push(...flags, ...(value === undefined ? [] : [value]));
    const next = args[index + 1];
    if (takesNext && next !== undefined) {
      respelled.push(next);
      index += 1;
    }
  }
  return respelled;
}

/** `-sd,` is `-s` and `-d ,`. */
function readGroup(
  group: string,
  valued: string,
  ignored: string,
): { flags: string[]; value?: string; takesNext: boolean } {
  const at = [...group].findIndex((letter) => valued.includes(letter));
  const letters = at === -1 ? group : group.slice(0, at);
  const kept = [...letters].filter((letter) => !ignored.includes(letter)).join('');
  const flags = kept === '' ? [] : [`-${kept}`];
  if (at === -1) return { flags, takesNext: false };
  flags.push(`-${group.charAt(at)}`);
  const value = group.slice(at + 1);
  return value === '' ? { flags, takesNext: true } : { flags, value, takesNext: false };
}

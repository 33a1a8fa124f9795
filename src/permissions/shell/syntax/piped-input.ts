import { GLOB } from '../../text/marks.js';
import type { SimpleCommand, Step } from './shell-syntax.js';

/** The commands behind a pipe, each with what those before it bring, as far as that is known. */
export function pipeInto(steps: readonly Step[], before: readonly Step[]): Step[] {
  const fed = fedBy(before);
  return steps.map((step) => (step.kind === 'command' ? { ...step, command: { ...step.command, ...fed } } : step));
}

/** What a pipe brings. */
type Fed = Required<Pick<SimpleCommand, 'source'>> & Pick<SimpleCommand, 'piped'>;

function fedBy(steps: readonly Step[]): Fed {
  const [step] = steps;
  const file = steps.length === 1 && step?.kind === 'command' ? fileShownBy(step.command) : undefined;
  const piped = printedBy(steps);
  const source = file ?? `/dev/fd/${GLOB}`;
  return piped === undefined ? { source } : { source, piped };
}

/** `cat file` and `< file cat`. */
function fileShownBy({ words, redirects }: SimpleCommand): string | undefined {
  const [first, ...rest] = words.map(({ text }) => text);
  if (first !== 'cat') return undefined;
  const files = [...rest.filter((text) => text !== '-'), ...redirects.flatMap(({ target }) => target)];
  return files.length === 1 && files[0]?.startsWith('-') === false ? files[0] : undefined;
}

/** What `echo`, `printf` and `cat` of a here-document print, as far as a name in it can be found. */
function printedBy(steps: readonly Step[]): string | undefined {
  const texts = steps.flatMap((step): string[] => {
    if (step.kind === 'isolated') return listed(printedBy(step.steps));
    if (step.kind !== 'command') return [];
    const [first, ...rest] = step.command.words.map(({ text }) => text);
    if (first === 'cat') return listed(step.command.stdin);
    return first === 'echo' || first === 'printf' ? [rest.join(' ')] : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

import { type CommandContext, type CustomCommand, defineCommand } from 'just-bash/browser';
import type { Bridge } from '../../bridge.js';
import { host } from '../connection.js';

type Algorithm = Parameters<Bridge['digest']>[0];

const PROGRAMS: Record<string, Algorithm> = {
  md5sum: 'md5',
  sha1sum: 'sha1',
  sha224sum: 'sha224',
  sha256sum: 'sha256',
  sha384sum: 'sha384',
  sha512sum: 'sha512',
};

/** `md5sum` and its like, computed by the worker: the interpreter's own take seconds for some megabytes. */
export const DIGESTS: readonly CustomCommand[] = Object.entries(PROGRAMS).map(([name, algorithm]) =>
  defineCommand(name, (args, context) => {
    const { options, files } = readArguments(args);
    const unknown = options.find((option) => !KNOWN.has(option));
    if (unknown !== undefined)
      return Promise.resolve(failed(`${name}: invalid option -- '${unknown.replace(/^-+/, '')}'`));
    const work = { name, algorithm, context, options };
    return options.has('-c') || options.has('--check') ? verify(files, work) : print(files, work);
  }),
);

const KNOWN = new Set([
  '-b',
  '-t',
  '-c',
  '--binary',
  '--text',
  '--check',
  '--quiet',
  '--status',
  '--strict',
  '--warn',
  '-w',
]);

interface Work {
  name: string;
  algorithm: Algorithm;
  context: CommandContext;
  options: Options;
}

interface Options {
  has(option: string): boolean;
  find(test: (option: string) => boolean): string | undefined;
}

function readArguments(args: readonly string[]): { options: Options; files: string[] } {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const given = before.filter((word) => word.startsWith('-') && word !== '-');
  const words = given.flatMap((word) =>
    word.startsWith('--') ? [word] : [...word.slice(1)].map((letter) => `-${letter}`),
  );
  const files = [
    ...before.filter((word) => !word.startsWith('-') || word === '-'),
    ...(end === -1 ? [] : args.slice(end + 1)),
  ];
  return {
    options: { has: (option) => words.includes(option), find: (test) => words.find(test) },
    files: files.length === 0 ? ['-'] : files,
  };
}

async function print(files: readonly string[], { name, algorithm, context }: Work) {
  const output = { stdout: '', stderr: '', exitCode: 0 };
  for (const file of files) {
    const bytes = await contentOf(file, context);
    if (bytes === undefined) {
      output.stderr += `${name}: ${file}: No such file or directory\n`;
      output.exitCode = 1;
    } else output.stdout += `${digestOf(algorithm, bytes)}  ${file}\n`;
  }
  return output;
}

async function verify(files: readonly string[], { name, algorithm, context, options }: Work) {
  const output = { stdout: '', stderr: '', exitCode: 0 };
  const counts = { wrong: 0, missing: 0, malformed: 0 };
  const say = (line: string, isGood: boolean) => {
    if (!options.has('--status') && !(isGood && options.has('--quiet'))) output.stdout += `${line}\n`;
  };
  for (const list of files) {
    const text = await contentOf(list, context);
    if (text === undefined) return failed(`${name}: ${list}: No such file or directory`);
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const [, wanted, file] = /^([0-9a-fA-F]{32,128}) [ *](.+)$/.exec(line) ?? [];
      if (wanted === undefined || file === undefined) {
        counts.malformed += 1;
        continue;
      }
      const bytes = await contentOf(file, context);
      const isGood = bytes !== undefined && digestOf(algorithm, bytes) === wanted.toLowerCase();
      if (bytes === undefined) {
        counts.missing += 1;
        output.stderr += `${name}: ${file}: No such file or directory\n`;
      } else if (!isGood) counts.wrong += 1;
      say(`${file}: ${isGood ? 'OK' : bytes === undefined ? 'FAILED open or read' : 'FAILED'}`, isGood);
    }
  }
  for (const [count, one, many] of [
    [counts.malformed, 'line is improperly formatted', 'lines are improperly formatted'],
    [counts.missing, 'listed file could not be read', 'listed files could not be read'],
    [counts.wrong, 'computed checksum did NOT match', 'computed checksums did NOT match'],
  ] as const) {
    if (count > 0 && !options.has('--status'))
      output.stderr += `${name}: WARNING: ${count} ${count === 1 ? one : many}\n`;
  }
  output.exitCode = counts.wrong + counts.missing > 0 ? 1 : 0;
  return output;
}

/** Latin1 bytes; undefined where there is nothing to read. */
async function contentOf(file: string, { fs, cwd, stdin }: CommandContext): Promise<string | undefined> {
  if (file === '-') return String(stdin);
  try {
    return String(await fs.readFile(fs.resolvePath(cwd, file), 'binary'));
  } catch {
    return undefined;
  }
}

function digestOf(algorithm: Algorithm, bytes: string): string {
  return host()
    .digest(algorithm, bytes)
    .replace(/[\s\S]/g, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
}

function failed(message: string) {
  return { stdout: '', stderr: `${message}\n`, exitCode: 1 };
}

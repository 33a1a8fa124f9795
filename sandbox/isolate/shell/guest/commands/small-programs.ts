import { type CustomCommand, defineCommand } from 'just-bash/browser';

interface Output {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Programs every system has, small enough to be right and missing from the interpreter. */
export const SMALL_PROGRAMS: readonly CustomCommand[] = [
  defineCommand('uname', async (args) => said(`${uname(args)}\n`)),
  defineCommand('id', async (args) => said(`${identity(args)}\n`)),
  defineCommand('nproc', async () => said('1\n')),
  defineCommand('realpath', async (args, { fs, cwd }) => {
    const paths = args.filter((word) => !word.startsWith('-'));
    if (paths.length === 0) return failed('realpath: missing operand', 1);
    return collect(paths, async (path) => {
      try {
        return { stdout: `${await fs.realpath(fs.resolvePath(cwd, path))}\n` };
      } catch {
        return { stderr: `realpath: ${path}: No such file or directory\n` };
      }
    });
  }),
  defineCommand('mktemp', async (args, { fs, cwd }) => {
    const directory = args.some((word) => /^-[a-z]*d/.test(word));
    const template = args.find((word) => !word.startsWith('-')) ?? '/tmp/tmp.XXXXXXXXXX';
    const path = fs.resolvePath(
      cwd,
      template.replace(/X{3,}$/, (marks) => randomLetters(marks.length)),
    );
    if (await fs.exists(path)) return failed(`mktemp: failed to create '${path}': File exists`, 1);
    if (directory) await fs.mkdir(path);
    else await fs.writeFile(path, '');
    await fs.chmod(path, directory ? 0o700 : 0o600);
    return said(`${path}\n`);
  }),
  defineCommand('cmp', async (args, { fs, cwd, stdin }) => {
    const silent = args.some((word) => word === '-s' || word === '--silent' || word === '--quiet');
    const [first = '-', second = '-'] = args.filter((word) => word === '-' || !word.startsWith('-'));
    const read = async (path: string) =>
      path === '-' ? String(stdin) : String(await fs.readFile(fs.resolvePath(cwd, path), 'binary'));
    const contents: string[] = [];
    for (const path of [first, second]) {
      try {
        contents.push(await read(path));
      } catch {
        return failed(`cmp: ${path}: No such file or directory`, 2);
      }
    }
    const [one = '', other = ''] = contents;
    const difference = firstDifference(one, other);
    if (difference === undefined) return said('');
    return { stdout: silent ? '' : `${difference(first, second)}\n`, stderr: '', exitCode: 1 };
  }),
];

function uname(args: readonly string[]): string {
  const asked = args.join('');
  if (asked.includes('a')) return 'Linux sandbox 6.0.0 just-bash x86_64 GNU/Linux';
  const parts = { s: 'Linux', n: 'sandbox', r: '6.0.0', v: 'just-bash', m: 'x86_64', o: 'GNU/Linux' };
  const named = Object.entries(parts).filter(([letter]) => asked.includes(letter));
  return named.length === 0 ? parts.s : named.map(([, text]) => text).join(' ');
}

function identity(args: readonly string[]): string {
  const asked = args.join('');
  if (asked === '') return 'uid=1000(agent) gid=1000(agent) groups=1000(agent)';
  return asked.includes('n') ? 'agent' : '1000';
}

function randomLetters(count: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: count }, () => letters.charAt(Math.floor(Math.random() * letters.length))).join('');
}

function firstDifference(a: string, b: string): ((first: string, second: string) => string) | undefined {
  if (a === b) return undefined;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return (first, second) => `cmp: EOF on ${a.length < b.length ? first : second} after byte ${at}`;
  const line = a.slice(0, at).split('\n').length;
  return (first, second) => `${first} ${second} differ: byte ${at + 1}, line ${line}`;
}

async function collect(
  paths: readonly string[],
  work: (path: string) => Promise<{ stdout?: string; stderr?: string }>,
): Promise<Output> {
  const output: Output = { stdout: '', stderr: '', exitCode: 0 };
  for (const path of paths) {
    const { stdout = '', stderr = '' } = await work(path);
    output.stdout += stdout;
    output.stderr += stderr;
    if (stderr !== '') output.exitCode = 1;
  }
  return output;
}

function said(stdout: string): Output {
  return { stdout, stderr: '', exitCode: 0 };
}

function failed(message: string, exitCode: number): Output {
  return { stdout: '', stderr: `${message}\n`, exitCode };
}

import { type CustomCommand, defineCommand } from 'just-bash/browser';

interface Format {
  size: number;
  width: number;
  show(bytes: string): string;
}

interface Plan {
  formats: Format[];
  address: 'o' | 'd' | 'x' | 'n';
  skip: number;
  count: number;
  all: boolean;
  files: string[];
}

const LINE_BYTES = 16;
const NAMED: Record<number, string> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};

/** `od` with the options people use to look at bytes; the interpreter's knows few of them and guesses the rest. */
export const OD: CustomCommand = defineCommand('od', async (args, { fs, cwd, stdin }) => {
  const plan = readPlan(args);
  if (typeof plan === 'string') return { stdout: '', stderr: `od: ${plan}\n`, exitCode: 1 };
  let bytes = '';
  for (const file of plan.files.length === 0 ? ['-'] : plan.files) {
    if (file === '-') bytes += String(stdin);
    else {
      try {
        bytes += String(await fs.readFile(fs.resolvePath(cwd, file), 'binary'));
      } catch {
        return { stdout: '', stderr: `od: ${file}: No such file or directory\n`, exitCode: 1 };
      }
    }
  }
  return { stdout: dump(bytes.slice(plan.skip, plan.skip + plan.count), plan), stderr: '', exitCode: 0 };
});

function readPlan(args: readonly string[]): Plan | string {
  const plan: Plan = { formats: [], address: 'o', skip: 0, count: Number.POSITIVE_INFINITY, all: false, files: [] };
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const [, letter = '', attached = ''] = /^-([A-Za-z])(.*)$/.exec(word) ?? [];
    if (letter === '') {
      plan.files.push(word);
      continue;
    }
    const valued = 'AtjN'.includes(letter);
    const apart = valued && attached === '';
    if (apart) index += 1;
    const value = apart ? (args[index] ?? '') : attached;
    const problem = valued ? setValue(plan, letter, value) : setFlags(plan, letter + attached);
    if (problem !== undefined) return problem;
  }
  if (plan.formats.length === 0) plan.formats.push(numbers(2, 8, 7));
  return plan;
}

function setValue(plan: Plan, letter: string, value: string): string | undefined {
  if (letter === 'A') {
    if (!/^[odxn]$/.test(value)) return `invalid output address radix '${value}'`;
    plan.address = value as Plan['address'];
  } else if (letter === 'j') plan.skip = Number(value);
  else if (letter === 'N') plan.count = Number(value);
  else return setTypes(plan, value);
  return undefined;
}

function setTypes(plan: Plan, types: string): string | undefined {
  for (const [, kind = '', size = ''] of types.matchAll(/([acdoux])([124]?)/g)) {
    if (kind === 'c' || kind === 'a') plan.formats.push(characters());
    else plan.formats.push(numbersOf(kind, size === '' ? 4 : Number(size)));
  }
  return plan.formats.length === 0 ? `invalid type string '${types}'` : undefined;
}

function setFlags(plan: Plan, letters: string): string | undefined {
  for (const letter of letters) {
    if (letter === 'c') plan.formats.push(characters());
    else if (letter === 'b') plan.formats.push(numbers(1, 8, 4));
    else if (letter === 'x') plan.formats.push(numbers(2, 16, 5));
    else if (letter === 'd') plan.formats.push(numbers(2, 10, 6));
    else if (letter === 'v') plan.all = true;
    else return `invalid option -- '${letter}'`;
  }
  return undefined;
}

function numbersOf(kind: string, size: number): Format {
  const radix = kind === 'x' ? 16 : kind === 'o' ? 8 : 10;
  const digits =
    radix === 10
      ? ({ 1: 3, 2: 5, 4: 10 }[size] ?? 10) + (kind === 'd' ? 1 : 0)
      : (256 ** size - 1).toString(radix).length;
  return numbers(size, radix, digits + 1, kind === 'd');
}

function numbers(size: number, radix: number, width: number, signed = false): Format {
  const digits = radix === 10 ? 0 : (256 ** size - 1).toString(radix).length;
  const show = (bytes: string) => {
    let value = 0;
    for (let at = size - 1; at >= 0; at -= 1) value = value * 256 + (bytes.charCodeAt(at) || 0);
    if (signed && value >= 256 ** size / 2) value -= 256 ** size;
    return value.toString(radix).padStart(digits, '0').padStart(width);
  };
  return { size, width, show };
}

function characters(): Format {
  const show = (byte: string) => {
    const code = byte.charCodeAt(0);
    const text = NAMED[code] ?? (code >= 32 && code < 127 ? byte : code.toString(8).padStart(3, '0'));
    return text.padStart(4);
  };
  return { size: 1, width: 4, show };
}

function dump(bytes: string, plan: Plan): string {
  let text = '';
  let last: string | undefined;
  let starred = false;
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const line = bytes.slice(at, at + LINE_BYTES);
    if (!plan.all && line === last && line.length === LINE_BYTES) {
      if (!starred) text += '*\n';
      starred = true;
      continue;
    }
    last = line;
    starred = false;
    text += lines(line, addressOf(plan.skip + at, plan.address), plan.formats);
  }
  return plan.address === 'n' ? text : `${text}${addressOf(plan.skip + bytes.length, plan.address)}\n`;
}

/** One line for each format; columns of all formats stand below each other. */
function lines(bytes: string, address: string, formats: readonly Format[]): string {
  const perByte = Math.max(...formats.map(({ size, width }) => width / size));
  let text = '';
  formats.forEach(({ size, show }, index) => {
    text += index === 0 ? address : ' '.repeat(address.length);
    for (let at = 0; at < bytes.length; at += size) text += show(bytes.slice(at, at + size)).padStart(perByte * size);
    text += '\n';
  });
  return text;
}

function addressOf(offset: number, address: Plan['address']): string {
  if (address === 'n') return '';
  const radix = { o: 8, d: 10, x: 16 }[address];
  return offset.toString(radix).padStart(address === 'x' ? 6 : 7, '0');
}

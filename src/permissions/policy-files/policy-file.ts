import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { PolicyError } from '../rules/policy-error.js';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a policy file: JSON in which comments and trailing commas are allowed.
 * @param what it is, for errors
 * @throws PolicyError when it is missing, unreadable, no regular file, larger than 1 MiB, not UTF-8, starts with a byte
 * order mark, does not parse, or has a key twice: a policy that is not understood is never taken for an empty one
 */
export function readPolicyFile(path: string, what = 'the policy'): unknown {
  const name = `${what} '${path}'`;
  const text = readText(path, name);
  if (text.trim() === '') throw new PolicyError(`Cannot read ${name}: it is empty; write {} for one without rules`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const place = lineAndColumn(text, error?.offset ?? 0);
    const problem = error === undefined ? 'no value found' : inWords(printParseErrorCode(error.error));
    throw new PolicyError(`Cannot read ${name}: ${problem} at ${place}`);
  }
  return toValue(tree, { name, text });
}

/** `CloseBraceExpected` as a person would say it. */
function inWords(code: string): string {
  return code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function readText(path: string, name: string): string {
  const bytes = readBytes(path, name);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new PolicyError(`Cannot read ${name}: it starts with a byte order mark; save it as UTF-8 without one`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PolicyError(`Cannot read ${name}: it is not UTF-8`, { cause: error });
  }
}

/** A pipe would be waited for, and a device may have no end. */
function readBytes(path: string, name: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new PolicyError(`Cannot read ${name}: it is not a regular file`);
    if (stats.size > MAX_BYTES)
      throw new PolicyError(`Cannot read ${name}: it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new PolicyError(`Cannot read ${name}: ${code === 'ENOENT' ? 'no such file' : code}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The last of two equal keys would win silently: rules would be lost. */
function toValue(node: Node, file: { name: string; text: string }): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, file));
  if (node.type !== 'object') return node.value;
  const entries = new Map<string, unknown>();
  for (const { children = [], offset } of node.children ?? []) {
    const [key, value] = children;
    if (key === undefined || value === undefined) continue;
    if (entries.has(key.value)) {
      throw new PolicyError(
        `Cannot read ${file.name}: the key '${key.value}' is there twice, again at ${lineAndColumn(file.text, offset)}`,
      );
    }
    entries.set(key.value, toValue(value, file));
  }
  return Object.fromEntries(entries);
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

import { readFileSync } from 'node:fs';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { PolicyError } from './policy-error.js';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a policy file: JSON in which comments and trailing commas are allowed.
 * @throws PolicyError when it is missing, unreadable, not UTF-8, starts with a byte order mark, does not parse, or
 * has a key twice: a policy that is not understood is never taken for an empty one
 */
export function readPolicyFile(path: string): unknown {
  const text = readText(path);
  if (text.trim() === '')
    throw new PolicyError(`Cannot read the policy '${path}': it is empty; write {} for a policy without rules`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const place = lineAndColumn(text, error?.offset ?? 0);
    const problem = error === undefined ? 'no value found' : printParseErrorCode(error.error);
    throw new PolicyError(`Cannot read the policy '${path}': ${problem} at ${place}`);
  }
  return toValue(tree, { path, text });
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new PolicyError(`Cannot read the policy '${path}': ${code === 'ENOENT' ? 'no such file' : code}`, {
      cause: error,
    });
  }
  if (bytes.length > MAX_BYTES)
    throw new PolicyError(`Cannot read the policy '${path}': it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new PolicyError(
      `Cannot read the policy '${path}': it starts with a byte order mark; save it as UTF-8 without one`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PolicyError(`Cannot read the policy '${path}': it is not UTF-8`, { cause: error });
  }
}

/** The last of two equal keys would win silently: rules would be lost. */
function toValue(node: Node, file: { path: string; text: string }): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, file));
  if (node.type !== 'object') return node.value;
  const entries = new Map<string, unknown>();
  for (const { children = [], offset } of node.children ?? []) {
    const [key, value] = children;
    if (key === undefined || value === undefined) continue;
    if (entries.has(key.value)) {
      throw new PolicyError(
        `Cannot read the policy '${file.path}': the key '${key.value}' is there twice, again at ${lineAndColumn(file.text, offset)}`,
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

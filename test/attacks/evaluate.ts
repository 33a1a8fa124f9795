import { expect } from 'vitest';
import type { EvaluateOptions, EvaluateResult, JsonValue, SandboxSession } from '../../src/sandbox/contract.js';

export type Failure = Extract<EvaluateResult, { status: 'error' }>;

export async function evaluate(
  session: SandboxSession,
  code: string,
  options: EvaluateOptions = {},
): Promise<EvaluateResult> {
  if (session.evaluate === undefined) throw new Error('This backend does not evaluate JavaScript');
  return await session.evaluate(code, { timeoutMs: 5_000, ...options });
}

/** What the code returned; fails when it did not return. */
export async function returned(
  session: SandboxSession,
  code: string,
  options: EvaluateOptions = {},
): Promise<JsonValue> {
  const result = await evaluate(session, code, options);
  if (result.status !== 'ok') {
    throw new Error(`The code failed: ${result.code ?? ''} ${result.error.name}: ${result.error.message}`);
  }
  return result.value;
}

/** How the code failed; fails when it did not. */
export async function failureOf(
  session: SandboxSession,
  code: string,
  options: EvaluateOptions = {},
): Promise<Failure> {
  const result = await evaluate(session, code, options);
  expect(result, `${code.slice(0, 200)} must fail`).toMatchObject({ status: 'error' });
  return result as Failure;
}

/** The session still does JavaScript, commands and files. */
export async function expectAnswers(session: SandboxSession): Promise<void> {
  expect(await evaluate(session, 'return 6 * 7')).toMatchObject({ status: 'ok', value: 42 });
  expect(await session.exec('echo still here')).toMatchObject({ exitCode: 0, stdout: 'still here\n' });
  await session.fs.writeFile('still-here.txt', 'yes');
  expect(textOf(await session.fs.readFile('still-here.txt'))).toBe('yes');
  await session.fs.remove('still-here.txt');
}

export function textOf(bytes: Uint8Array | null): string {
  if (bytes === null) throw new Error('There is no such file');
  return Buffer.from(bytes).toString('utf8');
}

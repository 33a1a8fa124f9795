import { expect } from 'vitest';
import type { ToolHost, ToolOutcome } from '../../src/host/types.js';
import type { ToolErrorResult } from '../../src/tool/result.js';

export function call(host: ToolHost, toolName: string, args: unknown): Promise<ToolOutcome> {
  return host.call({ toolName, args });
}

/** What a call answered; fails when it was not answered. */
export async function outputOf<T = Record<string, unknown>>(
  host: ToolHost,
  toolName: string,
  args: unknown,
): Promise<T> {
  const outcome = await call(host, toolName, args);
  if (outcome.status !== 'ok') throw new Error(`${toolName} was not answered: ${JSON.stringify(outcome)}`);
  return outcome.output as T;
}

/** How a call failed; fails when it did not. */
export async function errorOf(host: ToolHost, toolName: string, args: unknown): Promise<ToolErrorResult> {
  const outcome = await call(host, toolName, args);
  expect(outcome, `${toolName} ${JSON.stringify(args)?.slice(0, 300)} must fail`).toMatchObject({ status: 'error' });
  return (outcome as Extract<ToolOutcome, { status: 'error' }>).error;
}

export interface ShellOutput {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  cause?: string;
}

export function shell(host: ToolHost, command: string): Promise<ShellOutput> {
  return outputOf<ShellOutput>(host, 'shell', { command });
}

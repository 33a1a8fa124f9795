import { randomUUID } from 'node:crypto';
import type { ToolHost } from '../../../host/types.js';
import type { ShellResult } from '../../../tools/index.js';

export interface FollowedCommand {
  command: string;
  /** Takes what was added to the output off again. */
  read(result: ShellResult): { result: ShellResult; directory?: string };
  notes: string[];
}

/**
 * Lets a command that changes the directory say where it ended. What is added to it is judged by the permission rules
 * like the rest: where that would change their answer, the command runs as it is and a note says so.
 */
export function followDirectory(
  command: string,
  { policy, cwd }: { policy: ToolHost['permissions']; cwd: string | undefined },
): FollowedCommand {
  const plain: FollowedCommand = { command, read: (result) => ({ result }), notes: [] };
  if (!/\b(?:cd|pushd|popd)\b/.test(command) || /\\\s*$/.test(command)) return plain;
  const marker = `caisson-${randomUUID()}`;
  const followed = `${command}\n_caisson_status=$?; printf '\\n%s %s\\n' ${marker} "$PWD"; exit $_caisson_status`;
  const effectOf = (text: string) => policy.decide({ toolName: 'shell', args: argumentsOf(text, cwd) }).effect;
  if (effectOf(command) !== effectOf(followed)) {
    return {
      ...plain,
      notes: [`Note: the next command runs in ${cwd ?? 'the workspace'}; cd holds within one command`],
    };
  }
  return { command: followed, read: (result) => readDirectory(result, marker), notes: [] };
}

function argumentsOf(command: string, cwd: string | undefined): Record<string, unknown> {
  return { command, ...(cwd !== undefined && { cwd }) };
}

function readDirectory(result: ShellResult, marker: string): { result: ShellResult; directory?: string } {
  const at = result.stdout.lastIndexOf(`\n${marker} `);
  if (at === -1) return { result };
  const directory = result.stdout.slice(at + marker.length + 2).replace(/\n$/, '');
  const shown = { ...result, stdout: result.stdout.slice(0, at) };
  return directory.startsWith('/') ? { result: shown, directory } : { result: shown };
}

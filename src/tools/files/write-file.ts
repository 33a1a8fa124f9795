import { z } from 'zod';
import type { Sandbox } from '../../sandbox/contract.js';
import { isSandboxError, SandboxError } from '../../sandbox/errors.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { refuseOnHost } from '../host-refusal.js';
import { pathLabel } from '../path-label.js';
import type { EditingToolOptions } from './editing-tool-options.js';
import { withPathLock } from './path-lock.js';

const input = z.strictObject({
  path: z.string().min(1).describe('File to write, relative to the workspace or absolute (/workspace/…)'),
  content: z.string().describe('The whole new text of the file, written as UTF-8'),
});

/** What `write_file` answers. */
export interface WriteFileResult {
  path: string;
  bytes: number;
  /** `false` when a file was replaced. Absent where the sandbox cannot tell: it may have no way to look at files. */
  created?: boolean;
}

/** Makes `write_file`: replaces a file at once or not at all; missing directories are made. */
export function createWriteFileTool(options: EditingToolOptions = {}) {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a text file of the workspace, replacing what is there; missing directories are created. To change part of a file, use edit_file.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    needsApproval: options.needsApproval ?? false,
    editsFiles: true,
    requiresSandbox: true,
    execute: refuseOnHost('write_file'),
    sandboxExecute: writeFile,
  });
}

async function writeFile(
  { path, content }: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<WriteFileResult> {
  const label = pathLabel(path, sandbox);
  if (!content.isWellFormed()) {
    throw new SandboxError(
      'encoding',
      `Cannot write "${label}": the content holds half of a surrogate pair, which UTF-8 cannot carry`,
      {
        path: label,
      },
    );
  }
  const options = signalOf(context);
  const bytes = new TextEncoder().encode(content);
  const write = async (): Promise<WriteFileResult> => {
    const before = await sandbox.fs.stat(path, options).catch(unlessUnsupported);
    await sandbox.fs.writeFile(path, bytes, options).catch((error: unknown) => explainDirectory(error, label));
    return { path: label, bytes: bytes.length, ...(before === undefined ? {} : { created: before === null }) };
  };
  return withPathLock({ sandboxId: sandbox.id, path: label }, write, options);
}

/** An adapter that can write and nothing else is enough here. */
function unlessUnsupported(error: unknown): undefined {
  if (!isSandboxError(error) || error.code !== 'unsupported') throw error;
}

function explainDirectory(error: unknown, label: string): never {
  if (isSandboxError(error) && error.code === 'is_directory') {
    throw new SandboxError('is_directory', `Cannot write "${label}": it is a directory; name a file in it`, {
      path: label,
      cause: error,
    });
  }
  throw error;
}

import type { ToolErrorResult } from '../../tool/result.js';
import type { ShellResult } from '../../tools/index.js';
import { CallFailed } from '../provider/call-failed.js';
import { quoteWord } from '../provider/quote-word.js';
import { member, textMember } from '../provider/record.js';
import { malformed } from '../provider/refusals.js';
import { replaceText } from '../provider/replace-text.js';
import { readWhole } from '../provider/text-file.js';
import type { HostCall, TurnCall } from '../provider/turn-call.js';
import { applyDiff } from './patch/apply-diff.js';
import { PatchError } from './patch/patch-error.js';
import { readCreateDiff } from './patch/read-diff.js';
import type { CallItem } from './response-calls.js';
import type { OpenAiOutputItem } from './wire.js';

/** Characters of a diff. */
const MAX_DIFF_CHARACTERS = 8 * 1024 * 1024;

/**
 * An `apply_patch_call`: one file created (`write_file`), updated (`read_file`, then one `edit_file`) or deleted
 * (`shell`, for no tool deletes). A failed one changes nothing.
 */
export function applyPatchCall({ callId, item, echo }: CallItem): TurnCall<OpenAiOutputItem> {
  const answer = (status: 'completed' | 'failed', output: string): OpenAiOutputItem => ({
    type: 'apply_patch_call_output',
    call_id: callId,
    status,
    output,
    ...echo,
  });
  const failed = (error: ToolErrorResult) => answer('failed', JSON.stringify(error));
  const operation = readOperation(member(item, 'operation'));
  if ('problem' in operation) return { kind: 'refused', answer: failed(malformed('apply_patch', operation.problem)) };
  return {
    kind: 'coding',
    toolCallId: callId,
    toolName: 'apply_patch',
    failed,
    async run(call) {
      try {
        return answer('completed', await apply(operation, call));
      } catch (error) {
        if (error instanceof PatchError) return answer('failed', error.message);
        throw error;
      }
    },
  };
}

type Operation =
  | { type: 'create_file' | 'update_file'; path: string; diff: string }
  | { type: 'delete_file'; path: string };

function readOperation(operation: unknown): Operation | { problem: string } {
  const type = member(operation, 'type');
  const path = textMember(operation, 'path');
  const diff = member(operation, 'diff');
  if (path === undefined || path.includes('\0')) return { problem: "'operation.path' must be a path" };
  if (type === 'delete_file') return { type, path };
  if (type !== 'create_file' && type !== 'update_file')
    return { problem: "'operation.type' must be create_file, update_file or delete_file" };
  if (typeof diff !== 'string') return { problem: "'operation.diff' must be a text" };
  if (diff.length > MAX_DIFF_CHARACTERS)
    return { problem: `'operation.diff' has ${diff.length} characters; at most ${MAX_DIFF_CHARACTERS} are read` };
  return { type, path, diff };
}

function apply(operation: Operation, call: HostCall): Promise<string> {
  switch (operation.type) {
    case 'create_file':
      return create(operation, call);
    case 'update_file':
      return update(operation, call);
    case 'delete_file':
      return remove(operation, call);
  }
}

async function create({ path, diff }: { path: string; diff: string }, call: HostCall): Promise<string> {
  const content = readCreateDiff(diff, path);
  const existing = await call('read_file', { path, limit: 1 });
  // A file that cannot be shown as text is there all the same.
  if (existing.status === 'ok' || existing.error.code === 'encoding' || existing.error.code === 'file_too_large')
    throw new PatchError(`Cannot create "${path}": the file exists already; use update_file`);
  if (existing.error.code !== 'not_found') throw new CallFailed(existing.error);
  const written = await call('write_file', { path, content });
  if (written.status === 'error') throw new CallFailed(written.error);
  return `Created ${path}`;
}

async function update({ path, diff }: { path: string; diff: string }, call: HostCall): Promise<string> {
  const before = await readWhole(call, path);
  await replaceText(call, path, { before, after: applyDiff(before, diff, path) });
  return `Updated ${path}`;
}

async function remove({ path }: { path: string }, call: HostCall): Promise<string> {
  const outcome = await call('shell', { command: `rm -- ${quoteWord(path)}` });
  if (outcome.status === 'error') throw new CallFailed(outcome.error);
  const { exitCode, stderr } = outcome.output as ShellResult;
  if (exitCode === 0) return `Deleted ${path}`;
  throw new PatchError(
    `Cannot delete "${path}": ${stderr.trim() === '' ? `rm ended with ${exitCode}` : stderr.trim()}`,
  );
}

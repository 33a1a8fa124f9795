/**
 * Lets an agent work on a directory without writing to it, shows what it changed, and commits when that is fine.
 *
 *   node examples/review-before-commit.ts
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codingTools, createIsolateSandbox, createToolHost } from 'caisson';

const workspace = await mkdtemp(join(tmpdir(), 'caisson-example-'));
await writeFile(join(workspace, 'greeting.txt'), 'Helo\n');

try {
  await using sandbox = createIsolateSandbox({ workspace, workspaceMode: 'overlay' });
  await using host = createToolHost({ sandbox, tools: codingTools() });

  await host.call({ toolName: 'edit_file', args: { path: 'greeting.txt', old_string: 'Helo', new_string: 'Hello' } });

  const changes = await sandbox.changes();
  for (const change of changes)
    console.log(`${change.kind} ${change.path}: ${change.before?.trim()} → ${change.after?.trim()}`);

  const reviewed = changes.every((change) => change.kind === 'modified');
  if (reviewed) await sandbox.commit();
  else await sandbox.discard();
  console.log(`On disk: ${(await readFile(join(workspace, 'greeting.txt'), 'utf8')).trim()}`);
} finally {
  await rm(workspace, { recursive: true, force: true });
}

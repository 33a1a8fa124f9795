import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delay, session, temporaryDirectory } from './fixture.js';

describe('commit()', () => {
  it('waits for the command that runs, and commands wait for it', async () => {
    const workspace = temporaryDirectory();
    writeFileSync(join(workspace, 'f'), 'before\n');
    const sandbox = session({ workspace, workspaceMode: 'overlay' });
    await sandbox.start();
    const first = sandbox.exec('echo half > f; sleep 0.5; echo whole > f');
    await delay(100);
    const commit = sandbox.commit();
    const second = sandbox.exec('echo later > f');
    expect(await commit).toEqual({ added: 0, modified: 1, deleted: 0 });
    expect(readFileSync(join(workspace, 'f'), 'utf8')).toBe('whole\n');
    await Promise.all([first, second]);
    expect((await sandbox.changes()).map(({ path, after }) => [path, after])).toEqual([['f', 'later\n']]);
    await sandbox.discard();
    expect((await sandbox.exec('cat f')).stdout).toBe('whole\n');
  });
});

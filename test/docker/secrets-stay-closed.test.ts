import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeLeaks } from '../permissions/describe-leaks.js';
import { FILES } from '../permissions/leak-cases.js';
import { describeOnDocker } from './engine.js';
import { makeWorkspace, WORKSPACE_UID } from './workspaces.js';

describeOnDocker('secrets stay closed', () => {
  for (const [workspaceMode, enforcement] of [
    ['direct', 'mask'],
    ['overlay', 'overlay'],
  ] as const) {
    describeLeaks('a container', {
      workspaceMode,
      enforcement,
      async open() {
        const root = await makeWorkspace();
        for (const [path, content] of Object.entries(FILES)) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          writeFileSync(join(root, path), content);
        }
        execFileSync('chown', ['-R', `${WORKSPACE_UID}:${WORKSPACE_UID}`, root]);
        const session = createDockerSandbox({ workspace: root, workspaceMode });
        return { session, root, close: () => rm(root, { recursive: true, force: true }) };
      },
    });
  }

  describeLeaks('a container', {
    workspaceMode: 'memory',
    enforcement: 'text only',
    async open() {
      const session = createDockerSandbox({});
      for (const [path, content] of Object.entries(FILES)) await session.fs.writeFile(path, content);
      return { session, close: async () => {} };
    },
  });
});

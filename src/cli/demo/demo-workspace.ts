import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createPrivateDirectory } from '../../sandbox/private-directory.js';

/** A temporary copy of an installed package, with a secret planted in its `.env` and in a file beside the workspace. */
export interface DemoWorkspace extends AsyncDisposable {
  path: string;
  /** What must never be seen in any answer. */
  secret: string;
  /** Whether the files on disk are still as they were copied. */
  isUntouched(): Promise<boolean>;
}

const EDITED = 'src/v4/core/versions.ts';

/** Copies zod, which is installed with Caisson; removed at dispose. */
export async function createDemoWorkspace(): Promise<DemoWorkspace> {
  const source = dirname(createRequire(import.meta.url).resolve('zod/package.json'));
  const { path: directory, remove } = createPrivateDirectory({ kind: 'demo' });
  const path = join(directory, 'workspace');
  const secret = `sk-demo-${crypto.randomUUID()}`;
  await cp(join(source, 'src'), join(path, 'src'), { recursive: true });
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(source, file), join(path, file));
  await writeFile(join(path, '.env'), `DEMO_SECRET=${secret}\n`);
  await writeFile(join(directory, 'outside.txt'), `${secret}\n`);
  await mkdir(join(path, 'config'));
  await symlink('../.env', join(path, 'config/current'));
  const original = await readFile(join(path, EDITED), 'utf8');
  return {
    path,
    secret,
    isUntouched: async () => (await readFile(join(path, EDITED), 'utf8')) === original,
    [Symbol.asyncDispose]: async () => remove(),
  };
}

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
  const directory = await mkdtemp(join(tmpdir(), 'caisson-demo-'));
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
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

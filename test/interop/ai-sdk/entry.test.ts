import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Which framework packages are read when an entry is loaded, from its sources. */
async function frameworksLoadedBy(entry: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const isOurs = specifier.startsWith('.') && !context.parentURL?.includes('/node_modules/');
        const source = isOurs ? specifier.replace(/\\.js$/, '.ts') : specifier;
        const resolved = next(source, context);
        const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url);
        if (found !== null) loaded.add(found[1]);
        return resolved;
      },
    });
    await import(${JSON.stringify(`${ROOT}${entry}`)});
    console.log(JSON.stringify([...loaded]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  return JSON.parse(stdout);
}

const FRAMEWORKS = /^(ai|ai7|@ai-sdk\/.*|@hoangvvo\/.*|bash-tool|@modelcontextprotocol\/.*|dockerode|isolated-vm)$/;

describe.each(['src/interop/ai-sdk/index.ts', 'src/interop/llm-agent/index.ts', 'src/index.ts'])('%s', (entry) => {
  it('loads no framework, no container client and no native module', { timeout: 60_000 }, async () => {
    const loaded = await frameworksLoadedBy(entry);
    expect(loaded.filter((name) => FRAMEWORKS.test(name))).toEqual([]);
  });
});

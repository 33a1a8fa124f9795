import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

/**
 * The agent and its file helper, each one self-contained script: they travel to the container in one piece and need
 * nothing but Node.
 */
export default (
  [
    ['agent', 'agent.ts'],
    ['file-helper', 'files/file-helper.ts'],
    // This one stays on the host's machine.
    ['name-guard', 'names/start-name-guard.ts'],
  ] as const
).map(([name, entry]) =>
  defineConfig({
    name: `guest-${name}`,
    entry: { [name]: fileURLToPath(new URL(entry, import.meta.url)) },
    outDir: fileURLToPath(new URL('../../dist/guest', import.meta.url)),
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    outExtensions: () => ({ js: '.cjs' }),
    dts: false,
    clean: false,
    minify: true,
    deps: { alwaysBundle: [/^(?!node:)/] },
    outputOptions: { codeSplitting: false },
  }),
);

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import container from './sandbox/container/tsdown.config.ts';
import execFiles from './sandbox/exec-files/tsdown.config.ts';

/** The library, one entry per subpath export, and the command line. */
const host = defineConfig({
  name: 'host',
  entry: {
    index: 'src/index.ts',
    mcp: 'src/interop/mcp/index.ts',
    openai: 'src/interop/openai/index.ts',
    anthropic: 'src/interop/anthropic/index.ts',
    'ai-sdk': 'src/interop/ai-sdk/index.ts',
    'llm-agent': 'src/interop/llm-agent/index.ts',
    'unsafe-host': 'src/unsafe-host.ts',
    testing: 'test/contract/suite/index.ts',
    cli: 'src/cli/main.ts',
  },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  dts: true,
  clean: false,
});

/**
 * What runs in the isolate's worker process: the worker and its watchdog thread, one file each, so that they load fast
 * and need to read nothing else. A thread that is given its code can only be given CommonJS.
 */
const workers = (['worker', 'watchdog'] as const).map((name) =>
  defineConfig({
    name: `guest-${name}`,
    entry: { [name]: name === 'worker' ? 'sandbox/isolate/worker.ts' : 'sandbox/isolate/watch/watchdog-thread.ts' },
    outDir: 'dist/guest',
    format: name === 'worker' ? 'esm' : 'cjs',
    platform: 'node',
    target: 'node24',
    fixedExtension: false,
    dts: false,
    clean: false,
    deps: { alwaysBundle: [/^(?!node:|isolated-vm$)/], neverBundle: ['isolated-vm'] },
  }),
);

// Node reads this file itself, and then imports TypeScript only by its real name.
const patches = new URL('sandbox/isolate/shell/patches/interpreter-patches.ts', import.meta.url).href;
const { patchInterpreter } = (await import(
  patches
)) as typeof import('./sandbox/isolate/shell/patches/interpreter-patches.js');
const guest = fileURLToPath(new URL('sandbox/isolate/', import.meta.url));
const hooks = `${guest}shell/guest/interpreter-hooks.ts`;
const zlib = `${guest}shell/guest/zlib.ts`;

/** What is loaded into the isolates: plain scripts with no imports, for V8 alone. */
const scripts = (['shell', 'evaluate'] as const).map((name) =>
  defineConfig({
    name: `guest-${name}`,
    entry: {
      [name]: name === 'shell' ? 'sandbox/isolate/shell/guest/shell.ts' : 'sandbox/isolate/evaluate/guest/evaluate.ts',
    },
    outDir: 'dist/guest',
    format: 'iife',
    platform: 'neutral',
    target: 'node24',
    dts: false,
    clean: false,
    minify: name === 'shell',
    deps: { alwaysBundle: [/.*/] },
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    outputOptions: { codeSplitting: false, entryFileNames: '[name].js' },
    plugins: [
      {
        name: 'caisson-interpreter',
        resolveId(source) {
          if (source === 'node:zlib') return zlib;
          if (source === 'turndown') return `${guest}shell/guest/absent-module.ts`;
          // The package says that its modules do nothing when loaded; this one sets up the globals the others need.
          if (source === './platform.js') return { id: `${guest}shell/guest/platform.ts`, moduleSideEffects: true };
          return undefined;
        },
        transform(code, id) {
          if (!id.includes('just-bash/dist/bundle/browser.js')) return undefined;
          return `import * as caissonHooks from ${JSON.stringify(hooks)};\n${patchInterpreter(code)}`;
        },
      },
    ],
  }),
);

export default [host, ...workers, ...scripts, container, execFiles].flat();

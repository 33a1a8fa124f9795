import { defineConfig } from 'tsdown';

/** The library, one entry per subpath export, and the command line. */
const host = defineConfig({
  entry: { index: 'src/index.ts', testing: 'test/contract/suite/index.ts', cli: 'src/cli/main.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  dts: true,
  clean: false,
});

/** What runs in the isolate's worker process: one file, so that it loads fast and needs to read nothing else. */
const worker = defineConfig({
  entry: { worker: 'sandbox/isolate/worker.ts' },
  outDir: 'dist/guest',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  dts: false,
  clean: false,
  deps: { alwaysBundle: [/^(?!node:|isolated-vm$)/], neverBundle: ['isolated-vm'] },
});

export default [host, worker].flat();

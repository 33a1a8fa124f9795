import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

/** The host's helper for files in containers without Node, as one script that needs nothing but Node. */
export default defineConfig({
  name: 'guest-exec-files',
  entry: { 'exec-files': fileURLToPath(new URL('helper.ts', import.meta.url)) },
  outDir: fileURLToPath(new URL('../../dist/guest', import.meta.url)),
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  outExtensions: () => ({ js: '.cjs' }),
  dts: false,
  clean: false,
  deps: { alwaysBundle: [/^(?!node:)/] },
  outputOptions: { codeSplitting: false },
});

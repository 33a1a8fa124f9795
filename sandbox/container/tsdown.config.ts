import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

/** The agent as one self-contained script: it travels to the container in one piece and needs nothing but Node. */
export default defineConfig({
  name: 'guest-agent',
  entry: { agent: fileURLToPath(new URL('agent.ts', import.meta.url)) },
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
});

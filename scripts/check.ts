/** The whole gate in one command: every step runs even after one failed, and the last line says how many did. */
import { spawnSync } from 'node:child_process';

const STEPS: [name: string, command: string, args: string[]][] = [
  ['format and lint', 'biome', ['check', '.']],
  ['import direction', 'depcruise', ['src', 'sandbox']],
  ['types', 'tsc', ['-p', '.']],
  ['dead exports', 'knip', []],
  ['clean', 'node', ['scripts/clean.ts']],
  ['build', 'tsdown', ['--logLevel', 'warn']],
  ['package shape', 'publint', ['--strict']],
  ['third-party notices', 'node', ['scripts/notices.ts', '--check']],
  ['pictures', 'node', ['scripts/architecture-picture.ts', '--check']],
  ['tests', 'vitest', ['run']],
];

/** The tests take about 25 minutes on two cores. */
const STEP_TIMEOUT_MS = 45 * 60_000;

const results = STEPS.map(([name, command, args]) => {
  console.log(`\n── ${name}: ${command} ${args.join(' ')}`);
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', timeout: STEP_TIMEOUT_MS });
  return { name, passed: status === 0, seconds: (performance.now() - started) / 1000 };
});

console.log('');
for (const { name, passed, seconds } of results)
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(20)} ${seconds.toFixed(1)} s`);
const failed = results.filter((result) => !result.passed).length;
console.log(failed === 0 ? `All ${results.length} steps passed` : `${failed} of ${results.length} steps failed`);
process.exitCode = failed === 0 ? 0 : 1;

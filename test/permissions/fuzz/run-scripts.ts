import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that bash ran, and with which words. */
export interface Invocation {
  program: string;
  words: readonly string[];
}

/** Only logged. */
const STUBS = ['zap', 'git', 'ok', 'sudo', 'ls', 'rm'];
const AS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
/** Harmless, and needed to run what they wrap. */
const REAL = ['bash', 'cat', 'env', 'timeout', 'nice', 'nohup', 'setsid', 'stdbuf', 'xargs', 'find'];

/**
 * Runs scripts by the real bash, each in a subshell of its own and in an empty directory, with nothing on the path but
 * stubs that log. What each stub was called as tells the script that called it, however the environment was changed.
 */
export async function runScripts(scripts: readonly string[]): Promise<Invocation[][]> {
  const root = mkdtempSync(join(tmpdir(), 'shell-fuzz-'));
  try {
    prepare(root, scripts);
    await run(root, scripts.length);
    return readLog(join(root, 'log'), scripts.length);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function prepare(root: string, scripts: readonly string[]): void {
  const stubs = join(root, 'stubs');
  for (const directory of [stubs, join(root, 'p'), join(root, 'work')]) mkdirSync(directory);
  const stub = join(root, 'stub');
  writeFileSync(stub, `#!/bin/sh\nexec >> '${join(root, 'log')}'\nprintf '%s\\037' "$0" "$@"\nprintf '\\036'\n`);
  chmodSync(stub, 0o755);
  for (const name of STUBS) symlinkSync(stub, join(stubs, name));
  for (const name of REAL) {
    const found = ['/usr/bin', '/bin'].map((directory) => join(directory, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(stubs, name));
  }
  symlinkSync(join(stubs, 'bash'), join(stubs, 'sh'));
  writeFileSync(join(root, 'log'), '');
  writeFileSync(join(root, 'scripts'), scripts.map((script) => `${script}\0`).join(''));
  for (const index of scripts.keys()) symlinkSync(stubs, join(root, 'p', String(index)));
  if (!AS_ROOT) return;
  for (const path of [root, join(root, 'work'), join(root, 'log')]) chownSync(path, NOBODY, NOBODY);
}

/** A script that hangs is ended at the second tick of a clock, with all that it started; what it ran before counts. */
function run(root: string, count: number): Promise<void> {
  const driver = `
    root=$1 count=$2
    ulimit -t 2 -f 2000
    exec 0</dev/null >/dev/null 2>&1
    mapfile -d '' -t scripts < "$root/scripts"
    set -m
    echo 0 > "$root/current"
    ( while sleep 0.4; do
        read -r job < "$root/current"
        [ "$job" = "$last" ] && kill -9 -- "-$job"
        last=$job
      done ) & clock=$!
    groups=()
    for ((i = 0; i < count; i++)); do
      script=\${scripts[i]}
      ( set +m
        cd "$root/work" || exit
        PATH=$root/p/$i HOME=$root/work
        unset root count i groups clock scripts
        eval "$script" ) & job=$!
      groups+=($job)
      echo $job > "$root/current"
      wait $job
    done
    kill -9 -- -$clock
    sleep 0.3
    for job in "\${groups[@]}"; do kill -9 -- -$job; done`;
  const [program = 'bash', ...args] = [
    ...container(),
    'bash',
    '--norc',
    '--noprofile',
    '-c',
    driver,
    'fuzz',
    root,
    String(count),
  ];
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { timeout: 60_000, killSignal: 'SIGKILL', env: { PATH: '/usr/bin:/bin' } },
      () => resolve(),
    );
    child.stdin?.end();
  });
}

/**
 * A process namespace, where one can be made: a random script may fork without end or leave its group, and everything
 * in a namespace ends with its first process. Never as root, who could write anywhere: a redirection to a distorted
 * `/dev/null` makes a file.
 */
function container(): string[] {
  const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  // The namespace's first process keeps its user: one that changes it no longer dies with its parent.
  const asNobody = ['sh', '-c', `${nobody.join(' ')} "$@"; exit $?`, 'first'];
  if (AS_ROOT) return ['unshare', '--pid', '--fork', '--kill-child', ...asNobody];
  const form = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
  const [program = '', ...args] = form;
  return spawnSync(program, [...args, 'true']).status === 0 ? form : [];
}

function readLog(path: string, count: number): Invocation[][] {
  const found: Invocation[][] = Array.from({ length: count }, () => []);
  for (const record of readFileSync(path, 'latin1').split('\x1e')) {
    const [called = '', ...words] = record.split('\x1f').slice(0, -1);
    const match = /\/p\/(\d+)\/(\w+)$/.exec(called);
    const index = match === null ? -1 : Number(match[1]);
    found[index]?.push({ program: match?.[2] ?? '', words });
  }
  return found;
}

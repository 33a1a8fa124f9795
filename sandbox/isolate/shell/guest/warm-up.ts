import type { Bridge } from '../bridge.js';
import { connectBridge } from './connection.js';
import { runCommand } from './run-command.js';

/**
 * Runs common commands while the snapshot is made, so that their code is compiled in it. Nothing is connected then:
 * this stands in for the worker.
 */
export function warmUp(): void {
  connectBridge(stub);
  for (const command of SCRIPTS) void runCommand({ command, cwd: '/workspace', env: {}, stdin: '' });
}

const SCRIPTS = [
  'echo hi | cat; ls -la / | grep x | head -1; for i in 1 2; do echo "$i"; done; x=$(printf %s a); [ -f f ] && cat f',
  'cat a | sed s/a/b/ | sort | uniq -c | wc -l; echo hi > f; find . -name "*.ts" | xargs grep -n a; f() { echo $1; }; f a',
  'n=0; while [ $n -lt 2 ]; do n=$((n+1)); done; if [[ $x == a* ]]; then :; else echo no >&2; fi; y=$(ls | head -2 | tail -1) || exit 1',
  'mkdir -p d && cp a d && mv d/a d/b; rm -rf d; cat <<< "$y" | tr a b | cut -c1 >> f 2>&1; pwd; cd / && ls *.ts; grep -rn a .',
];

const stub: Bridge = {
  file: (operation) => {
    if (operation === 'stat' || operation === 'lstat') return '{"type":"directory","size":0,"mode":493,"mtimeMs":0}';
    return operation === 'list' ? '[{"name":"a.ts","type":"file"}]' : operation === 'realpath' ? '/workspace' : '';
  },
  failure: () => '{"code":"not_found","message":""}',
  interrupted: () => 0,
  emit: () => undefined,
  done: () => undefined,
  startTimer: () => undefined,
  stopTimer: () => undefined,
  decode: (bytes) => bytes,
  encode: (text) => text,
  byteLength: (text) => text.length,
  digest: () => '',
  toBase64: () => '',
  fromBase64: () => '',
};

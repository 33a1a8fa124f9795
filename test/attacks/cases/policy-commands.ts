import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Attacks } from '../attack.js';
import { call, shell } from '../call.js';

/** Each runs `rm`, `sh` or something unknown through another program, and can be seen to. */
const WRAPPED = [
  "env sh -c 'rm x'",
  'env -i A=b rm x',
  'echo x | xargs sh',
  'echo x | xargs -0 -n1 rm',
  'find . -exec rm {} +',
  'find . -name x -exec sh -c "rm {}" \\;',
  'timeout 5 sh',
  'nice -n 5 rm x',
  'busybox sh',
  'busybox rm x',
  `python -c 'import os; os.system("rm x")'`,
  `perl -e 'system("rm x")'`,
  `awk 'BEGIN{system("rm x")}'`,
  'git -c core.pager=rm log',
  'git -c alias.x="!rm x" x',
  'tar xf a.tar --to-command=sh',
  'ssh -o ProxyCommand="rm x" host',
  'ssh host rm x',
  "bash -c 'rm x'",
  'nohup setsid rm x',
  'sudo rm x',
  'command rm x',
  'exec rm x',
  'time rm x',
  'find . | while read f; do rm "$f"; done',
];

/** What these run is written elsewhere; a rule about commands says nothing of it, and only the sandbox holds it. */
const OPAQUE = [
  'make',
  'npx evil',
  'npm test',
  './script',
  "sed 's/x/rm x/e' file",
  'vim -c ":!rm x"',
  'sort --compress-program=sh big',
];

export const policyCommands: Attacks = {
  'HOST-005': async (stage) => {
    const host = stage.host({ permissions: { deny: ['shell(touch:*)', 'shell(id:*)'] } });
    const commands = [
      "echo $[ x='a[$(touch F)]', x ]",
      '((a[$(id)]))',
      `echo "\${x:=$(id)}"`,
      'cat <<<$(id)',
      'cat <<E\n$(touch F)\nE',
      `echo "\${a[$(id)]}"`,
      'echo $((`id`))',
      "eval 'to''uch F'",
      'x=touch; $x F',
      '"$(echo touch)" F',
      'echo ok; \\touch F',
      'case x in $(id)) ;; esac',
      '[[ $(id) ]]',
      'echo >(touch F)',
      'coproc touch F',
      'echo "unterminated $(id',
      'if touch F; then :; fi <<< x',
      'select x in $(id); do break; done',
    ];
    for (const command of commands) {
      const outcome = await call(host, 'shell', { command });
      expect(outcome, command).toMatchObject({ status: 'error', error: { kind: 'denied' } });
    }
    expect(await shell(host, 'echo fine; ls F 2>/dev/null')).toMatchObject({ stdout: 'fine\n' });
  },

  'HOST-007': async (stage) => {
    const denying = stage.host({ permissions: { deny: ['shell(rm:*)', 'shell(sh:*)', 'shell(curl:*)'] } });
    for (const command of WRAPPED) {
      const outcome = await call(denying, 'shell', { command });
      expect(outcome, command).toMatchObject({ status: 'error', error: { kind: 'denied' } });
    }
    expect(await shell(denying, 'find . -name x -print; timeout 5 echo fine')).toMatchObject({ exitCode: 0 });
    // To allow a program is not to allow whatever it can be made to run; a program that is not seen through asks.
    const programs = 'env xargs find timeout nice busybox awk git tar ssh sed nohup setsid time sort rg cat head'.split(
      ' ',
    );
    const asking = stage.host({ permissions: { default: 'ask', allow: programs.map((name) => `shell(${name}:*)`) } });
    for (const command of [...WRAPPED, ...OPAQUE]) {
      const outcome = await call(asking, 'shell', { command });
      if (outcome.status === 'error') expect(outcome.error.kind, command).toBe('denied');
      else expect(outcome.status, command).toBe('awaiting-approval');
    }
    expect(await shell(asking, 'find . -name x | head -1')).toMatchObject({ exitCode: 0 });
  },

  'HOST-008': async (stage) => {
    const project = stage.project({ 'keep.txt': 'keep', '.env': 'TOKEN=aliased' });
    const session = stage.sandbox({ workspace: project.root });
    const host = stage.host({ sandbox: session, permissions: { deny: ['shell(rm:*)', 'read_file(**/.env)'] } });
    const denied = [
      '/bin/rm keep.txt',
      '/usr/bin/../bin/rm keep.txt',
      "$'\\x72m' keep.txt",
      'r\\m keep.txt',
      '"r"m keep.txt',
      "r''m keep.txt",
      '/proc/self/root/usr/bin/rm keep.txt',
      '~/../../bin/rm keep.txt',
    ];
    for (const command of denied) {
      expect(await call(host, 'shell', { command }), command).toMatchObject({
        status: 'error',
        error: { kind: 'denied' },
      });
    }
    expect(readFileSync(project.at('keep.txt'), 'utf8')).toBe('keep');
    // Whatever a path is called, the sandbox holds the rule.
    const reads = [
      'cat .env',
      'cat ./././.env',
      'cat /workspace/.env',
      'cat .e*',
      'cat .en?',
      'ln -s .env e; cat e',
      'd=.; cat $d/.env',
      'cp .env e2; cat e2',
      'cat < .env',
      'grep -r TOKEN .',
      'cd /; cat workspace/.env',
      'cat .ENV',
      'tar c .env | cat',
      'cat "$(echo .env)"',
      'while read l; do echo $l; done < .env',
      'base64 .env | base64 -d',
    ];
    for (const command of reads) {
      expect(JSON.stringify(await call(host, 'shell', { command })), command).not.toContain('aliased');
      expect((await session.exec(command)).stdout, command).not.toContain('aliased');
    }
  },
};

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ABSENT_BUILTINS, ABSENT_PROGRAMS } from '../../../src/sandbox/isolate/absent-commands.js';
import { session } from './fixture.js';

const BUILTINS =
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs ' +
  'disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout ' +
  'mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test ' +
  'times trap true type typeset ulimit umask unalias unset wait';
const GNU_COREUTILS =
  'arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date ' +
  'dd df dir dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install ' +
  'join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk ' +
  'pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum ' +
  'sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch ' +
  'tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes';
const OTHERS =
  'awk bc bunzip2 bzip2 cargo clear cmp column curl diff docker egrep envsubst fgrep file find free gawk gcc ' +
  'git go grep gunzip gzip hexdump hostname iconv java jq less lsof make man more nano nc node npm npx openssl ' +
  'patch perl pgrep php ping pip pip3 pkill ps python python3 rev rg rsync ruby rustc scp sed sqlite3 ssh ' +
  'strings su sudo tar top tree tput unxz unzip vi watch wget which xargs xxd xz yq zcat zip zstd';

/** Tried, not asked for. */
async function absentOf(names: string): Promise<string[]> {
  const sandbox = session();
  const absent: string[] = [];
  for (const name of names.split(' ')) {
    const { stderr } = await sandbox.exec(`${name} < /dev/null`, { timeoutMs: 5_000 });
    if (/: command not found|syntax error/.test(stderr)) absent.push(name);
  }
  return absent;
}

it('the shell lacks just those of the usual programs and builtins that are listed', async () => {
  const programs = [...(await absentOf(GNU_COREUTILS)), ...(await absentOf(OTHERS))];
  expect(programs.sort()).toEqual([...ABSENT_PROGRAMS].sort());
  expect(await absentOf(BUILTINS)).toEqual([...ABSENT_BUILTINS]);
});

it('the description and the page on sandboxes name what is absent', () => {
  const page = readFileSync('docs/sandbox.md', 'utf8').replace(/\s+/g, ' ');
  expect(page).toContain(`\`${ABSENT_PROGRAMS.join(' ')}\``);
  expect(page).toContain(`\`${ABSENT_BUILTINS.join(' ')}\``);
  const { description } = session();
  expect(description).toContain(`Not there: ${ABSENT_PROGRAMS.join(', ')}`);
  expect(description).toContain(ABSENT_BUILTINS.join(', '));
});

it('`command -v`, `type` and `which` answer for none that the shell lacks', async () => {
  const { stdout } = await session().exec(
    `for c in ${[...ABSENT_BUILTINS, ...ABSENT_PROGRAMS].join(' ')}; do command -v $c; type -t $c; which $c; done`,
  );
  expect(stdout).toBe('');
});

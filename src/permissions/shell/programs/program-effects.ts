/** What a program does with the files that its words name. */
export interface ProgramEffects {
  /** What its operands are. `pattern` operands: the first one is no file. */
  operands: 'read' | 'write' | 'remove' | 'read and write' | 'data' | 'pattern' | 'copy' | 'move';
  /** Options whose value is data, a file that is read, or one that is written; `-x` also with the value glued on. */
  data?: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  /** Options whose value begins the names of files that are written. */
  prefixes?: readonly string[];
  /** Options that name the directory to copy into: then each operand is copied. */
  into?: readonly string[];
  /** Options whose value is a file that names files to read, and nothing else. */
  lists?: readonly string[];
  /** The first operand is written. */
  writesFirst?: true;
  /** It writes in the directory that it runs in: always, or with one of these options. */
  here?: true | RegExp;
  /** What the second operand is, where it is not what the first is. */
  secondIs?: 'written' | 'prefix';
  /** Options that take the place of the pattern operand. */
  givesPattern?: readonly string[];
  /** It makes a link, which alone has the last part of its target for a name; one that is not known is no target's. */
  links?: true;
  /** The first operand is a mode or an owner, unless one of these options gives it. */
  leads?: { unless: RegExp };
  /** What is written is a directory's own: one that a pattern may name counts. */
  directories?: true;
  /** Goes through whole directories: always, or with one of these options. */
  recursive?: true | RegExp;
  /** Without an operand it works on the working directory. */
  defaultsToHere?: true;
}

const READS: ProgramEffects = { operands: 'read' };
const DATA: ProgramEffects = { operands: 'data' };
const WRITES: ProgramEffects = { operands: 'write' };

const RECURSIVE = /^(?:-[a-zA-Z]*[rR]|--recursive)/;

const INTO = ['-t', '--target-directory'];

const TABLE: Readonly<Record<string, ProgramEffects>> = {
  ...same(
    READS,
    `cat tac nl more most rev strings hexdump hd od man base64 base32 basenc sum cksum md5sum sha1sum sha224sum
    sha256sum sha384sum sha512sum b2sum zcat bzcat xzcat zstdcat zless view bat batcat expand unexpand fmt fold pr
    column paste join comm cmp look tsort xmllint glow pygmentize nm objdump readelf source .`,
  ),
  ...same(
    DATA,
    `: [ [[ alias basename bg break builtin cd continue dirname echo exit export false fg hash help id jobs
    kill killall local ls dir vdir pgrep pidof pkill popd printenv printf ps pushd pwd read readlink
    readonly realpath return set shift shopt sleep stat df test times true tty type typeset declare let ulimit
    umask unalias uname unset uptime wait whereis which who whoami yes nproc cal seq expr tr getconf locale
    hostname env logname groups users free lsblk lscpu tput clear reset tree`,
  ),
  ...same(WRITES, 'tee rename prename'),
  touch: { operands: 'write', data: ['-d', '--date', '-t', '--time'], reads: ['-r', '--reference'] },
  truncate: { operands: 'write', data: ['-s', '--size'], reads: ['-r', '--reference'] },
  ...same({ operands: 'write', data: ['-m', '--mode'] }, 'mkdir mkfifo mknod'),
  ...same({ operands: 'read and write' }, 'gunzip bunzip2 unxz unzstd uncompress vi vim nvim nano emacs ed ex sqlite3'),
  less: {
    operands: 'read',
    data: ['-p', '--pattern', '-P', '--prompt', '-t', '--tag', '-x', '-j', '-y', '-z', '-b', '-h', '-D'],
    reads: ['-k', '--lesskey-file', '--lesskey-src', '-T', '--tag-file'],
    writes: ['-o', '-O', '--log-file', '--LOG-FILE'],
  },
  file: { operands: 'read', reads: ['-f', '--files-from', '-m'] },
  iconv: { operands: 'read', data: ['-f', '-t', '--from-code', '--to-code'], writes: ['-o', '--output'] },
  head: { operands: 'read', data: ['-n', '-c', '--lines', '--bytes'] },
  tail: { operands: 'read', data: ['-n', '-c', '-s', '--lines', '--bytes', '--pid', '--sleep-interval'] },
  wc: { operands: 'read', lists: ['--files0-from'] },
  cut: { operands: 'read', data: ['-d', '-f', '-c', '-b', '--delimiter', '--fields', '--output-delimiter'] },
  sort: {
    operands: 'read',
    data: ['-k', '-t', '-S', '-T', '--key', '--field-separator', '--parallel', '--buffer-size'],
    writes: ['-o', '--output'],
    lists: ['--files0-from'],
  },
  uniq: { operands: 'read', data: ['-f', '-s', '-w'], secondIs: 'written' },
  xxd: { operands: 'read', data: ['-c', '-g', '-l', '-n', '-o', '-s'], secondIs: 'written' },
  split: { operands: 'read', data: ['-l', '-b', '-n', '-a', '-C'], secondIs: 'prefix', here: true },
  csplit: { operands: 'read', data: ['-b', '-n'], prefixes: ['-f', '--prefix'], here: true },
  date: { operands: 'data', reads: ['-f', '--file', '-r', '--reference'], data: ['-d', '--date', '-s', '--set'] },
  du: { operands: 'data', reads: ['--files0-from', '-X', '--exclude-from'] },
  shuf: { operands: 'read', data: ['-n', '-i'], writes: ['-o', '--output'] },
  diff: {
    operands: 'read',
    data: ['-U', '-C', '-I', '-x', '--label', '-W'],
    reads: ['--from-file', '--to-file', '-X', '--exclude-from'],
    recursive: RECURSIVE,
  },
  sdiff: READS,
  diff3: READS,
  patch: {
    operands: 'read and write',
    reads: ['-i', '--input'],
    data: ['-p'],
    writes: ['-o', '--output', '-d', '--directory', '-r', '--reject-file', '-B'],
    here: true,
  },
  gzip: { operands: 'read and write', recursive: RECURSIVE },
  bzip2: { operands: 'read and write' },
  xz: { operands: 'read and write' },
  zstd: { operands: 'read and write', writes: ['-o'] },
  zip: { operands: 'read', recursive: /^-[a-zA-Z]*r/, writesFirst: true, writes: ['-O', '--out'] },
  grep: grepLike({ recursive: /^(?:-[a-zA-Z]*[rR]|--recursive|--dereference-recursive)/ }),
  egrep: grepLike({ recursive: RECURSIVE }),
  fgrep: grepLike({ recursive: RECURSIVE }),
  zgrep: grepLike({}),
  rgrep: grepLike({ recursive: true, defaultsToHere: true }),
  rg: grepLike({ recursive: true, defaultsToHere: true }),
  ag: grepLike({ recursive: true, defaultsToHere: true }),
  ack: grepLike({ recursive: true, defaultsToHere: true }),
  jq: {
    operands: 'pattern',
    data: ['--arg', '--argjson', '--indent', '--tab'],
    reads: ['-f', '--from-file', '--slurpfile', '--rawfile'],
    givesPattern: ['-f', '--from-file'],
  },
  yq: { operands: 'pattern', recursive: /^-$/ },
  cp: {
    operands: 'copy',
    into: INTO,
    recursive: /^(?:-[a-zA-Z]*[rRa]|--recursive|--archive)/,
    data: ['-S', '--suffix'],
  },
  install: { operands: 'copy', into: INTO, data: ['-m', '-o', '-g', '--mode', '--owner', '--group'] },
  ln: { operands: 'copy', into: INTO, recursive: true, links: true },
  link: { operands: 'copy' },
  mmv: { operands: 'move' },
  rsync: {
    operands: 'copy',
    recursive: /^(?:-[a-zA-Z]*[ra]|--recursive|--archive)/,
    data: ['-e', '--exclude', '--include', '--rsh'],
    lists: ['--files-from'],
    reads: ['--exclude-from', '--include-from', '--password-file'],
    writes: ['--log-file', '--backup-dir', '--partial-dir', '-T', '--temp-dir', '--write-batch', '--only-write-batch'],
  },
  scp: { operands: 'copy', recursive: RECURSIVE, data: ['-P', '-o', '-l'], reads: ['-i', '-F'] },
  mv: { operands: 'move', into: INTO, recursive: true },
  ...same({ operands: 'remove' }, 'unlink rmdir'),
  rm: { operands: 'remove', recursive: /^(?:-[a-zA-Z]*[rR]|--recursive)/ },
  shred: { operands: 'write', data: ['-n', '-s'] },
  chmod: changesMode(/^(?:-[^-]*[rwxXstugoa0-7,=+]|--ref)/),
  ...same(changesMode(/^--ref/), 'chown chgrp'),
  setfacl: {
    operands: 'write',
    recursive: /^-[a-zA-Z]*R/,
    directories: true,
    data: ['-m', '-x', '--modify', '--remove'],
  },
  mapfile: { operands: 'data' },
  openssl: { operands: 'read', reads: ['-in', '-inkey', '-key', '-kfile', '-CAfile'], writes: ['-out', '-keyout'] },
  gpg: { operands: 'read', writes: ['-o', '--output'], data: ['-r', '-u', '--recipient'] },
  age: { operands: 'read', writes: ['-o', '--output'], reads: ['-i', '-R'], data: ['-r'] },
  curl: {
    operands: 'data',
    reads: [
      '-T',
      '--upload-file',
      '-K',
      '--config',
      '-E',
      '--cert',
      '--key',
      '--netrc-file',
      '--cacert',
      '-b',
      '--cookie',
    ],
    writes: [
      '-o',
      '--output',
      '-D',
      '--dump-header',
      '-c',
      '--cookie-jar',
      '--trace',
      '--trace-ascii',
      '--stderr',
      '--etag-save',
      '--libcurl',
      '--hsts',
      '--alt-svc',
      '--output-dir',
    ],
    data: ['-H', '-X', '-u', '-A', '-e', '--header', '--request', '--user', '-m', '--max-time', '-w', '--write-out'],
    here: /^(?:-[a-zA-Z]*[OJ]|--remote-name)/,
  },
  wget: {
    operands: 'data',
    reads: [
      '--post-file',
      '--body-file',
      '-i',
      '--input-file',
      '--config',
      '--certificate',
      '--private-key',
      '--load-cookies',
    ],
    writes: [
      '-O',
      '--output-document',
      '-o',
      '--output-file',
      '-a',
      '-P',
      '--directory-prefix',
      '--save-cookies',
      '--warc-file',
      '--rejected-log',
      '--hsts-file',
    ],
    here: true,
  },
  xargs: { operands: 'data', reads: ['-a', '--arg-file'] },
  tsc: DATA,
  history: { operands: 'data', reads: ['-r', '-n'], writes: ['-w', '-a'] },
  ...same({ operands: 'data', reads: ['-f', '-e', '--file', '--env-file'] }, 'dotenv dotenvx env-cmd'),
};

/** What is known of a program; `undefined`: each word that it is given may be a file that it reads. */
export function effectsOf(program: string): ProgramEffects | undefined {
  return Object.hasOwn(TABLE, program) ? TABLE[program] : undefined;
}

function same(effects: ProgramEffects, names: string): Record<string, ProgramEffects> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, effects]));
}

function changesMode(unless: RegExp): ProgramEffects {
  return {
    operands: 'write',
    recursive: /^(?:-[a-zA-Z]*R|--recursive)/,
    directories: true,
    leads: { unless },
    data: ['--from'],
    reads: ['--reference'],
  };
}

function grepLike(more: Partial<ProgramEffects>): ProgramEffects {
  return {
    operands: 'pattern',
    data: [
      ...['-m', '-A', '-B', '-C', '-g', '-t', '-T', '-M', '-j', '-d', '-D', '--include', '--exclude', '--exclude-dir'],
      ...['--glob', '--type', '--type-not', '--max-count', '--context', '--color', '--colour', '-e', '--regexp'],
    ],
    reads: ['-f', '--file', '--exclude-from', '--ignore-file'],
    givesPattern: ['-e', '--regexp', '-f', '--file', '--files'],
    ...more,
  };
}

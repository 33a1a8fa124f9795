import { ownEntry } from '../../text/own-entry.js';

/** Programs that do what another one does, by the name of that one: a rule for it is about them too. */
const SAME: Readonly<Record<string, string>> = {
  grep: 'egrep fgrep rgrep',
  awk: 'gawk mawk nawk',
  apt: 'apt-get aptitude',
  'apt-get': 'apt aptitude',
  dnf: 'yum microdnf',
  yum: 'dnf microdnf',
  pip: 'pip3',
  pip3: 'pip',
  python: 'python3 pythonw pythonw3',
  python3: 'python',
  node: 'nodejs',
  yarn: 'yarnpkg',
  mysql: 'mariadb',
  mysqldump: 'mariadb-dump',
  fd: 'fdfind',
  bat: 'batcat',
  tar: 'bsdtar',
  npx: 'pnpx bunx',
  ls: 'dir vdir',
  gzip: 'gunzip zcat',
  bzip2: 'bunzip2 bzcat',
  xz: 'unxz xzcat',
  zstd: 'unzstd zstdcat',
};

/** Options that such a name stands for. */
const WITH_OPTIONS: Readonly<Record<string, string>> = {
  egrep: '-E',
  fgrep: '-F',
  rgrep: '-r',
  ...Object.fromEntries(['gunzip', 'bunzip2', 'unxz', 'unzstd'].map((name) => [name, '-d'])),
  ...Object.fromEntries(['zcat', 'bzcat', 'xzcat', 'zstdcat'].map((name) => [name, '-dc'])),
};

/** Programs that one of GNU is called by where another system has its own under the name. */
const WITH_G =
  `awk base64 basename cat chgrp chmod chown cp cut date dd df diff du echo env find grep head id install join ln ls make
  md5sum mkdir mktemp mv nl od paste patch readlink realpath rm rmdir sed seq sha1sum sha256sum shred shuf sort split stat
  stty tail tar tee test timeout touch tr truncate uniq wc xargs`.split(/\s+/);

/** Whose options a program takes. */
const OPTIONS_OF: Readonly<Record<string, string | undefined>> = {
  podman: 'docker',
  nerdctl: 'docker',
  mysqldump: 'mysql',
  'mariadb-dump': 'mysql',
  mariadb: 'mysql',
  oc: 'kubectl',
  sponge: 'tee',
};

const OTHER_NAMES = new Map<string, string[]>();
for (const [name, typed] of Object.entries(SAME)) for (const one of typed.split(' ')) addName(one, name);
for (const name of WITH_G) addName(`g${name}`, name);

/** As many numbers as a version has. */
const MAX_PARTS = 4;

/** Names that a program goes by in rules, the typed one first: `python3.12` is `python3` and `python` as well. */
export function namesOf(typed: string): readonly string[] {
  const others = OTHER_NAMES.get(typed);
  let plain = withoutVersion(typed);
  if (plain === undefined) return others === undefined ? [typed] : [typed, ...others];
  const names = new Set([typed, ...(others ?? [])]);
  for (let part = 0; part < MAX_PARTS && plain !== undefined; part += 1) {
    for (const name of [plain, ...(OTHER_NAMES.get(plain) ?? [])]) names.add(name);
    plain = withoutVersion(plain);
  }
  return [...names];
}

/** The names by which a program of a rule may be typed, the versions apart. */
export function typedNames(program: string): readonly string[] {
  return [program, ...(ownEntry(SAME, program)?.split(' ') ?? [])];
}

/** The options that a program's name stands for: `egrep` is `grep -E`. */
export function impliedOptions(typed: string): readonly string[] {
  const options = ownEntry(WITH_OPTIONS, typed);
  return options === undefined ? [] : [options];
}

/** Programs whose options this one may have, the likeliest first. */
export function optionOwners(program: string): readonly string[] {
  const owner = ownEntry(OPTIONS_OF, program);
  return owner === undefined ? namesOf(program) : [owner];
}

/** Builds of it: without a lock, for finding errors, without a window. */
const OF_PYTHON = /^(python[\d.]*)(?:t?d?m?(?<=[tdm])|t?-dbg)$/;

/** `gcc-12`, `node24` and `npm@10` without their version. */
function withoutVersion(name: string): string | undefined {
  const at = name.indexOf('@', 1);
  if (at !== -1) return name.slice(0, at);
  const build = OF_PYTHON.exec(name)?.[1];
  if (build !== undefined) return build;
  const last = name.charCodeAt(name.length - 1);
  if (last < 0x30 || last > 0x39) return undefined;
  const plain = name.replace(/[-.]?\d+$/, '');
  return plain === '' ? undefined : plain;
}

function addName(typed: string, name: string): void {
  const names = OTHER_NAMES.get(typed);
  if (names === undefined) OTHER_NAMES.set(typed, [name]);
  else names.push(name);
}

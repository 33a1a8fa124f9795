/** How a program that runs another one is called. */
export interface WrapperSpec {
  /** Options that take the next word as their value. */
  valueOptions?: readonly string[];
  /** Operands before the command. */
  operands?: number;
  /** `NAME=value` words are skipped before the command. */
  assignments?: boolean;
  /** An option whose value is shell text. */
  script?: readonly string[];
  /** Options that name the directory it changes to first. */
  directory?: readonly string[];
  /** It runs its command in directories of its own choice. */
  elsewhere?: true;
  /** The words left are joined to shell text, as `eval` and `ssh` do. */
  joins?: boolean;
  /** `-I text`: what comes from elsewhere goes where the text stands. */
  replaces?: boolean;
  /** The command gets more words from elsewhere. */
  appends?: boolean;
  /** Words that must come first: `docker exec`, `npm exec`. */
  subcommand?: readonly string[];
  /** Runs its command with the same rights, in the same place, with the words seen: judged by that command alone; `bare`: without options. */
  transparent?: boolean | 'bare';
}

const SSH_VALUES = [
  '-b',
  '-c',
  '-D',
  '-E',
  '-e',
  '-F',
  '-I',
  '-i',
  '-J',
  '-L',
  '-l',
  '-m',
  '-O',
  '-o',
  '-p',
  '-Q',
  '-R',
  '-S',
  '-W',
  '-w',
];
const SUDO_VALUES = [
  '-u',
  '--user',
  '-g',
  '--group',
  '-h',
  '--host',
  '-p',
  '--prompt',
  '-C',
  '--close-from',
  '-T',
  '-r',
  '--role',
  '-t',
  '--type',
  '-D',
  '--chdir',
  '-R',
  '--chroot',
  '-U',
  '--other-user',
  '--command-timeout',
];
const EXEC_VALUES = [
  '-e',
  '--env',
  '-u',
  '--user',
  '-w',
  '--workdir',
  '--env-file',
  '--detach-keys',
  '-n',
  '--namespace',
  '-c',
  '--container',
  '--context',
  '--kubeconfig',
];

/** By program. A program that is not here is opaque: a command rule speaks of what is typed, not of what it runs. */
export const WRAPPERS: ReadonlyMap<string, readonly WrapperSpec[]> = new Map(
  Object.entries<readonly WrapperSpec[]>({
    timeout: [{ valueOptions: ['-s', '--signal', '-k', '--kill-after'], operands: 1, transparent: true }],
    nice: [{ valueOptions: ['-n', '--adjustment'], transparent: true }],
    ionice: [{ valueOptions: ['-c', '--class', '-n', '--classdata', '-p', '-P', '-u'], transparent: true }],
    // Reserved words, but plain words behind a redirection: bash reads some of those as what they are all the same.
    coproc: [{ transparent: true }],
    '!': [{ transparent: true }],
    nohup: [{ transparent: true }],
    setsid: [{ transparent: true }],
    time: [{ valueOptions: ['-f', '--format', '-o', '--output'], transparent: true }],
    stdbuf: [{ valueOptions: ['-i', '--input', '-o', '--output', '-e', '--error'], transparent: true }],
    builtin: [{ transparent: true }],
    exec: [{ valueOptions: ['-a'], transparent: true }],
    noglob: [{ transparent: true }],
    chrt: [
      {
        valueOptions: ['-T', '--sched-runtime', '-P', '--sched-period', '-D', '--sched-deadline'],
        operands: 1,
        transparent: true,
      },
    ],
    taskset: [{ operands: 1, transparent: true }],
    // `setarch` takes the architecture as a word, and each is a program of its own.
    ...Object.fromEntries(
      ['setarch', 'linux32', 'linux64', 'i386', 'i686', 'x86_64', 'uname26'].map((name) => [name, [{}]]),
    ),
    prlimit: [{}],
    choom: [{ valueOptions: ['-n', '--adjust'] }],
    uclampset: [{ valueOptions: ['-m', '-M'] }],
    numactl: [{ valueOptions: ['-i', '-p', '-P', '-N', '-C', '-m', '-S'] }],
    setpriv: [
      {
        valueOptions: [
          '--reuid',
          '--regid',
          '--groups',
          '--ambient-caps',
          '--inh-caps',
          '--bounding-set',
          '--securebits',
          '--pdeathsig',
        ],
      },
    ],
    gosu: [{ operands: 1 }],
    'su-exec': [{ operands: 1 }],
    sg: [{ operands: 1, script: ['-c'] }],
    'systemd-run': [
      {
        valueOptions: [
          '-p',
          '--property',
          '-u',
          '--unit',
          '-E',
          '--setenv',
          '-M',
          '-H',
          '--uid',
          '--gid',
          '--working-directory',
          '--slice',
          '--description',
        ],
        directory: ['--working-directory'],
      },
    ],
    'xvfb-run': [{ valueOptions: ['-n', '-s', '-e', '-f', '-p', '-w'] }],
    faketime: [{ valueOptions: ['-f'], operands: 1 }],
    unbuffer: [{}],
    fakeroot: [{ valueOptions: ['-l', '-s', '-i', '-b'] }],
    valgrind: [{}],
    tini: [{ valueOptions: ['-p', '-e'] }],
    'dumb-init': [{ valueOptions: ['-r', '--rewrite'] }],
    entr: [{}],
    busybox: [{}],
    shx: [{}],
    toybox: [{}],
    sudo: [{ valueOptions: SUDO_VALUES, directory: ['-D', '--chdir'], assignments: true }],
    doas: [{ valueOptions: ['-u', '-C'] }],
    pkexec: [{ valueOptions: ['--user'] }],
    su: [
      {
        valueOptions: ['-s', '--shell', '-g', '--group', '-G', '--supp-group', '-w', '--whitelist-environment'],
        operands: 9,
        script: ['-c', '--command', '--session-command'],
      },
    ],
    runuser: [
      {
        valueOptions: ['-s', '--shell', '-g', '--group', '-G', '--supp-group', '-w'],
        script: ['-c', '--command', '--session-command', '-u', '--user'],
        operands: 9,
      },
    ],
    xargs: [
      {
        valueOptions: [
          '-I',
          '-n',
          '-P',
          '-L',
          '-s',
          '-d',
          '-a',
          '-E',
          '--max-args',
          '--max-procs',
          '--delimiter',
          '--arg-file',
          '--max-chars',
          '--process-slot-var',
        ],
        appends: true,
        replaces: true,
        transparent: 'bare',
      },
    ],
    parallel: [{ joins: true, appends: true }],
    flock: [
      {
        valueOptions: ['-w', '--wait', '--timeout', '-E', '--conflict-exit-code'],
        operands: 1,
        script: ['-c', '--command'],
      },
    ],
    strace: [{ valueOptions: ['-o', '-e', '-p', '-u', '-E', '-s', '-a', '-I', '-O', '-P', '-S', '-X', '-b'] }],
    ltrace: [{ valueOptions: ['-o', '-e', '-p', '-u', '-s', '-a', '-n', '-l', '-x'] }],
    script: [
      {
        valueOptions: [
          '-I',
          '--log-in',
          '-O',
          '--log-out',
          '-B',
          '--log-io',
          '-T',
          '--log-timing',
          '-m',
          '-E',
          '--echo',
          '-o',
        ],
        operands: 9,
        script: ['-c', '--command'],
      },
    ],
    watch: [{ valueOptions: ['-n', '--interval', '-q', '--equexit'], joins: true }],
    ssh: [{ valueOptions: SSH_VALUES, operands: 1, joins: true }],
    chroot: [{ valueOptions: ['--userspec', '--groups'], operands: 1 }],
    unshare: [
      {
        valueOptions: [
          '-S',
          '-G',
          '-R',
          '-w',
          '-l',
          '--root',
          '--wd',
          '--setuid',
          '--setgid',
          '--propagation',
          '--setgroups',
          '--map-user',
          '--map-group',
          '--map-users',
          '--map-groups',
          '--monotonic',
          '--boottime',
          '--load-interp',
        ],
        directory: ['--wd'],
      },
    ],
    nsenter: [{ valueOptions: ['-t', '--target', '-S', '-G'] }],
    firejail: [{}],
    'dbus-run-session': [{}],
    npx: [{ valueOptions: ['-p', '--package', '-w', '--workspace'], script: ['-c', '--call'] }],
    bunx: [{}],
    uvx: [{ valueOptions: ['--from', '--with', '-p', '--python'] }],
    npm: [
      { subcommand: ['exec'], script: ['-c', '--call'] },
      { subcommand: ['x'], script: ['-c', '--call'] },
    ],
    pnpm: [{ subcommand: ['exec'] }, { subcommand: ['dlx'] }],
    yarn: [{ subcommand: ['exec'] }, { subcommand: ['dlx'] }],
    bun: [{ subcommand: ['x'] }],
    uv: [
      {
        subcommand: ['run'],
        valueOptions: ['--with', '--python', '-p', '--directory', '--project', '--extra', '--group', '--env-file'],
        directory: ['--directory'],
      },
    ],
    poetry: [{ subcommand: ['run'] }],
    pipenv: [{ subcommand: ['run'] }],
    hatch: [{ subcommand: ['run'] }],
    bundle: [{ subcommand: ['exec'] }],
    devbox: [{ subcommand: ['run'] }],
    direnv: [{ subcommand: ['exec'], operands: 1 }],
    mise: [{ subcommand: ['exec'] }, { subcommand: ['x'] }],
    nix: [{ subcommand: ['run'] }, { subcommand: ['develop'] }],
    docker: [
      { subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['container', 'exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['compose', 'exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['compose', 'run'], valueOptions: EXEC_VALUES, operands: 1 },
      {
        subcommand: ['run'],
        valueOptions: [
          ...EXEC_VALUES,
          '-v',
          '--volume',
          '--name',
          '-p',
          '--publish',
          '--network',
          '--entrypoint',
          '-m',
          '--memory',
          '--mount',
        ],
        operands: 1,
      },
    ],
    podman: [
      { subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 },
      {
        subcommand: ['run'],
        valueOptions: [...EXEC_VALUES, '-v', '--volume', '--name', '-p', '--publish', '--network', '--entrypoint'],
        operands: 1,
      },
    ],
    kubectl: [{ subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 }],
    git: [
      { subcommand: ['submodule', 'foreach'], joins: true, elsewhere: true },
      { subcommand: ['bisect', 'run'] },
      { subcommand: ['rebase'], operands: 9, script: ['-x', '--exec'] },
      {
        subcommand: ['filter-branch'],
        operands: 9,
        script: ['--tree-filter', '--index-filter', '--msg-filter', '--env-filter', '--commit-filter'],
      },
    ],
  }),
);

/** Programs that read shell text. */
export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'ash',
  'mksh',
  'fish',
  'rbash',
]);

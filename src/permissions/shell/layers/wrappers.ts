/**
 * The table of programs that run another one. Above 400 lines so that all of them are looked up, compared and added in
 * one place: it is data, one entry for each program, and nothing in it depends on another part but by name.
 */

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
  /** The same, where it stands in a word or in the value of an option: its first group. */
  directoryIn?: RegExp;
  /** It runs its command in directories of its own choice. */
  elsewhere?: true;
  /** The words left are joined to shell text, as `eval` and `ssh` do. */
  joins?: boolean;
  /** `-I text`: what comes from elsewhere goes where the text stands. */
  replaces?: boolean;
  /** The command gets more words from elsewhere. */
  appends?: boolean;
  /** Options that take the next two words. */
  pairOptions?: readonly string[];
  /** By option, the program whose words its value is: `cargo watch -x 'test --lib'`. */
  words?: Readonly<Record<string, string>>;
  /** What stands there are words of this program. */
  program?: string;
  /** Words that must come first: `docker exec`, `npm exec`. */
  subcommand?: readonly string[];
  /** Holds only where an option like this is given. */
  needs?: RegExp;
  /** The command stands behind `--`, or another word, and there is none without. */
  afterDashes?: true | RegExp;
  /** Each word is shell text of its own. */
  each?: true;
  /** Without a command it starts a shell, which reads stdin: where its options, joined by blanks, are like this. */
  shell?: RegExp;
  /** Runs its command with the same rights, in the same place, with the words seen: judged by that command alone; a pattern: where its options are all like this. */
  transparent?: boolean | RegExp;
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
const NPM_VALUES = ['-p', '--package', '-w', '--workspace'];
const ALWAYS = /^/;
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

const DOCKER_RUN_VALUES = [
  ...EXEC_VALUES,
  '-v',
  '--volume',
  '--name',
  '-p',
  '--publish',
  '--network',
  '-m',
  '--memory',
  '--mount',
];
const CARGO_WATCH: WrapperSpec = {
  valueOptions: ['-w', '--watch', '-i', '--ignore', '-d', '--delay', '-C', '--workdir', '-E', '-p', '--features'],
  script: ['-s', '--shell'],
  words: { '-x': 'cargo', '--exec': 'cargo' },
  directory: ['-C', '--workdir'],
};
const KUBECTL: readonly WrapperSpec[] = [
  { subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 },
  { subcommand: ['run'], afterDashes: true },
  { subcommand: ['debug'], afterDashes: true },
];
const COMPOSE_VALUES = [...EXEC_VALUES, '--name', '-v', '--volume', '-p', '--publish'];
const RUNUSER_VALUES = ['-g', '--group', '-G', '--supp-group', '-w', '--whitelist-environment', '-u', '--user'];
const LIMITS = [...'abcdeflLmnoprstuU'].map((letter) => `-${letter}`);
/** Programs that run the command behind their own options, as it stands. */
const PLAIN =
  `rlwrap systemd-inhibit torsocks torify proxychains proxychains4 chronic sem ts tsp cgexec cpulimit schedtool
  proot openvt aa-exec eatmydata catchsegv env-cmd sshpass
  trickle ddtrace-run opentelemetry-instrument`.split(/\s+/);

/** By program. A program that is not here is opaque: a command rule speaks of what is typed, not of what it runs. */
export const WRAPPERS: ReadonlyMap<string, readonly WrapperSpec[]> = new Map(
  Object.entries<readonly WrapperSpec[]>({
    ...Object.fromEntries(PLAIN.map((name) => [name, [{ valueOptions: ['-g', '-l', '-p', '-n', '-u', '-c', '-w'] }]])),
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
    sg: [{ operands: 1, joins: true, script: ['-c'] }],
    newgrp: [{ operands: 9, shell: ALWAYS }],
    at: [{ operands: 9, valueOptions: ['-f', '-q', '-t'], shell: /^(?!.*-[A-Za-z]*[lrdcV])/ }],
    batch: [{ operands: 9, shell: ALWAYS }],
    logsave: [{ operands: 1 }],
    setlock: [{ operands: 1 }],
    runcon: [{ operands: 1 }, {}],
    'ssh-agent': [{ valueOptions: ['-a', '-E', '-t', '-P', '-O'] }],
    perf: [
      { subcommand: ['stat'], valueOptions: ['-e', '-o', '-p', '-C', '-r', '-I'] },
      { subcommand: ['record'], valueOptions: ['-e', '-o', '-p', '-C', '-F', '-c'] },
      { subcommand: ['trace'], valueOptions: ['-e', '-o', '-p'] },
    ],
    gdb: [{ needs: /^--?args$/ }],
    lldb: [{ afterDashes: true }],
    pee: [{ each: true }],
    mispipe: [{ each: true }],
    vagrant: [{ subcommand: ['ssh'], afterDashes: true, joins: true }],
    capsh: [{ afterDashes: /^(?:--|==)$/, program: 'bash' }],
    bwrap: [
      {
        valueOptions: [
          ...['--args', '--userns', '--userns2', '--pidns', '--uid', '--gid', '--hostname', '--chdir', '--unsetenv'],
          ...['--lock-file', '--sync-fd', '--proc', '--dev', '--tmpfs', '--mqueue', '--dir', '--seccomp', '--perms'],
          ...['--add-seccomp-fd', '--exec-label', '--file-label', '--block-fd', '--userns-block-fd', '--info-fd'],
          ...['--json-status-fd', '--cap-add', '--cap-drop', '--size', '--remount-ro', '--argv0', '--overlay-src'],
          ...['--tmp-overlay', '--ro-overlay'],
        ],
        pairOptions: [
          ...['--setenv', '--bind', '--bind-try', '--dev-bind', '--dev-bind-try', '--ro-bind', '--ro-bind-try'],
          ...['--bind-fd', '--ro-bind-fd', '--file', '--bind-data', '--ro-bind-data', '--symlink', '--chmod'],
        ],
        directory: ['--chdir'],
      },
    ],
    cargo: [{ subcommand: ['watch'], ...CARGO_WATCH }],
    'cargo-watch': [CARGO_WATCH],
    cmake: [{ subcommand: ['-E'] }],
    meson: [{ subcommand: ['devenv'], valueOptions: ['-C', '-w', '--workdir'], directory: ['-w', '--workdir'] }],
    just: [
      { needs: /^(?:-c|--command)$/, operands: 0, valueOptions: ['-f', '--justfile', '-d', '--working-directory'] },
    ],
    watchexec: [
      { valueOptions: ['-e', '--exts', '-w', '--watch', '-i', '--ignore', '-f', '--filter', '-d'], joins: true },
    ],
    concurrently: [{ each: true, valueOptions: ['-n', '--names', '-c', '--prefix-colors', '-m', '--max-processes'] }],
    hyperfine: [
      {
        each: true,
        valueOptions: [
          '-w',
          '--warmup',
          '-r',
          '--runs',
          '-m',
          '--min-runs',
          '-M',
          '--max-runs',
          '-n',
          '-L',
          '-P',
          '-N',
        ],
        script: ['-p', '--prepare', '-s', '--setup', '-c', '--cleanup'],
      },
    ],
    'cross-env': [{ assignments: true }],
    'cross-env-shell': [{ assignments: true, joins: true }],
    ...Object.fromEntries(['softlimit', 'chpst'].map((name) => [name, [{ valueOptions: LIMITS }]])),
    dotenvx: [
      {
        subcommand: ['run'],
        valueOptions: ['-f', '--env-file', '-e', '--env', '-fk', '--env-keys-file', '--convention'],
      },
    ],
    dotenv: [
      { subcommand: ['run'], valueOptions: ['-f', '--file', '-e'] },
      { valueOptions: ['-f', '--file', '-e', '-p', '-v'] },
    ],
    ip: [{ subcommand: ['netns', 'exec'], operands: 1 }],
    lxc: [{ subcommand: ['exec'], operands: 1 }],
    incus: [{ subcommand: ['exec'], operands: 1 }],
    adb: [{ subcommand: ['shell'], joins: true }],
    op: [{ subcommand: ['run'], afterDashes: true }],
    doppler: [{ subcommand: ['run'], afterDashes: true }],
    'aws-vault': [{ subcommand: ['exec'], afterDashes: true }],
    asdf: [{ subcommand: ['exec'] }],
    volta: [{ subcommand: ['run'], valueOptions: ['--node', '--npm', '--yarn'] }],
    nvm: [{ subcommand: ['exec'], operands: 1 }, { subcommand: ['run'] }],
    fnm: [{ subcommand: ['exec'], valueOptions: ['--using'] }],
    rbenv: [{ subcommand: ['exec'] }],
    pyenv: [{ subcommand: ['exec'] }],
    pipx: [{ subcommand: ['run'], valueOptions: ['--spec', '--python'] }],
    ...Object.fromEntries(
      ['conda', 'mamba', 'micromamba'].map((name) => [
        name,
        [{ subcommand: ['run'], valueOptions: ['-n', '--name', '-p', '--prefix', '--cwd'] }],
      ]),
    ),
    'nix-shell': [{ operands: 9, script: ['--run', '--command'] }],
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
        directoryIn: /^(?:--property=|-p)?(?:WorkingDirectory|RootDirectory)=([\s\S]*)$/,
      },
    ],
    'xvfb-run': [{ valueOptions: ['-n', '-s', '-e', '-f', '-p', '-w'] }],
    faketime: [{ valueOptions: ['-f'], operands: 1 }],
    unbuffer: [{}],
    fakeroot: [{ valueOptions: ['-l', '-s', '-i', '-b'], shell: ALWAYS }],
    valgrind: [{}],
    tini: [{ valueOptions: ['-p', '-e'] }],
    'dumb-init': [{ valueOptions: ['-r', '--rewrite'] }],
    'ld.so': [{ valueOptions: ['--library-path', '--preload', '--argv0', '--audit'] }],
    entr: [{}],
    busybox: [{}],
    coreutils: [{}],
    shx: [{}],
    toybox: [{}],
    sudo: [
      {
        valueOptions: SUDO_VALUES,
        directory: ['-D', '--chdir', '-R', '--chroot'],
        assignments: true,
        shell: /(?:^| )-(?:[A-Za-z]*[si]|-shell|-login)/,
      },
    ],
    doas: [{ valueOptions: ['-u', '-C'], shell: /(?:^| )-[a-z]*s/ }],
    pkexec: [{ valueOptions: ['--user'] }],
    su: [
      {
        valueOptions: ['-s', '--shell', '-g', '--group', '-G', '--supp-group', '-w', '--whitelist-environment'],
        operands: 9,
        script: ['-c', '--command', '--session-command'],
        shell: ALWAYS,
      },
    ],
    runuser: [
      { needs: /^(?:-u|--user)/, valueOptions: RUNUSER_VALUES },
      {
        valueOptions: ['-s', '--shell', ...RUNUSER_VALUES],
        script: ['-c', '--command', '--session-command'],
        operands: 9,
        shell: ALWAYS,
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
        // Those that name a file, ask, or put what is read in the middle of a word are not for the command alone.
        transparent: /^(?:-[0rtx]*(?:[nPLsdE].*)?|--(?:null|no-run-if|verb|exit|max-|delim).*)$/,
      },
    ],
    parallel: [{ joins: true, appends: true, shell: ALWAYS }],
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
        shell: ALWAYS,
      },
    ],
    watch: [{ valueOptions: ['-n', '--interval', '-q', '--equexit'], joins: true }],
    ssh: [{ valueOptions: SSH_VALUES, operands: 1, joins: true, shell: /^(?!.*-[A-Za-z]*[NQVGOW])/ }],
    chroot: [{ valueOptions: ['--userspec', '--groups'], operands: 1, shell: ALWAYS }],
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
        directory: ['--wd', '-w', '--root', '-R'],
        shell: ALWAYS,
      },
    ],
    nsenter: [
      {
        valueOptions: ['-t', '--target', '-S', '-G'],
        directoryIn: /^(?:--(?:wd|root)=|-[wr])([\s\S]+)$/,
        shell: ALWAYS,
      },
    ],
    firejail: [{}],
    'dbus-run-session': [{}],
    npx: [{ valueOptions: ['-p', '--package', '-w', '--workspace'], script: ['-c', '--call'] }],
    bunx: [{}],
    npm: [
      { subcommand: ['exec'], valueOptions: NPM_VALUES, script: ['-c', '--call'] },
      { subcommand: ['x'], valueOptions: NPM_VALUES, script: ['-c', '--call'] },
    ],
    pnpm: [{ subcommand: ['exec'] }, { subcommand: ['dlx'] }],
    yarn: [{ subcommand: ['exec'] }, { subcommand: ['dlx'] }, { subcommand: ['workspace'], operands: 1 }],
    bun: [{ subcommand: ['x'] }],
    uv: [
      { subcommand: ['tool', 'run'], valueOptions: ['--from', '--with', '-p', '--python'] },
      {
        subcommand: ['run'],
        valueOptions: ['--with', '--python', '-p', '--directory', '--project', '--extra', '--group', '--env-file'],
        directory: ['--directory'],
      },
    ],
    uvx: [{ valueOptions: ['--from', '--with', '-p', '--python'] }],
    poetry: [{ subcommand: ['run'] }],
    pipenv: [{ subcommand: ['run'] }],
    hatch: [{ subcommand: ['run'] }],
    bundle: [{ subcommand: ['exec'] }],
    devbox: [{ subcommand: ['run'] }],
    direnv: [{ subcommand: ['exec'], operands: 1 }],
    mise: [{ subcommand: ['exec'] }, { subcommand: ['x'] }],
    nix: [
      ...['develop', 'shell'].map((name) => ({ subcommand: [name], afterDashes: /^(?:-c|--command)$/ })),
      { subcommand: ['run'] },
    ],
    heroku: [
      { subcommand: ['run'], valueOptions: ['-a', '--app', '-s', '--size'], joins: true },
      { subcommand: ['local:run'] },
    ],
    gh: [
      { subcommand: ['codespace', 'ssh'], valueOptions: ['-c', '--codespace'], joins: true },
      { subcommand: ['cs', 'ssh'], valueOptions: ['-c', '--codespace'], joins: true },
      { subcommand: ['alias', 'set'], operands: 1, joins: true },
    ],
    glab: [{ subcommand: ['alias', 'set'], operands: 1, joins: true }],
    docker: [
      { subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['container', 'exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['compose', 'exec'], valueOptions: COMPOSE_VALUES, operands: 1 },
      { subcommand: ['compose', 'run'], valueOptions: COMPOSE_VALUES, script: ['--entrypoint'], operands: 1 },
      { subcommand: ['run'], valueOptions: DOCKER_RUN_VALUES, script: ['--entrypoint'], operands: 1 },
      { subcommand: ['container', 'run'], valueOptions: DOCKER_RUN_VALUES, script: ['--entrypoint'], operands: 1 },
    ],
    'docker-compose': [
      { subcommand: ['exec'], valueOptions: COMPOSE_VALUES, operands: 1 },
      { subcommand: ['run'], valueOptions: COMPOSE_VALUES, script: ['--entrypoint'], operands: 1 },
    ],
    podman: [
      { subcommand: ['exec'], valueOptions: EXEC_VALUES, operands: 1 },
      { subcommand: ['run'], valueOptions: DOCKER_RUN_VALUES, script: ['--entrypoint'], operands: 1 },
    ],
    kubectl: KUBECTL,
    oc: KUBECTL,
    git: [
      { subcommand: ['submodule', 'foreach'], joins: true, elsewhere: true },
      { subcommand: ['bisect', 'run'] },
      { subcommand: ['for-each-repo'], valueOptions: ['--config'], program: 'git' },
      { subcommand: ['remote-ext'], operands: 1, joins: true },
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
  'csh',
  'tcsh',
  'yash',
]);

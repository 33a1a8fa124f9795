/**
 * What programs write that are not plain file tools: compilers, build and package tools, formatters. Their other words
 * may be files that they read, as those of any program that is not known.
 */
export interface ToolEffects {
  /** Options whose value is a file or directory that it writes, or a directory that it works in. */
  writes?: readonly string[];
  /** Subcommands whose operands are written; an empty name is the program without one. */
  makes?: RegExp;
  /** Of what it makes only the last operand is written, the others are sources. */
  last?: true;
  /** Only the second one is. */
  second?: true;
  /** With one of these options it writes what its operands name. */
  changes?: RegExp;
  /** It finds what its operands name by patterns of its own. */
  globs?: true;
  /** The values of `NAME=value` words may be directories that it writes in. */
  variables?: true;
  /** Subcommands that write in the directory that they run in. */
  here?: RegExp;
}

const ALWAYS = /^/;
const MAKES: ToolEffects = { makes: ALWAYS };
const NODE_DIRECTORIES = [
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '--pack-destination',
  '--modules-dir',
  '--modules-folder',
];

const TOOLS: Readonly<Record<string, ToolEffects>> = {
  ...each(
    'gcc g++ cc c++ clang clang++ cpp tcc gfortran ld lld gold as nasm yasm ghc ocamlc ocamlopt dmd ldc2 nvcc zig',
    {
      writes: ['-o', '--output', '-MF', '-dumpdir', '-save-temps'],
    },
  ),
  ...each('flex lex bison yacc byacc pandoc dot sassc stylus xsltproc protoc swig m4 rst2html', {
    writes: ['-o', '--output', '--header', '--defines'],
  }),
  gs: { writes: ['-o', '--output', '-sOutputFile'] },
  rustc: { writes: ['-o', '--out-dir'] },
  javac: { writes: ['-d', '-s', '-h'] },
  jar: { writes: ['-f', '--file', '-C'] },
  kotlinc: { writes: ['-d'] },
  scalac: { writes: ['-d'] },
  tsc: {
    writes: [
      '--outDir',
      '--outFile',
      '--declarationDir',
      '--tsBuildInfoFile',
      '--generateTrace',
      '-outDir',
      '-outFile',
    ],
  },
  ...each('esbuild rollup swc babel webpack vite parcel tsup tsdown ncc microbundle', {
    writes: [
      '--outfile',
      '--outdir',
      '--outDir',
      '-o',
      '-d',
      '--out-dir',
      '--out-file',
      '--dir',
      '--dist-dir',
      '--output-path',
    ],
  }),
  ...each('make gmake bmake ninja', { writes: ['-C', '--directory'], variables: true }),
  cmake: { writes: ['-B', '--build', '--install', '--prefix', '-C'] },
  meson: { makes: /^(?:setup|init)$/, writes: ['-C', '--destdir', '--prefix'] },
  bazel: { writes: ['--output_base', '--output_user_root'] },
  npm: {
    writes: NODE_DIRECTORIES,
    makes: /^(?:create|init)$/,
    here: /^(?:init|i|install|ci|add|update|uninstall|pack|version)$/,
  },
  pnpm: { writes: NODE_DIRECTORIES, makes: /^(?:create|deploy)$/, here: /^(?:init|i|install|add|update|remove|pack)$/ },
  yarn: { writes: NODE_DIRECTORIES, makes: /^create$/, here: /^(?:init|install|add|upgrade|remove|pack)$/ },
  bun: {
    writes: [...NODE_DIRECTORIES, '--outdir', '--outfile'],
    makes: /^(?:init|create)$/,
    here: /^(?:init|install|add|remove)$/,
  },
  deno: { writes: ['--output', '-o', '--root'], makes: /^(?:init|fmt)$/ },
  cargo: {
    writes: ['--target-dir', '--manifest-path', '-C', '--root', '--out-dir', '--artifact-dir', '--path'],
    makes: /^(?:init|new|vendor)$/,
    here: /^(?:init|new|build|b|add|remove|update|fix|fmt|vendor)$/,
  },
  go: {
    writes: ['-o', '-C', '-modfile', '-coverprofile', '-cpuprofile', '-outputdir'],
    makes: /^fmt$/,
    here: /^(?:mod|get|generate)$/,
  },
  ...each('python pypy', { makes: /^(?:venv|virtualenv|zipfile|tarfile|compileall|py_compile)$/ }),
  virtualenv: { makes: ALWAYS },
  'json.tool': { makes: ALWAYS, second: true },
  uv: {
    writes: ['--directory', '--project', '--target', '-o', '--output-file', '--prefix'],
    makes: /^(?:venv|init)$/,
    here: /^(?:sync|init|add|remove|lock)$/,
  },
  ...each('pip pip3', {
    writes: [
      '-t',
      '--target',
      '-d',
      '--dest',
      '--prefix',
      '--root',
      '-w',
      '--wheel-dir',
      '--src',
      '--log',
      '--report',
      '--cache-dir',
    ],
  }),
  poetry: { writes: ['-C', '--directory', '-P', '--project'], makes: /^new$/, here: /^(?:init|add|remove|lock)$/ },
  ...each('hatch pdm', { writes: ['-p', '--project'], makes: /^new$/ }),
  cookiecutter: { writes: ['-o', '--output-dir'] },
  gem: { writes: ['-i', '--install-dir', '-n', '--bindir'] },
  bundle: { writes: ['--path', '--gemfile', '--binstubs'], makes: /^gem$/ },
  ...each('degit tiged rimraf del-cli mkdirp make-dir-cli cpy cpy-cli srm trash trash-put umount chattr swapon', MAKES),
  ...each('mount bindfs sshfs losetup', { makes: ALWAYS, last: true }),
  composer: { writes: ['-d', '--working-dir'], makes: /^create-project$/ },
  dotnet: { writes: ['-o', '--output', '--artifacts-path'] },
  mvn: { writes: ['-f', '--file'] },
  ...each('gradle gradlew', { writes: ['-p', '--project-dir', '--build-dir', '--project-cache-dir'] }),
  ...each('terraform tofu', { writes: ['-chdir', '-out', '-state', '-state-out'], makes: /^fmt$/ }),
  helm: { writes: ['-d', '--destination', '--untardir', '--output-dir'], makes: /^create$/ },
  ...each('docker podman', {
    writes: ['-o', '--output', '--iidfile', '--cidfile', '--metadata-file'],
    makes: /^cp$/,
    last: true,
  }),
  kubectl: { writes: ['--output-directory', '--cache-dir'], makes: /^cp$/, last: true },
  aws: { makes: /^s3(?:api)?$/, last: true },
  ...each('gsutil gcloud rclone mc s3cmd', {
    makes: /^(?:cp|mv|rsync|storage|copy|sync|move|get|mirror)$/,
    last: true,
  }),
  ...each('sftp lftp unrar wkhtmltopdf wkhtmltoimage ffmpeg convert magick sass lessc sphinx-build pdftotext cwebp', {
    makes: ALWAYS,
    last: true,
  }),
  aria2c: { writes: ['-d', '--dir', '-o', '--out', '-l', '--log'] },
  ...each('youtube-dl yt-dlp', { writes: ['-o', '--output', '-P', '--paths'] }),
  ...each('jest vitest mocha pytest coverage mypy nyc c8', {
    writes: [
      '--coverageDirectory',
      '--outputFile',
      '--junitxml',
      '--junit-xml',
      '--result-log',
      '--cov-report',
      '--basetemp',
      '--html-report',
      '-d',
      '--reports-dir',
      '--report-dir',
      '--cacheDirectory',
    ],
  }),
  ...each('mkdocs hugo jekyll', { writes: ['-d', '--destination', '--site-dir'], makes: /^new$/ }),
  'ssh-keygen': { writes: ['-f'] },
  gpg: { writes: ['-o', '--output'] },
  ...each('strace ltrace time gtime perf base64 basenc xmllint', { writes: ['-o', '--output'] }),
  valgrind: { writes: ['--log-file', '--xml-file', '--massif-out-file', '--callgrind-out-file'] },
  script: { writes: ['-O', '--log-out', '-I', '--log-in', '-B', '--log-io', '-T', '--log-timing'], makes: ALWAYS },
  node: {
    writes: [
      '--cpu-prof-dir',
      '--heap-prof-dir',
      '--diagnostic-dir',
      '--report-directory',
      '--report-dir',
      '--report-filename',
      '--redirect-warnings',
      '--test-reporter-destination',
      '--cpu-prof-name',
      '--heap-prof-name',
      '--trace-event-file-pattern',
    ],
  },
  ...each('svn hg bzr brz darcs pijul fossil cvs jj', {
    makes: /^(?:checkout|co|export|clone|branch|archive|get|open|git|cat|switch|sw|share|relocate)$/,
    last: true,
    writes: ['-o', '--output', '-d', '--workdir'],
  }),
  psql: { writes: ['-o', '--output', '-L', '--log-file'] },
  ...each('pg_dump pg_dumpall pg_restore', { writes: ['-f', '--file'] }),
  pg_basebackup: { writes: ['-D', '--pgdata'] },
  ...each('mysql mariadb', { writes: ['--tee'] }),
  ...each('mysqldump mariadb-dump', { writes: ['-r', '--result-file', '-T', '--tab', '--log-error'] }),
  'redis-cli': { writes: ['--rdb', '--functions-rdb'] },
  socat: { writes: ['-lf', '-r', '-R'] },
  ...each('tcpdump tshark dumpcap ngrep', { writes: ['-w', '-O'] }),
  nmap: { writes: ['-oN', '-oG', '-oX', '-oS', '-oA'] },
  masscan: { writes: ['-oL', '-oX', '-oG', '-oJ', '-oB', '-oU'] },
  ab: { writes: ['-g', '-e'] },
  john: { writes: ['--pot', '--session'] },
  hashcat: { writes: ['--potfile-path', '--session'] },
  keytool: { writes: ['-keystore', '-file', '-destkeystore'] },
  ...each('javadoc jsdoc', { writes: ['-d', '--destination'] }),
  inkscape: { writes: ['--export-filename', '--export-file', '-o'] },
  ...each('ctags etags cscope', { writes: ['-f', '-o'] }),
  ...each('gtags bibtex biber makeindex', MAKES),
  msgmerge: { changes: /^(?:-U|--update)$/ },
  xorriso: { writes: ['-outdev', '-dev', '-o', '-osirrox'] },
  ant: { writes: ['-f', '-file', '-buildfile'] },
  ...each('nix nix-build nix-env', { writes: ['-o', '--out-link', '--profile', '-p'] }),
  az: { writes: ['-f', '--file', '--destination'] },
  gh: { writes: ['-D', '--dir', '-O'], makes: /^(?:repo|gist)$/, last: true },
  tmux: { makes: /^(?:save-buffer|saveb)$/ },
  ...each('sox qpdf mksquashfs lz4 brotli ditto crane ncftpget lwp-download exiftool potrace svgo', {
    makes: ALWAYS,
    last: true,
  }),
  tree: { writes: ['-o'] },
  mktemp: { writes: ['-p', '--tmpdir'], makes: ALWAYS },
  prettier: { changes: /^(?:-w|--write)$/, globs: true },
  biome: { changes: /^--(?:write|fix|apply.*|unsafe)$/ },
  eslint: { globs: true, changes: /^--fix/, writes: ['-o', '--output-file', '--cache-location'] },
  ...each('stylelint standard xo oxlint markdownlint rubocop', {
    globs: true,
    changes: /^(?:--fix|-a|-A|--auto-?correct.*)$/,
    writes: ['-o', '--output-file', '--out'],
  }),
  ...each('gofmt goimports gofumpt shfmt', { changes: /^-w/ }),
  ...each('clang-format autopep8 yapf xmlformat', { changes: /^(?:-i|--in-?place)$/ }),
  yq: { changes: /^(?:-[a-zA-Z]*i|--in-?place)/ },
  ruff: { changes: /^--(?:fix|fix-only|unsafe-fixes)$/, makes: /^format$/ },
  ...each(
    'black isort rustfmt dos2unix unix2dos sponge ranlib strip objcopy setfattr fallocate mkswap patchelf mkfs mke2fs mkfs.ext mkfs.xfs mkfs.vfat mkfs.btrfs',
    {
      makes: ALWAYS,
      writes: ['-o'],
    },
  ),
};

/** Named so, an option of any program is taken for one that says where it writes. */
const OUTPUT_OPTION =
  /^(?:-o|-C|--?D?(?:[\w.-]*[-_.])?(?:out|output|outdir|outfile|dest|destination|cwd|chdir|directory|prefix|target-?dir|log-?file|(?:report|save|export|dump)-?(?:to|as|dir|file|path))(?:[-_]?(?:file|dir|directory|path|folder))?)$/i;
/** So does one that says that operands are changed. */
export const CHANGING_OPTION = /^--(?:write|fix|in-?place|overwrite)$/;
/** And a subcommand that its operands are made or changed. */
export const MAKING_SUBCOMMAND = /^(?:new|create|init|startproject|startapp|fmt|format|fix)$/;

/** What is known of a tool; versions in its name do not count. */
export function toolEffectsOf(program: string): ToolEffects | undefined {
  if (Object.hasOwn(TOOLS, program)) return TOOLS[program];
  if (program.startsWith('create-')) return MAKES;
  const name = program.replace(/-?\d[\d.]*$/, '');
  return Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}

export function isOutputOption(option: string): boolean {
  return OUTPUT_OPTION.test(option);
}

function each(names: string, effects: ToolEffects): Record<string, ToolEffects> {
  return Object.fromEntries(names.split(' ').map((name) => [name, effects]));
}

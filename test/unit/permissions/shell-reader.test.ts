// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { readShellCommand } from '../../../src/permissions/shell/read-shell-command.js';

const policy = parsePolicy({ deny: ['shell(rm:*)', 'shell(git push:*)'] });
const effectOf = (command: string) => policy.decide({ toolName: 'shell', args: { command } }).effect;
const wordsOf = (text: string) => readShellCommand(text).commands.map(({ words }) => words);

/** Each runs `rm` or `git push`, or may: bash decides when it runs. */
const MUST_BE_DENIED = [
  "PS4='$(rm x)'; set -x; true",
  "read PS4 <<< '$(rm x)'; set -x; true",
  "x='a[$(rm x)]' bash -c '((x))'",
  "bash -eco pipefail 'rm x'",
  "bash -echo pipefail -c 'rm x'",
  "bash -O extglob -o pipefail -c 'rm x'",
  'x=rm; $x -r tmp',
  'echo ${x:-$(>| /dev/null coproc rm x)}',
  'a[1 + 2]=3 rm x',
  'A\\\n=1 rm x',
  'a["x y"]=1 rm x',
  "cat <<''\nfoo\n\nrm x",
  'cat <<E""\nfoo\nE\nrm x',
  'case a in (a|b) rm x;; esac',
  'select x in 1; do rm x; done',
  'for ((i=0;i<1;i++)); do rm x; done',
  'for x\nin a; do rm x; done',
  'function f { rm x; }',
  'f () ( rm x )',
  '((1)) && rm x',
  '{rm,-r,tmp}',
  'r[m] x',
  'r? x',
  'cat <<A $(cat <<B\nb\nB\n)\na\nA\nrm x',
  'time -- rm x',
  'time -p rm x',
  'echo "${x:-`rm x`}"',
  '[[ a == b || $(rm x) ]]',
  'ls;#c\nrm x',
  'ls # c\\\nrm x',
  "env -S 'rm x'",
  'env -- A=1 rm x',
  'xargs -I{} rm {}',
  "find . -exec sh -c 'rm x' \\;",
  "bash -lc 'rm x'",
  "bash -c -e 'rm x'",
  'echo rm x | sh',
  "eval 'rm' x",
  "sh <<< 'rm x'",
  "trap 'rm x' EXIT",
  "git -c alias.z='!rm x' z",
  'git -C /tmp push',
  'git pu"$x" o',
  'foo git push',
  'echo a 2>&1 | rm x',
  '&>x rm y',
  '{fd}>x rm y',
  'coproc A { rm x; }',
  'echo ${x@P}',
  'r\\\nm x',
  '( (rm x) )',
  'cat > >(rm x)',
  'A=(a $(rm x))',
  'A=(a) rm x',
  'timeout $T rm x',
  'bash -c "$X"',
  "ssh h 'ls; rm x'",
  'bash <(echo rm x)',
  '. /dev/stdin',
  'alias ls=rm; ls x',
  "mapfile -C 'rm x' a",
  '"$(echo rm)" x',
  "x='a[$(rm x)]'; echo $((x))",
  "[[ -v 'a[$(rm x)]' ]]",
  "test -v 'a[$(rm x)]'",
  "read 'a[$(rm x)]' <<< 1",
  'cat <<EOF\n"$(rm x)"\nEOF',
  'cat <<\\EOF\n$(ls)\nEOF\nrm x',
  'cat <<-EOF\n\tx\n\tEOF\nrm x',
  "echo 'a'\\''b'; rm x",
  'echo "${x#\'}\'}"; rm x',
  'echo a#b; rm x',
  'echo ${#x}; rm x',
  'if [[ a =~ (b|c) ]]; then rm x; fi',
  "eval -- 'rm x'",
  'exec -la y rm x',
  'sudo -nu root rm x',
  'su root -c "true; rm x"',
  "script -qc 'true; rm x' /dev/null",
  'timeout --sig KILL 5 rm x',
  'chrt -d -T 1 -D 2 -P 2 0 rm x',
  'xargs --max-a 1 rm <f',
  'xargs --replace rm {} <f',
  "xargs -I % sh -c '%' <f",
  'xargs -i sh -c {} <f',
  'setarch x86_64 -R rm x',
  'linux64 rm x',
  'prlimit --nofile=9 rm x',
  'unshare --propagation private rm x',
  "env -S'-u A rm x'",
  'env --split "-i rm x"',
  "env 'BASH_FUNC_f%%=() { rm x; }' bash -c f",
  'BASH_ALIASES[q]=rm\nq x',
  "printf -v 'BASH_CMDS[q]' /bin/rm; q x",
  'declare -n r=BASH_ALIASES; r[q]=rm\nq x',
  "declare -n r='a[$(rm x)]'; echo $r",
  'history -s rm x; fc -s',
  'set -o history -o histexpand\n!!',
  '/proc/self/exe -c "rm x"',
  '. /proc/self/fd/0',
  'bash /tmp/../dev/stdin',
  "/bin/b?sh -c 'rm x'",
  '"ba$x" -c "rm x"',
  '"/b$x" y',
  '/usr/bin/tim?out 5 rm x',
  'shopt -s nullglob; nosuch* rm x',
  "sed -n '1e rm x' f",
  "sed -ne '1!b;e rm x' f",
  "sed --expr='\\,h,e rm x' f",
  "sed 's/.*/rm x/e' f",
  "sed -n 's,h.*,rm x,gep' f",
  "sed 's/h/rm x/;e' f",
  'tar cf a.tar -Irm f',
  'tar cIf rm a.tar f',
  'tar c --use=rm -f a.tar f',
  'tar cf a.tar --checkpoint=1 --checkpoint-action exec=rm f',
  'tar xf a.tar --to-c rm',
  'split --fil rm f',
  'rsync -ave rm a b:',
  'echo {a,$(rm x)}',
  'echo {"x`rm x`",b}',
  'ssh -vo ProxyCommand=rm h',
];

/** Each was seen to run `rm` in bash 5.2, though its text stands in quotes. */
const RUN_FROM_QUOTES = [
  "declare -a 'a=($(rm x))'",
  "declare -A 'a=([x]=$(rm x))'",
  "a=(1); declare 'a=($(rm x))'",
  "f(){ local -a 'a=(`rm x`)'; }; f",
  "readonly -a 'a=($(rm x))'",
  'typeset -a "a=(\\$(rm x))"',
  "builtin declare -a 'a=($(rm x))'",
  'x=\'a=($(rm x))\'; declare -a "$x"',
  "x='($(rm x))'; declare -a a=$x",
  'x=\'($(rm x))\'; f(){ local -a a="$1"; }; f "$x"',
  'printf -v a %s \'($(rm x))\'; declare -a b="$a"',
  'x=\'a[$(rm x)]\'; echo "${!x}"',
  "x='a[$(rm x)]'; OPTIND=$x",
  "RANDOM='a[$(rm x)]'",
  "read RANDOM <<< 'a[$(rm x)]'",
  "for PS4 in '$(rm x)'; do set -x; :; done",
  "declare -n p=PS4; p='$(rm x)'; set -x; :",
  'P=S4; declare "P$P=\\$(rm x)"; set -x; :',
  "n=PS4; read $n <<< '$(rm x)'; set -x; :",
  'n=PS4; printf -v "$n" %s \'$(rm x)\'; set -x; :',
  "unset BASH_ENV; : ${BASH_ENV:='$(rm x)'}; export BASH_ENV; bash -c :",
  'x="a[$""(rm x)]"; echo $((x))',
  'p=\'$\'; x="a[$p(rm x)]"; echo $((x))',
  "x='a[$';x+='(rm x)]'; echo $((x))",
  "printf -v x 'a[\\x24(rm x)]'; echo $((x))",
  'x=a[\\$\\(rm\\ x\\)]; echo $((x))',
  "PS4='\\044(rm x)' bash -xc :",
];

/** Programs that run what an option, a variable or their words say. */
const RUN_BY_PROGRAMS = [
  '/usr/lib/git-core/git-push origin',
  'git-push',
  "GIT_SSH_COMMAND='rm x' git fetch",
  "GIT_PAGER='rm x' git log",
  "export GIT_EDITOR='rm x'; git commit",
  "EDITOR='rm x' crontab -e",
  "MANPAGER='rm x' man ls",
  "LESSOPEN='||rm %s' less f",
  "env LESSOPEN='|rm x' less f",
  "PROMPT_COMMAND='rm x' bash -i -c :",
  "TAR_OPTIONS='--to-command=rm' tar xf a",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log",
  "BASH_ENV=/dev/stdin bash -c : <<< 'rm x'",
  "git config core.pager 'rm x'",
  "git difftool -y -x 'rm x'",
  "git grep -O'rm x' foo",
  "git clone -u 'rm x' a b",
  "git clone --config core.sshCommand='rm x' ssh://a/b",
  "git clone 'ext::sh -c rm% x' y",
  "git -c credential.helper='!rm x' fetch",
  "git -c remote.origin.uploadpack='rm x' fetch",
  "git -c interactive.diffFilter='rm x' add -p",
  'scp -S rm a b:c',
  "man -H'rm x' ls",
  "make SHELL='rm x'",
  "socat - EXEC:'rm x'",
  "ncat --sh-exec 'rm x' h 1",
  "zip a b -T -TT 'rm x'",
  "perl -e 'system qw(rm x)'",
  "ruby -e '%x(rm x)'",
  'python3.11 -c \'import os; os.system("rm x")\'',
  'gawk -e\'BEGIN{system("rm x")}\'',
  "yarn exec 'rm x'",
  'kubectl -n n exec -it p -c c -- rm x',
  'kubectl run p --image=i -- rm x',
  'docker --context c exec web rm x',
  'docker -H h container run img rm x',
  'docker run --entrypoint rm img x',
  'docker-compose -f y run web rm x',
  'npm --prefix d exec -- rm x',
  'npm exec -p a rm x',
  'pnpm --filter a exec rm x',
  'uv --directory d run rm x',
  'runuser -u u -- rm x',
  "sg g 'rm x'",
  'fd -H . -x rm',
  'fdfind -e c -X rm {}',
  "concurrently 'ls' 'rm x'",
  'hyperfine --warmup 3 "rm x"',
  'cross-env A=1 rm x',
  'op run --env-file x -- rm x',
  '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
  '/proc/$$/exe -c "rm x"',
  "sudo -s <<< 'rm x'",
  "su <<< 'rm x'",
  'ssh h <<E\nrm x\nE',
  "unshare -r <<< 'rm x'",
  "at now <<< 'rm x'",
  'echo rm x | parallel',
];

/** Words that only look like commands. */
const MUST_PASS = [
  "for f in a b; do echo $f | awk '{print $(NF-1)}'; done",
  'while read -r line; do echo "$line"; done < f; echo \'$(date)\'',
  'echo "rm x; git push"',
  "git commit -m 'rm -rf everything'",
  "cat <<'EOF'\nrm x\ngit push\nEOF",
  'git stash push',
  'git log --grep "git push"',
  'npm run rm',
  'ls rm # rm x',
  'command -v rm',
  'grep -rn "rm x" src | head -3',
  'for f in a b; do echo "$f"; done',
  'if [ -d rm ]; then ls rm; fi',
  'x=$((1 + 2)); echo "$x"',
  "sed 's/a/e/; s/b/c/g' f",
  "sed -n '/rm x/p' f",
  "sed -i -e 's,one,the rm,' f",
  'tar czf rm.tgz f',
  'tar --checkpoint=1 -xf a.tar',
  "git commit -mOops -m 'git push'",
  'xargs -I {} ls {}',
  'env -i A=1 ls',
  'su root -c ls',
  'fc -l',
  'mkdir -p src/{a,b}/{c,d}',
  'echo {"a b",$(ls),x$y}',
  'ls {1..3}',
  'set -e; set -o pipefail',
  'prlimit --nofile=9 ls',
  'source /srv/dev/env.sh',
  'ls *.rm',
  "rsync -ae 'ssh -p 22' a b:c",
  'rsync -e ssh a b:c',
  "GIT_SSH_COMMAND='ssh -i key' git fetch",
  'git -c core.pager=cat log',
  'PAGER=cat git log',
  'make SHELL=/bin/bash test',
  'npm --script-shell=bash test',
  'EDITOR=vim git commit -m rm',
  'ssh -N -L 1:h:1 h',
  'sudo -l',
  'git config core.editor "code --wait"',
  'docker compose up -d',
  'kubectl -n n get pods',
  'fd -e ts rm',
  'at -l',
  'ENV=production npm test',
  'f(){ local name="$1"; echo "(see $name)"; }; f a; awk \'{print $1}\' f',
  "n=$(grep -c '^[a-z]*$' f); echo $((n + 1)); echo '(rm x)'",
  'declare -a list=(1 2); local x="$1"; grep "foo$" f',
  'for key in "${!map[@]}"; do echo "$key" \'[$(date)]\'; done',
  'OPTIND=1; while getopts "a:b" o; do echo "$o"; done',
];

describe('reading a shell command', () => {
  it.each(MUST_BE_DENIED)('finds what %j runs', (command) => {
    expect(effectOf(command)).toBe('deny');
  });

  it.each(RUN_FROM_QUOTES)('finds what %j runs although it is quoted', (command) => {
    expect(effectOf(command)).toBe('deny');
  });

  it.each(RUN_BY_PROGRAMS)('finds what %j has another program run', (command) => {
    expect(effectOf(command)).toBe('deny');
  });

  it.each(MUST_PASS)('takes the data in %j for data', (command) => {
    expect(effectOf(command)).toBe('allow');
  });

  it('gives words without their quotes', () => {
    expect(wordsOf(`git "commit" -m 'it''s' a\\ b $'\\x41\\n'`)).toEqual([
      ['git', 'commit', '-m', 'its', 'a b', 'A\n'],
    ]);
  });

  it('gives the commands of both sides of every operator', () => {
    expect(wordsOf('a && b || c; d | e |& f & g\nh')).toEqual([['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h']]);
  });

  it('keeps redirects and assignments apart from words', () => {
    const [command] = readShellCommand('A=1 B=2 ls >out 2>>err <in').commands;
    expect(command?.words).toEqual(['ls']);
    expect(command?.assignments).toEqual(['A=1', 'B=2']);
    expect(command?.redirects).toEqual([
      { kind: 'write', target: 'out' },
      { kind: 'write', target: 'err' },
      { kind: 'read', target: 'in' },
    ]);
  });

  it('names the wrappers that a command was found in', () => {
    const found = readShellCommand("timeout 5 env A=1 bash -c 'ls x'").commands.at(-1);
    expect(found?.words).toEqual(['ls', 'x']);
    expect(found?.via).toEqual(['timeout', 'env', 'bash']);
  });

  it.each(['echo "open', "echo 'open", 'echo $(', 'echo `ls', 'ls )', 'echo $(($['])('calls %j unreadable', (text) => {
    expect(readShellCommand(text)).toMatchObject({ unreadable: expect.any(String), malformed: true });
  });
});

describe('reading hostile text', () => {
  const hostile: [string, string][] = [
    ['groups', '('.repeat(60_000)],
    ['substitutions', '$('.repeat(30_000)],
    ['parameters', '${'.repeat(30_000)],
    ['arithmetic', '$(('.repeat(20_000)],
    ['quotes in substitutions', '"$('.repeat(20_000)],
    ['braces', '{a,'.repeat(20_000)],
    ['brackets', '[a]'.repeat(20_000)],
    ['here-documents', `${'<<A '.repeat(15_000)}\n`],
    ['cases', 'case '.repeat(13_000)],
    ['evals', 'eval '.repeat(13_000)],
    ['commands of commands', 'command '.repeat(8_000)],
    ['assignments', 'a[]]]]'.repeat(10_000)],
    ['stars', '*'.repeat(65_000)],
    ['options', `git ${'-a '.repeat(20_000)}`],
    ['unknown programs', 'xyz git '.repeat(8_000)],
    ['an unknown program and options', `xyz ${'git -a '.repeat(9_000)}`],
    ['commands that find runs', `find ${'-exec '.repeat(10_000)}`],
    ['names that find may find', `find ${'a '.repeat(1_000)}${'-exec b {} ; '.repeat(4_000)}`],
    ['a long name that find may find', `find ${'a'.repeat(30_000)} -exec b ${'{} '.repeat(10_000)}`],
    ['quotes in code', `node -e 'exec ${'\\"'.repeat(30_000)}'`],
    ['brackets that never close', `find . -name '${'['.repeat(64_000)}' -exec b {} +`],
    ['brackets of git', `git add '${'*['.repeat(32_000)}'`],
    ['a path that leads up', `gdb -ex '${'../'.repeat(21_000)}'`],
    ['commands of an editor', `vim -c '${'!('.repeat(32_000)}'`],
    ['scripts of sed', `sed '${'s/[a/b/w x;'.repeat(5_900)}' a`],
    ['uses of a variable', `F=a; ${'cat "$F"; '.repeat(6_500)}`],
    ['words of which a part is known', `tool ${'"$X/a$Y" '.repeat(7_000)}`],
    ['a long word of which a part is known', `tool "${'a'.repeat(60_000)}$X"`],
    ['names that code opens', `python3 -c "${"open('a';".repeat(8_000)}$X"`],
    ['code in many options', `perl ${'-ne a b '.repeat(8_000)}`],
    ['loops in loops', `${'for x in a b c d e f g h; do '.repeat(1_500)}`],
    ['loops that are written out in each other', 'for x in a b; do set -- $@ $@;'.repeat(320)],
    ['expressions in expressions', '$((x='.repeat(10_000)],
    ['more than 64 KiB', 'ls;'.repeat(40_000)],
    ['NUL', 'ls\0; rm x'],
  ];

  it.each(hostile)('answers for %s, and does not throw', (_name, text) => {
    const start = performance.now();
    expect(['allow', 'deny']).toContain(effectOf(text));
    // A twentieth of it on a quiet machine; what is quadratic takes many times as much.
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it.each([
    ['over 64 KiB', `${'ls;'.repeat(40_000)} rm x`],
    ['nested too deep', `${'$('.repeat(100)}rm x${')'.repeat(100)}`],
    ['a NUL', 'ls\0; rm x'],
    [
      'nine shells deep',
      Array.from({ length: 12 }).reduce<string>((inner) => `bash -c ${JSON.stringify(inner)}`, 'rm x'),
    ],
  ])('denies what is %s, since it could be anything', (_name, text) => {
    expect(effectOf(text)).toBe('deny');
  });

  it.each([
    `find . ${'-exec b {} ; '.repeat(3_000)} -exec rm x ;`,
    `find ${'a'.repeat(30_000)} -exec b ${'{} '.repeat(5_000)} ; -exec rm {} ;`,
    `xyz ${'git status '.repeat(50)} git push`,
    `node -e 'exec ${'\\"'.repeat(20_000)}\nspawn("rm", "x")'`,
  ])('still finds what is denied at the end of it', (text) => {
    expect(effectOf(text.replaceAll(' ;', ' \\;'))).toBe('deny');
  });

  it('denies a command that is no text', () => {
    expect(policy.decide({ toolName: 'shell', args: { command: 5 } }).effect).toBe('deny');
    expect(policy.decide({ toolName: 'shell', args: null }).effect).toBe('deny');
  });
});

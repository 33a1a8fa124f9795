// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import type { Random } from './random.js';

/**
 * Makes a bash script from a grammar that hides commands in every place where bash runs them. Most are valid, most run
 * something, and many run a denied program (`zap`, or `git push`).
 */
export function generateScript(random: Random): string {
  return new Generator(random).list(3);
}

const QUOTED_ZAP = [
  'zap',
  "'zap'",
  '"zap"',
  'z"a"p',
  "z''ap",
  '\\zap',
  'z\\ap',
  "$'zap'",
  "$'\\x7aap'",
  "$'\\172ap'",
  '$"zap"',
  'z\\\nap',
  "$'zap\\0x'",
  'z"a"\'p\'',
];
const HARMLESS = [
  'true',
  'cat',
  'ok a b',
  'echo hi',
  ': x',
  'ok "a b"',
  'test -n x',
  "printf '%s' a",
  'git status',
  'ok zap',
  'echo "zap"',
];

class Generator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  list(depth: number): string {
    const count = 1 + this.#random.below(3);
    let text = this.item(depth);
    for (let index = 1; index < count; index += 1) {
      text +=
        this.#random.pick(['; ', ' && ', ' || ', '\n', ' | ', ' ;\n', ' & ', ' |& ', ' # zap\n']) + this.item(depth);
    }
    return text;
  }

  item(depth: number): string {
    return depth <= 0 || this.#random.chance(0.35) ? this.simple(depth) : this.compound(depth);
  }

  simple(depth: number): string {
    const before = this.#random.chance(0.2) ? `${this.#assignment(depth)} ` : '';
    const redirect = this.#random.chance(0.25) ? ` ${this.#redirect(depth)}` : '';
    const early = this.#random.chance(0.1) ? `${this.#redirect(depth)} ` : '';
    return `${early}${before}${this.#command(depth)}${redirect}`;
  }

  compound(depth: number): string {
    const inner = () => this.list(depth - 1);
    const word = () => this.#word(depth - 1);
    switch (this.#random.below(22)) {
      case 0:
        return `{ ${inner()}\n}`;
      case 1:
        return `( ${inner()}\n)`;
      case 2:
        return `if ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`;
      case 3:
        return `for v in ${word()} ${word()}; do ${inner()}\ndone`;
      case 4:
        return `case ${word()} in ${this.#random.pick(['a', '*', 'b|*', '(a|*)'])}) ${inner()}\n;; esac`;
      case 5:
        return `f${this.#random.pick(['()', ' ()', '( )'])} { ${inner()}\n}; f`;
      case 6:
        return `function f { ${inner()}\n}\nf a`;
      case 7:
        return `! ${this.item(depth - 1)}`;
      case 8:
        return `time ${this.#random.pick(['', '-p ', '-- '])}${this.item(depth - 1)}`;
      case 9:
        return `coproc { ${inner()}\n}`;
      case 10:
        return `coproc ${this.simple(0)}`;
      case 11:
        return `[[ ${word()} == ${word()} ]] && ${this.item(depth - 1)}`;
      case 12:
        return `for ((i=0;i<1;i++)); do ${inner()}\ndone`;
      case 13:
        return `until ${inner()}\ntrue; do break; done`;
      case 14:
        return `while ${inner()}\nfalse; do :; done`;
      case 15:
        return `cat <<${this.#heredoc(depth)}`;
      case 16:
        return `bash <<${this.#random.pick(['E', "'E'", '\\E', 'E""'])}\n${this.simple(0)}\nE\n`;
      case 17:
        return `trap ${this.#quote(this.simple(0))} EXIT`;
      case 18:
        return `((1 ${this.#random.pick(['+ 1', '<< 1', '&& x', `+ $(${this.simple(0)}) 1`])})) ; true`;
      case 19:
        return `eval ${this.#random.pick([this.#quote(inner()), this.simple(0)])}`;
      case 20:
        return `{ ${inner()}\n} > out`;
      default:
        return `while read v; do ${inner()}\ndone <<< ${word()}`;
    }
  }

  #command(depth: number): string {
    if (this.#random.chance(0.3)) return this.#random.pick(HARMLESS);
    if (this.#random.chance(0.2)) return `${this.#wrapper()} ${this.#target(depth)}`;
    if (this.#random.chance(0.15)) return this.#shell(depth);
    if (this.#random.chance(0.15)) return this.#dynamic(depth);
    if (this.#random.chance(0.2)) return `ok ${this.#word(depth)}`;
    return this.#target(depth);
  }

  #target(depth: number): string {
    const argument = this.#random.chance(0.4) ? ` ${this.#word(depth)}` : '';
    if (this.#random.chance(0.35)) {
      const options = this.#random.pick(['', '-C . ', '-c a=b ', '--git-dir=x ', '--no-pager ', '-C "$PWD" ']);
      return `${this.#random.pick(['git', 'g""it', '\\git'])} ${options}${this.#random.pick(['push', "pu''sh", 'p\\ush', '"push"', 'status', 'log'])}${argument}`;
    }
    return this.#random.pick(QUOTED_ZAP) + argument;
  }

  #wrapper(): string {
    return this.#random
      .pick([
        'env',
        'env A=1',
        'env -u HOME',
        'command',
        'command -p --',
        'builtin command',
        'exec',
        'exec -a x',
        'timeout 5',
        'timeout -s KILL 5',
        'nice',
        'nice -n 3',
        'nohup',
        'setsid -w',
        'stdbuf -o0',
        'xargs',
        'xargs -n1',
        'echo a | xargs -I{}',
        'find . -maxdepth 0 -exec',
        'time',
        '!',
      ])
      .replace(/-exec$/, '-exec ok {} \\; -exec');
  }

  #shell(depth: number): string {
    const code = this.#quote(this.list(Math.min(depth - 1, 1)));
    return this.#random.pick([
      `bash -c ${code}`,
      `bash -e -c ${code}`,
      `bash -ec ${code}`,
      `sh -c ${code}`,
      `bash -o pipefail -c ${code} a b`,
      `eval ${code}`,
      `bash <<< ${code}`,
      `echo ${code} | bash`,
      `env -S ${this.#quote(this.simple(0))}`,
      `bash -s <<< ${code}`,
      `. /dev/stdin <<< ${code}`,
      `source <(echo ${code})`,
      `bash <(echo ${code})`,
    ]);
  }

  #dynamic(depth: number): string {
    const zap = this.#random.pick(QUOTED_ZAP);
    return this.#random.pick([
      `x=${zap}; $x`,
      `x=zap; "$x" a`,
      'x=ap; z$x',
      'x=ap; z"${x}" a',
      'x=zap y=x; ${!y}',
      'a=(zap b); "${a[@]}"',
      'set -- zap a; "$@"',
      'set -- git push; $*',
      '$(echo zap) a',
      '`echo zap`',
      '${x:-zap} a',
      '{zap,a}',
      '{git,push}',
      'git {push,a}',
      '>() zap a',
      '<() zap a',
      'printf -v x zap; $x',
      'read x <<< zap; $x',
      'x=zap; eval $x',
      'x=\'$(zap)\'; echo "${x@P}"',
      "x='a[$(zap)]'; ((x))",
      "x='a[$(zap)]'; echo $((x))",
      "x='a[$(zap)]'; [[ x -eq 1 ]]",
      "test -v 'a[$(zap)]'",
      "unset 'a[$(zap)]'",
      "declare -i x='a[$(zap)]'",
      "let 'x=a[$(zap)]'",
      'a[$(zap)]=1',
      'a=([$(zap)]=1)',
      "PS4='$(zap)'; set -x; true",
      'shopt -s expand_aliases\nalias q=zap\nq',
      'IFS=,; x=zap,a; $x',
      "trap 'zap' DEBUG; true",
      'mapfile -c1 -C zap x <<< a',
      'for v in zap; do $v; done',
      `$'\\x67it' push ${this.#word(depth)}`,
      'coproc zap',
      'command -v zap; zap() { command zap; }; zap',
      'enable -n echo; zap',
    ]);
  }

  #word(depth: number): string {
    if (depth <= 0)
      return this.#random.pick(['a', 'zap', '"a b"', "'zap; zap'", '$x', '"$HOME"', '-x', 'push', '*.c', 'a\\ b']);
    const inner = () => this.simple(depth - 1);
    switch (this.#random.below(14)) {
      case 0:
        return `$(${inner()})`;
      case 1:
        return `"$(${inner()})"`;
      case 2:
        return `\`${inner().replace(/[`\\$]/g, '\\$&')}\``;
      case 3:
        return `<(${inner()})`;
      case 4:
        return `\${x:-$(${inner()})}`;
      case 5:
        return `"\${x:-\${y:-$(${inner()})}}"`;
      case 6:
        return `$((1 + $(${inner()} >/dev/null; echo 1)))`;
      case 7:
        return `\${x:=\`${inner().replace(/[`\\$]/g, '\\$&')}\`}`;
      case 8:
        return `{a,$(${inner()})}`;
      case 9:
        return `"a\${x+$(${inner()})}b"`;
      case 10:
        return this.#quote(inner());
      case 11:
        return `\${x/a/$(${inner()})}`;
      case 12:
        return `$(<out)`;
      default:
        return this.#word(0);
    }
  }

  #assignment(depth: number): string {
    return this.#random.pick([
      'A=1',
      'A+=1',
      'A="x y" B=2',
      `A=${this.#word(depth)}`,
      `A=(a ${this.#word(depth - 1)});`,
      'a[1]=2',
      `a[${this.#random.pick(['0', '1+1', 'x'])}]=${this.#word(0)}`,
    ]);
  }

  #redirect(depth: number): string {
    const word = this.#random.pick(['out', '"out"', '/dev/null']);
    return this.#random.pick([
      `> ${word}`,
      `>> ${word}`,
      `2>${word}`,
      '2>&1',
      `&>${word}`,
      `>| ${word}`,
      `<> ${word}`,
      '< /dev/null',
      `<<< ${this.#word(depth - 1)}`,
      `{fd}>${word}`,
      `> >(${this.simple(0)})`,
    ]);
  }

  #heredoc(depth: number): string {
    const [open, close] = this.#random.pick([
      ['E', 'E'],
      ["'E'", 'E'],
      ['"E"', 'E'],
      ['\\E', 'E'],
      ['-E', 'E'],
      ['E""', 'E'],
    ] as const);
    const body = this.#random.pick([
      'zap',
      `$(${this.simple(depth - 1)})`,
      `a "\`${this.simple(0)}\`"`,
      '\\$(zap)',
      `\${x:-$(${this.simple(0)})}`,
      '\'\n"',
      '$x $',
    ]);
    return `${open}\n${body}\n${close}\n${this.#random.chance(0.5) ? this.simple(depth - 1) : ''}`;
  }

  #quote(code: string): string {
    if (this.#random.chance(0.3) && !/[`$"\\!]/.test(code)) return `"${code}"`;
    return `'${code.replaceAll("'", `'\\''`)}'`;
  }
}

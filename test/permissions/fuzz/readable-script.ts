// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import type { Random } from './random.js';

/**
 * Makes a bash script that runs nothing denied and of which all is written out: what is denied stands in it as data,
 * in quotes, comments and here-documents. What is not known of it (a variable) is never a program or a file's name.
 */
export function readableScript(random: Random): string {
  return new ReadableGenerator(random).list(3);
}

const COMMANDS = [
  'true',
  'ok a b',
  'ok "a b" \'c d\'',
  'ls -la',
  'git status',
  'git log --oneline -5',
  'git commit -am "zap it"',
  "git commit -m 'no git push'",
  'git add src/a.ts',
  'cat README.md',
  'cat *.md',
  'test -f .env',
  'ok zap',
  'ok --message="git push; zap"',
  'echo zap',
  'echo "git push" \'zap\'',
  'echo ".env guard"',
  "printf '%s\\n' zap",
  'rm out.txt',
  'rm *.log',
  'env A=1 ok b',
  'timeout 5 ok a',
  'nice -n 3 ok a',
  'command ok a',
  'find . -name "*.ts"',
  'grep -n zap README.md',
  'grep -n "git push" *.md',
  "sed -n '1p' README.md",
  "awk '{print $1}' README.md",
  'mkdir -p build/a',
  'tar xf a.tgz',
  'gcc -o out main.c',
  'npm test',
  'make -C lib',
  'export MODE=zap',
  'cd src',
  'x=zap',
  'x="git push"; ok "$x"',
  'for v in a zap; do ok "$v"; done',
];

class ReadableGenerator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  list(depth: number): string {
    let text = this.#item(depth);
    for (let count = this.#random.below(3); count > 0; count -= 1)
      text += this.#random.pick(['; ', ' && ', ' || ', '\n', ' | ', ' & ', ' # zap\n']) + this.#item(depth);
    return text;
  }

  #item(depth: number): string {
    return depth <= 0 || this.#random.chance(0.4) ? this.#simple() : this.#compound(depth - 1);
  }

  #simple(): string {
    const redirect = this.#random.pick(['', '', '', ' > out', ' 2>&1', ' >> out 2>/dev/null', ' < /dev/null']);
    return this.#random.pick(COMMANDS) + redirect;
  }

  #compound(depth: number): string {
    const inner = () => this.list(depth);
    switch (this.#random.below(14)) {
      case 0:
        return `{ ${inner()}\n}`;
      case 1:
        return `( ${inner()}\n)`;
      case 2:
        return `if ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`;
      case 3:
        return `for v in a 'b c' zap; do ${inner()}\ndone`;
      case 4:
        return `case zap in a|zap) ${inner()}\n;; *) ${inner()}\n;; esac`;
      case 5:
        return `{ f() { ok "$1"; }; f zap; }`;
      case 6:
        return '{ ! ok a; }';
      case 7:
        return `[[ zap == a ]] || ${this.#item(depth)}`;
      case 8:
        return `while ${inner()}\nfalse; do :; done`;
      case 9:
        return `ok "$(${inner()}\n)"`;
      case 10:
        return `{ cat <<'E'\nzap $(zap) git push\nE\n}`;
      case 11:
        return `{ cat <<E\nzap; git push \${x:-zap}\nE\n}`;
      case 12:
        return `bash -c '${inner().replaceAll("'", `'\\''`)}'`;
      default:
        return `{ time ${this.#simple()}\n}`;
    }
  }
}

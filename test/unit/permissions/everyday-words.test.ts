import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';

const GIT = 'write_file(.git/**)';

function effect(rule: string, command: string, backend: 'none' | 'docker' = 'none'): string {
  const policy = parsePolicy({ deny: [rule] }, { backend: { name: backend } });
  return policy.decide({ toolName: 'shell', args: { command } }).effect;
}

describe('a word of which enough is known', () => {
  it.each([
    ...['T=$(mktemp); echo x > "$T"', 'TMP=$(mktemp -d); cp a "$TMP/"', 'T=$(mktemp /tmp/a.XXXX) && echo x >$T'],
    ...['echo x > "logs/$(date +%F).log"', 'tar czf "backup-$(date +%s).tgz" src', `echo x > "a/$(date -u '+%Y-%m')"`],
    ...['rm -f "build-$RANDOM.log"', 'rm -f tmp.$$', 'touch "out/$(id -u)"', 'ln -s "$A" b'],
    ...['D=$(date +%F); mkdir -p "out/$D"'],
  ])('is not refused: %s', (command) => {
    expect([effect(GIT, command), effect(GIT, command, 'docker')]).toEqual(['allow', 'allow']);
  });

  it.each([
    ...['mkdir -p "out/$N"', 'T=$(mktemp -p "$D"); echo x > "$T"', 'T=$(mktemp .git/hooks/XXXX); echo x > "$T"'],
    ...['TMPDIR=.git/hooks; T=$(mktemp); echo x > "$T"', 'mktemp() { echo .git/a; }; echo x > "$(mktemp)"'],
    ...['echo x > ".git/hooks/$RANDOM"', 'echo x > ".git/$(date +%F)"', 'echo x > "a/$(date +%D)"'],
    ...['RANDOM=../.git/a; echo x > "b/$RANDOM"', 'echo x > "b/$(date "+$F")"', 'echo x > "b/.$(date +%F)./.git/a"'],
    ...['T=$(mktemp -d); cp a "$T/../../workspace/.git/hooks/a"', 'cp "$F" out/', 'cp ".git/$F" .git/hooks'],
    ...['ln -s a/hooks .git', 'PATH=.:$PATH; echo x > "$(date +%F)"', '. ./a; echo x > "$(date +%F)"'],
  ])('is told from one that may lead there: %s', (command) => {
    expect(effect(GIT, command)).toBe('deny');
  });

  it('counts by what a name may be', () => {
    expect(effect('write_file(build-1.log)', 'rm -f "build-$RANDOM.log"')).toBe('deny');
    expect(effect('write_file(ci.yml)', 'ln -s a/ci.yml')).toBe('deny');
  });
});

describe('a word that cannot be the denied path', () => {
  it.each([
    ...[`git checkout -- '*.ts'`, `git rm --cached '*.log'`, `git restore 'src/*.ts'`, `git add '*.ts'`],
    ...[`git restore ':(top)src/*.ts'`, `git -C sub restore '*.ts'`],
    ...['touch -d "$D" f', 'touch -r "$R" f', 'truncate -s "$N" f', 'mkdir -m "$M" d', 'chmod "$MODE" f'],
    ...['chown "$USER" f', 'chown "$(id -u):$(id -g)" dist', 'chgrp "$G" f', 'setfacl -m "$ACL" f'],
  ])('of a pattern or an option is not refused: %s', (command) => {
    expect([effect(GIT, command), effect(GIT, command, 'docker')]).toEqual(['allow', 'allow']);
  });

  it.each([`git diff '*.ts'`, `git log -- '*.ts'`, `git add '*.ts'`, `git grep x -- '*.ts'`])(
    'because it is outside the repository is not refused: %s',
    (command) => {
      expect(effect('read_file(~/.ssh/**)', command)).toBe('allow');
    },
  );

  it.each([
    ['write_file(src/**)', `git checkout -- '*.ts'`],
    ['write_file(src/**)', `git restore ':(top)*.ts'`],
    ['write_file(/src/**)', `cd lib && git restore ':/*.ts'`],
    ['write_file(src/**)', `git restore 's*'`],
    ['write_file(src/**)', `git restore -S -W 's*'`],
    ['write_file(src/**)', `git rm -- 's*' --cached`],
    ['read_file(.env)', `git add '*env'`],
    [GIT, 'chmod -x .git/hooks/a'],
    [GIT, 'chmod --reference=a .git/hooks/a'],
    [GIT, 'chown --ref=a .git/hooks/a'],
    [GIT, 'chmod "$MODE" "$F"'],
    [GIT, 'touch -d now .git/hooks/a'],
    ['read_file(~/.ssh/**)', 'cat "$X"'],
    ['write_file(ci.yml)', 'curl -O http://x/ci.yml'],
    ['write_file(ci.yml)', 'curl -sSLO http://x/a/ci.yml?x'],
    ['write_file(/a/ci.yml)', 'curl -O --output-dir a http://x/ci.yml'],
    ['write_file(ci.yml)', 'wget http://x/ci.yml'],
    ['write_file(/a/ci.yml)', 'wget -Pa http://x/ci.yml'],
    ['write_file(ci.yml)', `prettier --write '*.yml'`],
    ['write_file(/a/ci.yml)', `prettier --write '**/*.{yml,json}'`],
    ['write_file(ci.yml)', `eslint --fix './**/*.yml'`],
    ['write_file(ci.yml)', 'pytest --junit-xml ci.yml'],
    ['write_file(ci.yml)', 'pytest --junit-xml=ci.yml'],
    [GIT, 'git config core.hooksPath x'],
    [GIT, 'git config --local --unset core.hooksPath'],
    [GIT, 'git config set core.hooksPath x'],
    [GIT, 'git init --template=x'],
    ['read_file(.env)', 'tsc @.env'],
    ['read_file(.env)', 'git ls-files -X .env'],
    ['read_file(.env)', 'git ls-files --exclude-from=.env'],
  ])('is told from one that can: %s denies %s', (rule, command) => {
    expect(effect(rule, command)).toBe('deny');
  });

  it.each([
    [GIT, 'git config user.name'],
    [GIT, 'git config --get core.hooksPath'],
    [GIT, 'git config --global user.name x'],
    ['write_file(ci.yml)', `git rm --cached '*.yml'`],
    ['write_file(ci.yml)', `git restore --staged '*.yml'`],
    ['write_file(ci.yml)', 'curl http://x/ci.yml'],
    ['write_file(ci.yml)', 'curl -O http://x/a.tgz'],
    ['write_file(ci.yml)', 'curl -O "$URL"'],
    ['write_file(ci.yml)', 'wget -q http://x/a.tgz'],
    ['write_file(ci.yml)', `prettier --write 'src/**/*.ts'`],
    ['write_file(ci.yml)', `prettier --check '*.yml'`],
  ])('is told from one that can: %s leaves open %s', (rule, command) => {
    expect(effect(rule, command)).toBe('allow');
  });
});

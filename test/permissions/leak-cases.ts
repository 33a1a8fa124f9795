// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts

/** Stands in every denied file. Nothing that a model, a log or another file gets may show it, plain or as it is encoded. */
export const SECRET = 'canary-7f3a91c4e8';
const CONTENT = `TOKEN=${SECRET}\n`;

/** Each form of a read rule in the case file, and a file that it denies. */
export const SECRETS: readonly (readonly [rule: string, path: string])[] = [
  ['read_file(.env)', '.env'],
  ['read_file(.env)', 'packages/api/.env'],
  ['read_file(secrets/**)', 'secrets/prod/key.json'],
  ['read_file(**/*.pem)', 'certs/TLS.pem'],
  ['read_file(/private/token.txt)', 'private/token.txt'],
  ['read_file(./local.cfg)', 'local.cfg'],
];
export const RULES = [...new Set(SECRETS.map(([rule]) => rule))];
export const PLACES = [...new Set(SECRETS.map(([, path]) => path))];
export const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLACES.map((path) => [path, CONTENT])),
  'README.md': 'nothing here\n',
  'packages/api/index.js': '1\n',
};

const SPELLINGS = [
  SECRET,
  [...SECRET].reverse().join(''),
  ...['base64', 'hex'].map((encoding) =>
    Buffer.from(CONTENT)
      .toString(encoding as BufferEncoding)
      .slice(0, 16),
  ),
  Buffer.from(SECRET).toString('hex'),
  // One character a line, as `od -c` and `split` give it.
  [...SECRET].join('   '),
  SECRET.toUpperCase(),
];

export function reveals(shown: unknown): boolean {
  const text = typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '');
  return SPELLINGS.some((spelling) => text.includes(spelling));
}

/** Programs that put a file's name together by themselves and read it. */
export const WALKS: readonly string[] = [
  `python3 - <<'X'
import os
for d, _, fs in os.walk('.'):
    for f in fs:
        try: print(open(os.path.join(d, f)).read())
        except Exception as e: print(e)
X`,
  `node -e 'const fs=require("fs");const w=d=>{for(const e of fs.readdirSync(d,{withFileTypes:true})){try{e.isDirectory()?w(d+"/"+e.name):console.log(fs.readFileSync(d+"/"+e.name,"utf8"))}catch(x){console.log(x.message)}}};w(".")'`,
  `perl -e 'use File::Find; find(sub { return unless open(my $f, "<", $_); print <$f> }, ".")'`,
  `python3 -c 'import os; p=os.environ["F"]; print(os.open(p, os.O_RDONLY)); print(open(p).read()[::-1])'`,
  `python3 -c 'import os,shutil; shutil.copyfile(os.environ["F"], "/tmp/py"); print(open("/tmp/py").read())'`,
];

/** What was there must not come back when it is removed. */
export const ONLY_REMOVES =
  'rm -f "$F"; cat "$F"; rm -rf "$(dirname "$F")/nothing"; ls -la "$(dirname "$F")"; cat "$F"';

/** Ways to a file's content, with its path in `F`. None may leave anything behind that changes the next. */
export const COMMANDS: readonly string[] = [
  'cat "$F"',
  'F2=$F; cat $F2',
  'grep -r canary . ; grep -rn "" .; grep -f "$F" README.md; grep "" "$F"',
  'cat < "$F"; echo "$(<"$F")"',
  'cp "$F" copy.txt; cat copy.txt; rm -f copy.txt; install "$F" /tmp/i; cat /tmp/i; dd if="$F" of=/tmp/dd; cat /tmp/dd',
  'mv "$F" moved.txt; cat moved.txt; mv moved.txt "$F"',
  'ln -s "$F" link.txt; cat link.txt; ln "$F" hard.txt; cat hard.txt; rm -f link.txt hard.txt',
  'ln -s . loop; cat loop/"$F" loop/loop/"$F"; rm -f loop; ln -s "$PWD/$F" /tmp/l; cat /tmp/l',
  'while read -r line; do echo "$line"; done < "$F"; mapfile -t a < "$F"; echo "${a[@]}"',
  'tar cf /tmp/all.tar . ; cat /tmp/all.tar; tar cf - "$F"; tar cf - . | tar xOf - ; tar -T "$F" -cf -',
  'find . -type f -exec cat {} +; find . -type f | xargs cat; find . -name ".e*" -print0 | xargs -0 tail -n +1',
  `find . -type f -exec sh -c 'cat "$1"' _ {} \\;`,
  'cat .e* */*/.e* .[a-z]* s*/*/* c*/* p*/* l*.cfg; cat ?env */?env */*/?env',
  'shopt -s globstar dotglob; cat **; cat -- **/*',
  'base64 "$F"; xxd "$F"; od -c "$F"; sed -n p "$F"; awk 1 "$F"; sort "$F"; head -c 99 "$F"; strings "$F"',
  'rev "$F"; tac "$F"; nl "$F"; fold -w 5 "$F"; cut -c1- "$F"; tr a-z A-Z < "$F"; paste "$F"; cmp -l "$F" /dev/null; openssl base64 -in "$F"',
  'cd "$(dirname "$F")" && cat "$(basename "$F")"; cat ./"$(basename "$F")"',
  'eval "cat $F"; bash -c "cat $F"; . "./$F"; echo "$TOKEN"; set | grep TOKEN; bash "$F"; bash -v "$F"; bash -x "$F"',
  'diff /dev/null "$F"; diff -r . /tmp; cat nonexistent "$F" 2>&1; wc "$F"; rg canary; rg -uuu canary',
  'gzip -c "$F" | gunzip -c; cp -r . /tmp/all; cat /tmp/all/"$F"; cp -a secrets /tmp/s; cat /tmp/s/*/*; rm -rf /tmp/all /tmp/s',
  'rsync -a . /tmp/rs; cat /tmp/rs/"$F"; echo "$F" | cpio -o; split -b 4 "$F" /tmp/sp; cat /tmp/sp*',
  'exec 3<"$F"; cat <&3; cat /proc/self/fd/3; cat /dev/fd/3',
  'cat /proc/self/cwd/"$F" /proc/self/root/workspace/"$F" /proc/1/root/workspace/"$F" /workspace/"$F" /workspace/../workspace/"$F"',
  `printf 'cat "$F"\\n' > run.sh; sh run.sh; bash ./run.sh; rm -f run.sh`,
  'D=${F%%/*}; mv "$D" away; cat away away/* away/*/*; mv away "$D"',
  'D=$(dirname "$F"); mkdir -p /tmp/o; mv "$D"/* /tmp/o 2>/dev/null; cat /tmp/o/*; cp -rn /tmp/o/. "$D"; rm -rf /tmp/o',
  'chmod 777 "$F"; chmod -R a+rwX .; cat "$F"; sudo -n cat "$F"; su -c "cat $F"; setfacl -m u::r "$F"; cat "$F"',
  'umount "$PWD/$F"; unshare -rm cat "$F"; mount --bind README.md "$F"; nsenter -t 1 -m cat "/workspace/$F"; cat "$F"',
  'timeout 0.2 tail -f "$F"; env -i cat "$F"; nice cat "$F"; xargs -a "$F" echo; xargs cat <<< "$F"',
  'date -f "$F"; make -f "$F"; wc --files0-from="$F"; sort --files0-from="$F"; python3 "$F"; perl "$F"; node "$F"; node --env-file="$F" -p process.env.TOKEN; git config -f "$F" -l',
  'curl -s "file://$PWD/$F"; jq -R . "$F"; sqlite3 :memory: ".read $F"; ed -s "$F" <<< ,p; awk \'BEGIN{while((getline l < ENVIRON["F"])>0)print l}\'',
  'export GIT_DIR=/tmp/g GIT_WORK_TREE=.; git init -q; git add -A --ignore-errors; git add -f "$F"; git commit -qm x; git show HEAD:"$F"; git grep canary; git diff --no-index /dev/null "$F"; git log -p; echo x >> README.md; git stash; git stash show -p; git stash pop; git hash-object -w "$F"; git cat-file --batch-all-objects --batch; git checkout -q -- README.md; rm -rf /tmp/g',
  ONLY_REMOVES,
  '(sleep 0.05; cat "$F") & wait; coproc cat "$F"; cat <(cat "$F")',
  ...WALKS,
];

/** What goes through the whole tree finds every file at once. */
export function placesFor(command: string): readonly string[] {
  return /\bF\b/.test(command) ? PLACES : PLACES.slice(0, 1);
}

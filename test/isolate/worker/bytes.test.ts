import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerDriver } from './worker-driver.js';

let worker: WorkerDriver;
beforeAll(async () => {
  worker = await WorkerDriver.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** Each prints the byte sequence C3 A9 FF in its way. */
const PRINTERS = {
  'printf octal': "printf '\\303\\251\\377'",
  'printf hex': "printf '\\xc3\\xa9\\xff'",
  'printf %b': "printf '%b' '\\303\\251' '\\xff'",
  'echo -e': "echo -ne '\\xc3\\xa9\\0377'",
  "$'…'": "printf %s $'\\303\\xa9\\377'",
  awk: 'awk \'BEGIN{printf "\\303\\251\\377"}\'',
  'a variable': 'x=$(printf \'\\303\\251\\377\'); printf %s "$x"',
  read: 'printf \'\\303\\251\\377\\n\' | { read -r x; printf %s "$x"; }',
  mapfile: 'mapfile -t x < <(printf \'\\303\\251\\377\\n\'); printf %s "${x[0]}"',
  'a function': "f() { printf '\\303\\251\\377'; }; f",
  'bash -c': 'bash -c "printf \'\\303\\251\\377\'"',
  'a group of text and bytes': "{ echo -n é; printf '\\377'; }",
  'base64 -d': 'echo w6n/ | base64 -d',
  gunzip: "printf '\\303\\251\\377' | gzip -c | gunzip -c",
  tee: "printf '\\303\\251\\377' | tee copy",
  sed: "printf 'X\\251\\377' | sed 's/X/\\xc3/' | tr -d '\\n'; ".replace('\\xc3', "'$(printf '\\303')'"),
};

describe('output bytes are exact', () => {
  const expected = Buffer.from([0xc3, 0xa9, 0xff]);

  it.each(Object.entries(PRINTERS))('from %s to the result', async (_name, command) => {
    expect((await worker.exec(command)).stdout).toEqual(expected);
  });

  it.each(Object.entries(PRINTERS))('from %s through a pipe', async (_name, command) => {
    expect((await worker.exec(`{ ${command.replace(/; $/, '')}; } | cat`)).stdout).toEqual(expected);
  });

  it.each(Object.entries(PRINTERS))('from %s into a file', async (_name, command) => {
    await worker.exec(`{ ${command.replace(/; $/, '')}; } > out`);
    expect(readFileSync(join(worker.workspace, 'out'))).toEqual(expected);
  });

  it('does not take text for bytes', async () => {
    expect((await worker.exec("echo 'Ã©'; x='Ã©'; echo $x | cat; echo \"$x\" > t; cat t")).text).toBe('Ã©\nÃ©\nÃ©\n');
  });

  it('appends bytes and text to one file', async () => {
    await worker.exec("printf '\\377' > a; printf é >> a; { echo -n ü; printf '\\376' >&2; } >> a 2>&1");
    expect(readFileSync(join(worker.workspace, 'a'))).toEqual(Buffer.from([0xff, 0xc3, 0xa9, 0xc3, 0xbc, 0xfe]));
  });

  it('goes to stderr unchanged', async () => {
    const id = worker.nextId();
    await worker.exec("printf '\\303\\251\\377' >&2", { id });
    const frame = worker.received.find((message) => message.type === 'output' && message.id === id);
    expect(frame?.body).toEqual(expected);
  });

  it('passes every byte of a file through cat, redirection and copies', async () => {
    writeFileSync(join(worker.workspace, 'every'), every);
    expect((await worker.exec('cat every')).stdout).toEqual(every);
    expect((await worker.exec('cat < every | cat')).stdout).toEqual(every);
    await worker.exec(
      'cp every copy1; cat every > copy2; tee copy3 < every > /dev/null; mv copy1 /tmp; mv /tmp/copy1 .',
    );
    for (const name of ['copy1', 'copy2', 'copy3']) expect(readFileSync(join(worker.workspace, name))).toEqual(every);
  });

  it('go where redirections send them, in whatever order', async () => {
    writeFileSync(join(worker.workspace, 'every'), every);
    const out = () => readFileSync(join(worker.workspace, 'out'));
    expect((await worker.exec('cat every nosuch 2>&1 > out')).text).toBe('cat: nosuch: No such file or directory\n');
    expect(out()).toEqual(every);
    await worker.exec('cat every nosuch > out 2>&1');
    expect(out()).toEqual(Buffer.concat([every, Buffer.from('cat: nosuch: No such file or directory\n')]));
    await worker.exec('cat every > out; { cat every; cat every >&2; } >> out 2> err; cat err >> out');
    expect(out()).toEqual(Buffer.concat([every, every, every]));
    expect(
      (await worker.exec('echo é; cat every; f() { cat every; }; f; ! cat every; (cat every) 2>&1')).stdout,
    ).toEqual(Buffer.concat([Buffer.from('é\n'), every, every, every, every]));
    expect((await worker.exec('if cat every; then cat every; fi | cat; cat every > /dev/null; echo x')).stdout).toEqual(
      Buffer.concat([every, every, Buffer.from('x\n')]),
    );
  });

  it('keeps non-ASCII text that begins after the first 8 KiB', async () => {
    const text = `${'a'.repeat(9000)}é`;
    await worker.exec(`echo '${text}' 2>&1 > late; ls nosuch-é 2>> late`);
    expect(readFileSync(join(worker.workspace, 'late'), 'utf8')).toContain(text);
    expect(readFileSync(join(worker.workspace, 'late'), 'utf8')).toContain('nosuch-é');
  });

  it('measures text in characters and bytes in bytes', async () => {
    const { text } = await worker.exec(
      'x=$(printf "\\303\\251"); echo ${#x}; echo -n é | wc -c; echo é | wc -m; [ "$x" = é ] && echo same',
    );
    expect(text).toBe('1\n2\n2\nsame\n');
  });
});

describe('stdin', () => {
  it('arrives byte by byte', async () => {
    expect((await worker.exec('cat', { stdin: every })).stdout).toEqual(every);
    expect((await worker.exec('wc -c', { stdin: every })).text.trim()).toBe('256');
    expect((await worker.exec(['cat'], { stdin: every })).stdout).toEqual(every);
  });

  it('is read line by line as text', async () => {
    const { text } = await worker.exec('while read -r l; do echo "${#l}:$l"; done', { stdin: Buffer.from('é\nab\n') });
    expect(text).toBe('1:é\n2:ab\n');
  });
});

describe('environment variables and arguments', () => {
  it('carry any text', async () => {
    const { text } = await worker.exec('printf "%s|" "$V"; printenv V', { env: { V: 'é \u{1f600} "$x"' } });
    expect(text).toBe('é \u{1f600} "$x"|é \u{1f600} "$x"\n');
    expect((await worker.exec(['echo', 'é\u{1f600}'])).text).toBe('é\u{1f600}\n');
  });
});

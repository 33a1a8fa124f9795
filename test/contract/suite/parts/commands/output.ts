import { digest, patternBytes, plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

const MiB = 1024 * 1024;

/** What a command writes arrives byte for byte, bounded, and as it comes. */
export function describeOutput({ describe, check, expect }: Contract): void {
  describe('output', () => {
    check('stdout arrives exactly, with no CRLF', async ({ sandbox }) => {
      const result = await sandbox.exec("printf 'foo\\nbar\\n'");
      expect(result.stdout).toBe('foo\nbar\n');
      expect(result.stderr).toBe('');
      expect(result.exitCode).toBe(0);
    });

    check('stderr arrives exactly and apart from stdout', async ({ sandbox }) => {
      const result = await sandbox.exec("printf 'out\\n'; printf 'bar\\nbaz\\n' >&2");
      expect(result.stderr).toBe('bar\nbaz\n');
      expect(result.stdout).toBe('out\n');
    });

    check('a result says how long it took and that it was neither timed out nor aborted', async ({ sandbox }) => {
      const result = await sandbox.exec('true');
      expect(typeof result.durationMs).toBe('number');
      expect(result.durationMs).toBeGreaterThan(-1);
      expect(result.timedOut).toBe(false);
      expect(result.aborted).toBe(false);
      expect(result.cause).toBe(undefined);
      expect(result.truncated).toBe(undefined);
    });

    check('UTF-8 made inside the sandbox from octal escapes arrives on stdout', async ({ sandbox }) => {
      const result = await sandbox.exec("printf '\\303\\251 \\346\\227\\245\\346\\234\\254 \\360\\237\\230\\200\\n'");
      expect(result.stdout).toBe('é 日本 😀\n');
    });

    check('UTF-8 made inside the sandbox from octal escapes arrives on stderr', async ({ sandbox }) => {
      const result = await sandbox.exec(
        "printf '\\303\\251 \\346\\227\\245\\346\\234\\254 \\360\\237\\230\\200\\n' >&2",
      );
      expect(result.stderr).toBe('é 日本 😀\n');
    });

    check('bytes made inside the sandbox and redirected to a file are those bytes', async ({ sandbox, dir }) => {
      await sandbox.exec("printf '\\303\\251\\377\\000\\200x' > made", { cwd: dir });
      expect(plain(await sandbox.fs.readFile(`${dir}/made`))).toEqual([0xc3, 0xa9, 0xff, 0x00, 0x80, 0x78]);
    });

    check('bytes pass a pipe unchanged', async ({ sandbox, dir }) => {
      await sandbox.exec("printf '\\303\\050\\000\\377x' | cat > piped", { cwd: dir });
      expect(plain(await sandbox.fs.readFile(`${dir}/piped`))).toEqual([0xc3, 0x28, 0x00, 0xff, 0x78]);
    });

    check('output that is not UTF-8 does not throw: the text is marked, the bytes are kept', async ({ sandbox }) => {
      const result = await sandbox.exec("printf '\\303\\050\\000x'");
      expect(result.exitCode).toBe(0);
      expect(result.stdout).toContain('\uFFFD');
      expect(plain(result.bytes?.stdout)).toEqual([0xc3, 0x28, 0x00, 0x78]);
    });

    check('every byte value survives the way out of the sandbox', async ({ sandbox, dir }) => {
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      await sandbox.fs.writeFile(`${dir}/all`, all);
      const result = await sandbox.exec('cat all', { cwd: dir });
      expect(plain(result.bytes?.stdout)).toEqual([...all]);
    });

    check('a character is never torn where output is cut into pieces', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/text`, `x${'é'.repeat(300_000)}`);
      const pieces: Uint8Array[] = [];
      const result = await sandbox.exec('cat text', { cwd: dir, onOutput: ({ data }) => pieces.push(data.slice()) });
      expect(result.stdout.includes('\uFFFD')).toBe(false);
      expect(result.stdout.length).toBe(300_001);
      expect(utf8(Buffer.concat(pieces))?.length).toBe(300_001);
    });

    check('leading blanks, missing line ends and many line ends are kept', async ({ sandbox }) => {
      expect((await sandbox.exec("echo '  indented'")).stdout).toBe('  indented\n');
      expect((await sandbox.exec("printf 'no end'")).stdout).toBe('no end');
      expect((await sandbox.exec("printf '\\n\\n\\na\\n\\n'")).stdout).toBe('\n\n\na\n\n');
    });

    check('a command without output, and one that is only a comment, give empty streams', async ({ sandbox }) => {
      for (const command of ['true', '# only a comment', '']) {
        const result = await sandbox.exec(command);
        expect([command, result.exitCode, result.stdout, result.stderr]).toEqual([command, 0, '', '']);
      }
    });

    check('several lines of commands, loops, here-documents and pipes work', async ({ sandbox }) => {
      const result = await sandbox.exec(
        'for i in 1 2 3; do\n  echo "line $i"\ndone | sed s/line/row/\ncat <<EOF\nhere $((1 + 1))\nEOF',
      );
      expect(result.stdout).toBe('row 1\nrow 2\nrow 3\nhere 2\n');
    });

    check('long output keeps its start and its end and says how much was dropped', async ({ sandbox }) => {
      const result = await sandbox.exec('seq 400000');
      const produced = Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`).join('').length;
      expect(result.exitCode).toBe(0);
      expect(result.stdout.slice(0, 6)).toBe('1\n2\n3\n');
      expect(result.stdout.slice(-14)).toBe('399999\n400000\n');
      expect(result.truncated?.stdoutBytes ?? 0).toBeGreaterThan(produced - 1.1 * MiB);
      expect(result.truncated?.stderrBytes).toBe(0);
      expect(result.stdout.length).toBeLessThan(1.1 * MiB);
    });

    check(
      'a smaller maxOutputBytes is held',
      async ({ sandbox }) => {
        const result = await sandbox.exec('seq 10000', { limits: { maxOutputBytes: 1000 } });
        expect(result.stdout.length).toBeLessThan(1200);
        expect(result.stdout.slice(0, 4)).toBe('1\n2\n');
        expect(result.stdout.slice(-6)).toBe('10000\n');
        expect(result.truncated?.stdoutBytes ?? 0).toBeGreaterThan(47_000);
      },
      { needs: ['limits.maxOutputBytes'] },
    );

    check(
      '64 MiB of output do not grow the host by more than 32 MiB',
      async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/mebibyte`, `${'x'.repeat(1023)}\n`.repeat(1024));
        const flood = (times: number) =>
          sandbox.exec(`i=0; while [ $i -lt ${times} ]; do cat mebibyte; i=$((i+1)); done`, { cwd: dir });
        await flood(8);
        const before = process.memoryUsage.rss();
        let peak = before;
        const watch = setInterval(() => {
          peak = Math.max(peak, process.memoryUsage.rss());
        }, 5);
        const result = await flood(64).finally(() => clearInterval(watch));
        expect(result.exitCode === 0 || result.cause === 'output_limit').toBe(true);
        expect((result.truncated?.stdoutBytes ?? 0) + result.stdout.length).toBeGreaterThan(2 * MiB);
        expect(Math.max(peak, process.memoryUsage.rss()) - before).toBeLessThan(32 * MiB);
      },
      { timeoutMs: 90_000 },
    );

    check('onOutput sees every byte of both streams, in order, before the result', async ({ sandbox }) => {
      const seen = { stdout: '', stderr: '' };
      let done = false;
      const result = await sandbox.exec('echo one; echo two >&2; echo three', {
        onOutput: ({ stream, data }) => {
          if (done) throw new Error('Output came after the result');
          seen[stream] += utf8(data) ?? '';
        },
      });
      done = true;
      expect(seen).toEqual({ stdout: 'one\nthree\n', stderr: 'two\n' });
      expect(result.stdout).toBe('one\nthree\n');
    });

    check('onOutput sees output while the command is still running', async ({ sandbox }) => {
      const start = performance.now();
      let firstAt = Number.POSITIVE_INFINITY;
      await sandbox.exec('echo early; sleep 1.5; echo late', {
        onOutput: () => {
          firstAt = Math.min(firstAt, performance.now() - start);
        },
      });
      expect(performance.now() - start - firstAt).toBeGreaterThan(700);
    });

    check('an onOutput that throws does not take the call or the host with it', async ({ sandbox }) => {
      const outcome = await sandbox
        .exec('echo one', {
          onOutput: () => {
            throw new Error('listener');
          },
        })
        .catch(() => undefined);
      expect(outcome === undefined || outcome.exitCode === 0).toBe(true);
      expect((await sandbox.exec('echo next')).stdout).toBe('next\n');
    });

    check(
      'a mebibyte that passes pipes, a loop and redirections is byte for byte the same',
      async ({ sandbox, dir }) => {
        const bytes = patternBytes(MiB);
        await sandbox.fs.writeFile(`${dir}/block`, bytes);
        const result = await sandbox.exec('for i in 1 2 3; do cat block; done | cat | tee teed >> appended', {
          cwd: dir,
        });
        expect(result.exitCode).toBe(0);
        const expected = digest(Buffer.concat([bytes, bytes, bytes]));
        expect(digest(await sandbox.fs.readFile(`${dir}/appended`))).toBe(expected);
        expect(digest(await sandbox.fs.readFile(`${dir}/teed`))).toBe(expected);
      },
    );

    check(
      '50 MiB written by a command read back byte for byte',
      async ({ sandbox, dir }) => {
        const bytes = patternBytes(50 * MiB);
        await sandbox.fs.writeFile(`${dir}/big`, bytes);
        expect((await sandbox.exec('cp big copy && rm big', { cwd: dir })).exitCode).toBe(0);
        expect(digest(await sandbox.fs.readFile(`${dir}/copy`))).toBe(digest(bytes));
        await sandbox.fs.remove(`${dir}/copy`);
      },
      { timeoutMs: 90_000 },
    );
  });
}

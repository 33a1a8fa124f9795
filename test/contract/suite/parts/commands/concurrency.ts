import { utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';

/** Many calls at once: each gets its own answer. */
export function describeConcurrency({ describe, check, expect }: Contract): void {
  describe('concurrency', () => {
    check('a hundred commands at once get their own output, exit code and input', async ({ sandbox }) => {
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          sandbox.exec(`echo "out ${index}"; cat; echo "err ${index}" >&2; exit ${index}`, {
            stdin: `in ${index}\n`,
            env: { N: `${index}` },
          }),
        ),
      );
      for (const [index, result] of results.entries()) {
        expect([result.stdout, result.stderr, result.exitCode]).toEqual([
          `out ${index}\nin ${index}\n`,
          `err ${index}\n`,
          index,
        ]);
      }
    });

    check('a hundred streams at once are not mixed up', async ({ sandbox }) => {
      const streams = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          let seen = '';
          const result = await sandbox.exec(`for i in 1 2 3; do echo "${index}:$i"; done`, {
            onOutput: ({ data }) => {
              seen += utf8(data) ?? '';
            },
          });
          return [seen, result.stdout];
        }),
      );
      for (const [index, [seen, stdout]] of streams.entries()) {
        const expected = [1, 2, 3].map((i) => `${index}:${i}\n`).join('');
        expect([seen, stdout]).toEqual([expected, expected]);
      }
    });

    check('file calls do not wait for a command that runs', async ({ sandbox, dir }) => {
      const running = sandbox.exec('sleep 3');
      await sandbox.fs.writeFile(`${dir}/meanwhile`, 'written');
      const read = utf8(await sandbox.fs.readFile(`${dir}/meanwhile`));
      const first = await Promise.race([running.then(() => 'command'), Promise.resolve('file')]);
      expect([read, first]).toEqual(['written', 'file']);
      expect((await running).exitCode).toBe(0);
    });

    check('a hundred writers of different files lose nothing', async ({ sandbox, dir }) => {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => sandbox.fs.writeFile(`${dir}/f${index}`, `content ${index}`)),
      );
      const contents = await Promise.all(
        Array.from({ length: 100 }, (_, index) => sandbox.fs.readFile(`${dir}/f${index}`)),
      );
      expect(contents.map(utf8)).toEqual(Array.from({ length: 100 }, (_, index) => `content ${index}`));
    });

    check('a command that is stopped takes no other with it', async ({ sandbox }) => {
      const [stopped, ...others] = await Promise.all([
        sandbox.exec('while :; do :; done', { timeoutMs: 700 }),
        ...Array.from({ length: 10 }, (_, index) => sandbox.exec(`echo ${index}`)),
      ]);
      expect(stopped.timedOut).toBe(true);
      expect(others.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 10 }, (_, index) => `${index}\n`));
    });
  });
}

import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';

const sandbox = createIsolateSandbox();
afterAll(() => sandbox.dispose());

const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));
const PROGRAMS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];

describe('checksums in the shell', () => {
  it.each(PROGRAMS)('%ssum is what everyone else computes, of a file, of two and of its input', async (name) => {
    await sandbox.fs.writeFile('bytes', bytes);
    await sandbox.fs.writeFile('empty', '');
    const [whole, empty] = [bytes, ''].map((data) => createHash(name).update(data).digest('hex'));
    const { stdout } = await sandbox.exec(
      `${name}sum bytes; ${name}sum bytes empty; cat bytes | ${name}sum; ${name}sum -b - < empty`,
    );
    expect(stdout).toBe(`${whole}  bytes\n${whole}  bytes\n${empty}  empty\n${whole}  -\n${empty}  -\n`);
  });

  it('a list of checksums is checked, and what does not match is named', async () => {
    const { stdout, stderr } = await sandbox.exec(
      'echo 1 > a; echo 2 > b; sha256sum a b > sums; sha256sum -c sums; echo 3 > b; sha256sum --check sums; echo $?; rm a; sha256sum -c --quiet sums; echo $?; sha256sum --status -c sums; echo $?',
    );
    expect(stdout).toBe('a: OK\nb: OK\na: OK\nb: FAILED\n1\na: FAILED open or read\nb: FAILED\n1\n1\n');
    expect(stderr).toContain('sha256sum: WARNING: 1 computed checksum did NOT match\n');
    expect(stderr).toContain('sha256sum: a: No such file or directory\n');
  });

  it('a file that is missing and an option that is unknown are refused', async () => {
    const { stderr, exitCode } = await sandbox.exec('md5sum nothere; md5sum -z bytes');
    expect([stderr, exitCode]).toEqual([
      "md5sum: nothere: No such file or directory\nmd5sum: invalid option -- 'z'\n",
      1,
    ]);
  });
});

describe('base64 in the shell', () => {
  it('goes there and back byte for byte, in lines of 76', async () => {
    await sandbox.fs.writeFile('bytes', bytes);
    const { stdout } = await sandbox.exec(
      'base64 bytes; base64 bytes | base64 -d > again; cmp bytes again && base64 -w0 bytes | wc -l',
    );
    const lines = bytes.toString('base64').replace(/.{1,76}/g, '$&\n');
    expect(stdout).toBe(`${lines}0\n`);
  });

  it('takes megabytes in a moment', async () => {
    await sandbox.fs.writeFile('big', Buffer.alloc(8 * 2 ** 20, 'abcdefghijk'));
    const { stdout, durationMs } = await sandbox.exec(
      'base64 big > b; base64 -d b > back; sha256sum < back; sha256sum < big',
    );
    const [one, two] = stdout.split('\n');
    expect(one).toBe(two);
    expect(durationMs).toBeLessThan(15_000);
  });
});

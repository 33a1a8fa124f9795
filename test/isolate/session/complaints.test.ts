import { afterAll, describe, expect, it } from 'vitest';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { EMPTY_PLAN } from '../../../src/sandbox/plan.js';

const LONG_NAME = 'x'.repeat(300);
const LONG_PATH = 'd/'.repeat(2_100);
const rule = (glob: string, tool: string, reason?: string) => ({
  glob,
  rule: `${tool}(${glob})`,
  ...(reason === undefined ? {} : { reason }),
});

const PLAN = {
  denyRead: [rule('secret/**', 'read_file')],
  denyWrite: [rule('locked/**', 'write_file', 'ask first'), rule('.npmrc', 'write_file')],
};
const PLAN_INSIDE = { denyRead: [rule('**/secret/**', 'read_file')], denyWrite: [] };

const sandbox = createIsolateSandbox({ plan: PLAN });
afterAll(() => sandbox.dispose());

async function complaintOf(command: string): Promise<string> {
  const { stderr, exitCode } = await sandbox.exec(`echo a > a; mkdir -p dir; ${command}`);
  expect(exitCode).not.toBe(0);
  return stderr.replaceAll(LONG_NAME, 'LONG').replaceAll(LONG_PATH, 'DEEP');
}

const LOCKED = "Permission denied (denied by the rule 'write_file(locked/**)' (ask first))";
const NPMRC = "Permission denied (denied by the rule 'write_file(.npmrc)')";

describe('what a command says of a path that a rule keeps closed', () => {
  it.each([
    ['mv a locked', `mv: cannot move 'a': ${LOCKED}`],
    ['mv dir locked', `mv: cannot move 'dir': ${LOCKED}`],
    ['mkdir locked', `mkdir: cannot create directory 'locked': ${LOCKED}`],
    ['mv a .npmrc', `mv: cannot move 'a': ${NPMRC}`],
    ['cp a .npmrc', `cp: cannot copy 'a': ${NPMRC}`],
    ['touch .npmrc', `touch: cannot touch '.npmrc': ${NPMRC}`],
    ['echo x > .npmrc', `bash: .npmrc: ${NPMRC}`],
    ['ln -s a .npmrc', `ln: /workspace/.npmrc: ${NPMRC}`],
  ])('%s names the rule, in a shell’s words', async (command, complaint) => {
    expect(await complaintOf(command)).toBe(`${complaint}\n`);
  });

  it.each([
    ['rm -f locked/a', `rm: cannot remove 'locked/a': ${LOCKED}\n`],
    ['rm -f .npm*', `rm: cannot remove '.npmrc': ${NPMRC}\n`],
    ['rm -rf locked', "rm: cannot remove 'locked': Permission denied"],
    ['mv -f a locked/a', "mv: cannot move 'a'"],
    ['cp -f a locked/a', "cp: cannot copy 'a'"],
    ['ln -sf a .npmrc', "ln: cannot remove '.npmrc': Permission denied"],
    ['find . -name "a*" -path "./lock*" -delete', "find: cannot delete './locked/a'"],
    ['rev secret/a', 'rev: /workspace/secret/a: Permission denied'],
    ['cmp secret/a a', "cmp: secret/a: Permission denied (denied by the rule 'read_file(secret/**)')\n"],
  ])('is said although it is asked to be quiet: %s', async (command, said) => {
    await using closed = createIsolateSandbox({ plan: EMPTY_PLAN });
    await closed.exec('mkdir locked secret; echo a | tee a .npmrc locked/a secret/a');
    closed.enforce(PLAN);
    const { stderr, exitCode } = await closed.exec(command);
    expect(stderr).toContain(said);
    expect(exitCode).not.toBe(0);
    expect((await closed.exec('cat .npmrc locked/a')).stdout).toBe('a\na\n');
  });

  it.each(['echo "$(<secret/a)"', 'x=$(< ./secret/a); echo "$x"', 'echo `<secret/a`'])(
    'is said of a file that a substitution reads: %s',
    async (command) => {
      await using closed = createIsolateSandbox({ plan: EMPTY_PLAN });
      await closed.exec('mkdir secret; echo a > secret/a');
      expect((await closed.exec(command)).stdout).toBe('a\n');
      closed.enforce(PLAN);
      expect(await closed.exec(command)).toMatchObject({
        stdout: '\n',
        stderr: expect.stringContaining("secret/a: Permission denied (denied by the rule 'read_file(secret/**)')"),
      });
    },
  );

  it('is nothing of what is not there, and rm removes a link wherever it leads', async () => {
    const { stdout, stderr, exitCode } = await sandbox.exec(
      'mkdir -p dir; ln -s nowhere dangling; ln -s dir to-dir; echo a > a; rm -f absent a/absent dangling to-dir; ls',
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).not.toMatch(/dangling|to-dir/);
  });

  it('copying a directory goes on with what may be read, and fails', async () => {
    await using closed = createIsolateSandbox({ plan: EMPTY_PLAN });
    await closed.exec('mkdir -p from/secret; echo a | tee from/a from/secret/a from/z');
    closed.enforce(PLAN_INSIDE);
    expect(await closed.exec('cp -r from to')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('denied'),
    });
    expect((await closed.exec('ls -R to')).stdout).toBe('to:\na\nsecret\nz\n\nto/secret:\n');
  });

  it('moving a directory away from under its rule names the rule', async () => {
    expect(await complaintOf('mkdir -p secret; echo x > secret/y; mv secret open')).toBe(
      "mv: cannot move 'secret': Permission denied (denied by the rule 'read_file(secret/**)')\n",
    );
  });
});

describe('what a command says of a name or path that is too long', () => {
  it.each([
    [`mkdir ${LONG_NAME}`, "mkdir: cannot create directory 'LONG': File name too long"],
    [`touch ${LONG_NAME}`, "touch: cannot touch 'LONG': File name too long"],
    [`cat ${LONG_NAME}`, 'cat: LONG: File name too long'],
    [`echo x > ${LONG_NAME}`, 'bash: LONG: File name too long'],
    [`cd ${LONG_NAME}`, 'bash: cd: LONG: File name too long'],
    [`mv a ${LONG_NAME}`, "mv: cannot move 'a' to '/workspace/LONG': File name too long"],
    [`cp a ${LONG_NAME}`, "cp: cannot copy 'a' to '/workspace/LONG': File name too long"],
    [`find ${LONG_NAME}`, 'find: LONG: File name too long'],
    [`mkdir -p ${LONG_PATH}`, "mkdir: cannot create directory 'DEEP': File name too long"],
    [`cat ${LONG_PATH}`, 'cat: DEEP: File name too long'],
    [`echo x > ${LONG_PATH}`, 'bash: DEEP: File name too long'],
    [`ln -s ${LONG_PATH} to-deep`, 'ln: /workspace/to-deep: File name too long'],
  ])('%.20s…', async (command, complaint) => {
    expect(await complaintOf(command)).toBe(`${complaint}\n`);
  });
});

describe('what a command says of a path that leads nowhere', () => {
  it.each([
    ['mv a nodir/b', "mv: cannot move 'a' to '/workspace/nodir/b': No such file or directory"],
    ['cp a nodir/b', "cp: cannot copy 'a' to '/workspace/nodir/b': No such file or directory"],
    ['cp -r dir nodir/b', "cp: cannot copy 'dir' to '/workspace/nodir/b': No such file or directory"],
    ['mv nothere b', "mv: cannot stat 'nothere': No such file or directory"],
    ['mv a a/b', "mv: cannot move 'a' to '/workspace/a/b': Not a directory"],
    ['cp a /etc/x', "cp: cannot copy 'a': Read-only file system"],
    ['rm /etc/passwd', "rm: cannot remove '/etc/passwd': Read-only file system"],
    ['ln -sf loop loop; cat loop', 'cat: loop: Too many levels of symbolic links'],
    ['touch nodir/x', "touch: cannot touch 'nodir/x': No such file or directory"],
  ])('%s', async (command, complaint) => {
    expect(await complaintOf(command)).toBe(`${complaint}\n`);
  });

  it('a copied directory is merged into one that is there', async () => {
    const { stdout } = await sandbox.exec(
      'mkdir -p m/n to/m/n; echo 1 > m/n/a; echo 2 > to/m/n/b; cp -r m to; ls to/m/n',
    );
    expect(stdout).toBe('a\nb\n');
  });
});

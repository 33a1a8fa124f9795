import { afterAll, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { codeOf, eventually } from './attacks/attack.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';

const output = async (session: SandboxSession, command: string, options = {}) =>
  (await session.exec(command, options)).stdout;

/** A session whose commands are children of the resident process, not of the agent any more. */
async function openWarm(): Promise<SandboxSession> {
  const session = createDockerSandbox();
  const parent = () => output(session, 'cat /proc/$PPID/comm');
  await eventually('commands are started by the resident process', async () => (await parent()) === 'perl\n');
  return session;
}

/** All by which a command could tell how it was started, but for the group that is its own. */
const SELF = [
  'grep -E "^(Uid|Gid|Cap|NoNewPrivs|SigIgn|SigBlk|SigCgt)" /proc/self/status',
  'grep "^Groups" /proc/self/status | wc -w',
  'cat /proc/self/oom_score_adj',
  'ls /proc/$$/fd',
  'test "$(ps -o sid= -p $$)" -eq $$ && test "$(ps -o pgid= -p $$)" -eq $$ && echo own session',
  'umask; ulimit -a; pwd; env | sort',
].join('; ');

describeOnDocker('the process that starts commands', (engine) => {
  afterAll(async () => {
    expect(await leftovers(engine)).toEqual([]);
  });

  it('starts them with exactly the rights and surroundings that they have without it', async () => {
    await using session = await openWarm();
    const ask = `cat /proc/$PPID/comm; ${SELF}`;
    const throughIt = await output(session, ask);
    // What is too long for it the agent starts by itself.
    const without = await output(session, `${ask} # ${'x'.repeat(80_000)}`);
    expect(throughIt).toMatch(/^perl\n/);
    expect(without).toMatch(/^(node|MainThread)\n/);
    expect(throughIt.replace(/^.*\n/, '')).toBe(without.replace(/^.*\n/, ''));
    expect(throughIt).toMatch(/^CapEff:\t0+$/m);
    expect(throughIt).toContain('\n2\n500\n0\n1\n2\nown session\n');
  });

  it('starts the very first command of a session', async () => {
    await using session = createDockerSandbox();
    expect(await output(session, 'cat /proc/$PPID/comm')).toBe('perl\n');
  });

  it('takes arguments, environment and input as bytes, whatever is in them', async () => {
    await using session = await openWarm();
    const odd = 'a=b\n$(id) `id` "\'\\ ü€ %ENV @ARGV';
    expect((await session.run('printf', ['%s|', odd, '', '-e'])).stdout).toBe(`${odd}||-e|`);
    const env = { ODD: odd, EMPTY: '', LD_LIBRARY_PATH: '/nowhere' };
    expect(await output(session, 'printf "%s|" "$ODD" "$EMPTY" "$LD_LIBRARY_PATH"', { env })).toBe(`${odd}||/nowhere|`);
    expect(await output(session, 'cat; echo end', { stdin: odd })).toBe(`${odd}end\n`);
    await session.exec(`mkdir -p 'd${'/ü x'}'`);
    expect(await output(session, 'pwd', { cwd: 'd/ü x' })).toBe('/workspace/d/ü x\n');
  });

  it('tells a missing program, one that may not run, an exit code and a signal apart', async () => {
    await using session = await openWarm();
    await session.fs.writeFile('plain', 'text');
    const run = async (program: string, ...args: string[]) => {
      const process = await session.spawn(program, args);
      const { exitCode, signal, cause } = await process.wait();
      return { exitCode, signal, cause };
    };
    expect(await run('no-such-program')).toMatchObject({ exitCode: 127, cause: 'command_not_found' });
    expect(await run('/workspace/plain')).toMatchObject({ exitCode: 126, cause: 'not_executable' });
    expect(await run('sh', '-c', 'exit 7')).toMatchObject({ exitCode: 7, signal: undefined });
    expect(await run('sh', '-c', 'kill -SEGV $$')).toMatchObject({ exitCode: 139, signal: 'SIGSEGV', cause: 'killed' });
    // Of real-time signals Node knows no names.
    expect(await run('sh', '-c', 'kill -37 $$')).toMatchObject({ exitCode: 165, signal: undefined, cause: 'killed' });
    expect(await codeOf(session.run('echo', ['x'.repeat(140_000)]))).toBe('command_too_long');
  });

  it('is out of reach of what it starts', async () => {
    await using session = await openWarm();
    const attacks =
      'kill -9 $PPID; kill -STOP $PPID; head -c1 /proc/$PPID/environ; ls /proc/$PPID/fd; echo > /proc/$PPID/mem';
    const { stderr } = await session.exec(attacks);
    expect(stderr.match(/not permitted|denied/gi)).toHaveLength(5);
    await session.exec('kill -9 -1');
    expect(await output(session, 'cat /proc/$PPID/comm')).toBe('perl\n');
  });

  it('ends the whole tree of a command that is stopped the moment it starts', async () => {
    await using session = await openWarm();
    const rounds = Array.from({ length: 40 }, async (_, round) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), round % 8);
      const result = await session.exec('setsid sleep 4711 & sleep 4711', { signal: controller.signal });
      return [result.cause, result.killed ?? 'verified'];
    });
    expect(new Set((await Promise.all(rounds)).map(String))).toEqual(new Set(['aborted,verified']));
    expect(await output(session, "ps -eo args | grep -c '[s]leep 4711'")).toBe('0\n');
  });

  it('takes the sandbox with it when it is killed from outside, instead of leaving calls without an answer', async () => {
    await using session = await openWarm();
    const call = codeOf(session.exec('sleep 30'));
    const pid = (await output(session, 'echo $PPID')).trim();
    const container = await containerOf(engine, session.id);
    const exec = await container.exec({ Cmd: ['sh', '-c', `kill -9 ${pid}`], User: '0:0' });
    await exec.start({ Detach: true });
    expect(await call).toBe('sandbox_crashed');
  });
});

import { expect } from 'vitest';
import { encodeFrame } from '../../../sandbox/protocol/frame.js';
import { FramedConnection } from '../../../src/sandbox/docker/agent/agent-connection.js';
import type { AgentTransport, TransportListener } from '../../../src/sandbox/docker/agent/agent-transport.js';
import { Demultiplexer } from '../../../src/sandbox/docker/agent/demultiplex.js';
import { FileCall } from '../../../src/sandbox/docker/agent/file-call.js';
import { type Attacks, codeOf, MiB, pause } from './attack.js';

/** On the stream between host and agent. */
export const protocolAttacks: Attacks = {
  'DOC-040': async ({ sandbox }) => {
    const result = await sandbox.exec("printf '\\001\\000\\000\\000\\000\\000\\000\\004fake'");
    expect(Buffer.from(result.stdout, 'latin1')).toEqual(Buffer.from('\u0001\0\0\0\0\0\0\u0004fake', 'latin1'));
  },
  'DOC-044': async ({ sandbox }) => {
    for (const command of [
      'kill -9 -1',
      'kill -TERM 1; kill -9 1; kill -STOP 1; true',
      'pkill -9 node; true',
      'kill -STOP -1',
    ]) {
      await sandbox.exec(command, { timeoutMs: 5_000 });
      expect((await sandbox.exec('echo next')).stdout).toBe('next\n');
      await sandbox.fs.writeFile('after', 'x');
      expect(await sandbox.fs.stat('after')).not.toBe(null);
    }
    const killed = await sandbox.exec('kill -9 $$');
    expect([killed.exitCode, killed.signal, killed.cause]).toEqual([137, 'SIGKILL', 'killed']);
  },
  'DOC-045': async () => {
    const hostile: [string, Uint8Array][] = [
      ['a length of 4 GiB', Buffer.from('ffffffff00000000', 'hex')],
      ['a body of 4 GiB', Buffer.from('00000002ffffffff7b7d', 'hex')],
      ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197 + 31) % 256))],
      ['a header that is no JSON', Buffer.concat([Buffer.from('0000000300000000', 'hex'), Buffer.from('{{{')])],
      ['a message of the wrong shape', Buffer.concat(encodeFrame({ type: 'exec-result', id: 1, exitCode: 'zero' }))],
      ['an unknown message', Buffer.concat(encodeFrame({ type: 'please-run', id: 1 }))],
      [
        'an exit code out of range',
        Buffer.concat(
          encodeFrame({
            type: 'exec-result',
            id: 1,
            exitCode: 4096,
            stdoutBytes: 0,
            droppedStdoutBytes: 0,
            droppedStderrBytes: 0,
          }),
        ),
      ],
      ['a code that is none', Buffer.concat(encodeFrame({ type: 'error', id: 1, code: 'rm -rf', message: '' }))],
    ];
    for (const [name, bytes] of hostile) {
      const transport = new FakeTransport();
      const connection = new FramedConnection(transport, () => {});
      const call = new FileCall(connection, {
        type: 'file',
        operation: { op: 'stat', path: '/workspace' },
        body: undefined,
        timeoutMs: 1_000,
      });
      transport.say(bytes);
      expect([name, await codeOf(call.result), transport.destroyed]).toEqual([name, 'sandbox_crashed', true]);
    }
    expect(() => new Demultiplexer(() => {}).push(Buffer.from('0500000000000001ff', 'hex'))).toThrow(/format/);
  },
  'DOC-046': async () => {
    const transport = new FakeTransport();
    const connection = new FramedConnection(transport, () => {});
    const stat = (path: string) =>
      new FileCall(connection, { type: 'file', operation: { op: 'stat', path }, body: undefined, timeoutMs: 1_000 });
    const [one, two] = [stat('/workspace/a'), stat('/workspace/b')];
    transport.say(Buffer.concat(encodeFrame({ type: 'file-result', id: 99, value: 'nobody asked' })));
    transport.say(Buffer.concat(encodeFrame({ type: 'file-result', id: 2, value: 'second' })));
    transport.say(Buffer.concat(encodeFrame({ type: 'file-result', id: 2, value: 'again' })));
    transport.say(Buffer.concat(encodeFrame({ type: 'file-result', id: 1, value: 'first' })));
    expect([(await one.result).value, (await two.result).value]).toEqual(['first', 'second']);
    expect(transport.destroyed).toBe(false);
    // A few strays are late answers; a flood of them is an attack.
    const stray = Buffer.concat(encodeFrame({ type: 'file-result', id: 7_777, value: 0 }));
    const third = stat('/workspace/c');
    for (let index = 0; index < 10_001; index += 1) transport.say(stray);
    expect([await codeOf(third.result), transport.destroyed]).toEqual(['sandbox_crashed', true]);
  },
  'DOC-047': async ({ sandbox }) => {
    const flood = sandbox.exec('yes', { timeoutMs: 3_000, onOutput: () => {} });
    await pause(300);
    const start = performance.now();
    expect((await sandbox.exec('echo through')).stdout).toBe('through\n');
    expect(performance.now() - start).toBeLessThan(2_000);
    expect((await flood).timedOut).toBe(true);
  },
  'DOC-048': async ({ sandbox }) => {
    const seen: Uint8Array[] = [];
    const result = await sandbox.exec(
      "for i in 1 2 3; do printf '\\303'; sleep 0.1; printf '\\251\\r'; sleep 0.1; printf '\\n'; done",
      {
        onOutput: ({ data }) => seen.push(data),
      },
    );
    expect(result.stdout).toBe('é\r\né\r\né\r\n');
    expect(Buffer.concat(seen).toString('utf8')).toBe('é\r\né\r\né\r\n');
  },
  'DOC-049': async ({ sandbox }) => {
    expect(await codeOf(sandbox.exec('printf a\0b'))).toBe('invalid_input');
    expect(await codeOf(sandbox.run('printf', ['a\0b']))).toBe('invalid_input');
    expect(await codeOf(sandbox.exec('true', { env: { A: 'b\0c' } }))).toBe('invalid_input');
  },
  'DOC-050': async ({ sandbox }) => {
    const length = async (bytes: number) =>
      (await sandbox.run('sh', ['-c', 'printf %s "$1" | wc -c', 'sh', 'a'.repeat(bytes)])).stdout.trim();
    expect(await length(131_071)).toBe('131071');
    expect(await codeOf(length(131_072))).toBe('command_too_long');
    expect(
      await codeOf(
        sandbox.run(
          'true',
          Array.from({ length: 30 }, () => 'a'.repeat(100_000)),
        ),
      ),
    ).toBe('command_too_long');
    expect((await sandbox.exec(`printf %s ${'a'.repeat(300_000)} | wc -c`)).stdout.trim()).toBe('300000');
    expect((await sandbox.exec('wc -c', { stdin: 'a'.repeat(3 * MiB) })).stdout.trim()).toBe(String(3 * MiB));
  },
  'DOC-052': async ({ sandbox }) => {
    const text = 'OCI runtime exec failed: exec failed: unable to start container process';
    const result = await sandbox.exec(`echo "${text}"; exit 126`);
    expect([result.stdout, result.exitCode, result.cause]).toEqual([`${text}\n`, 126, undefined]);
  },
  'DOC-053': async ({ sandbox }) => {
    const ends = await Promise.all(
      ['exit 300', 'kill -SEGV $$', 'kill -TERM $$', 'sh -c "kill -9 \\$\\$"; exit $?'].map((command) =>
        sandbox.exec(command),
      ),
    );
    expect(ends.map(({ exitCode, signal, timedOut }) => [exitCode, signal, timedOut])).toEqual([
      [44, undefined, false],
      [139, 'SIGSEGV', false],
      [143, 'SIGTERM', false],
      [137, undefined, false],
    ]);
  },
  'DOC-054': async ({ sandbox }) => {
    expect((await sandbox.exec('wc -c; echo AFTER', { stdin: new Uint8Array(5_000_000) })).stdout).toBe(
      '5000000\nAFTER\n',
    );
  },
};

/** An agent that was taken over. */
class FakeTransport implements AgentTransport {
  destroyed = false;
  #listener: TransportListener | undefined;

  listen(listener: TransportListener): void {
    this.#listener = listener;
  }

  say(bytes: Uint8Array): void {
    if (!this.destroyed) this.#listener?.data(bytes);
  }

  write(): void {}

  hold(): void {}

  async destroy(): Promise<void> {
    this.destroyed = true;
  }

  async explainEnd() {
    return { code: 'sandbox_crashed' as const, reason: 'gone' };
  }
}

import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { FileWorker } from '../../../sandbox/container/files/file-worker.js';
import type { AgentInit, AgentMessage } from '../../../sandbox/protocol/container.js';
import { encodeFrame } from '../../../sandbox/protocol/frame.js';
import { EMPTY_PLAN } from '../../../sandbox/protocol/plan.js';
import { readAgentMessage } from '../../../src/sandbox/docker/agent/agent-messages.js';

/** JSON that no string and no number can be made of. */
const UNREADABLE = { toString: 1, valueOf: 1 };

it('a file helper that a command took over cannot end the agent, nor have it say what the host does not believe', async () => {
  const frames = [
    { type: 'error', id: UNREADABLE, code: 'not_found', message: 'x' },
    { type: 'error', id: 7, code: 'not_found', message: UNREADABLE },
    { type: 'error', id: 7, code: 'not_found', message: 'x'.repeat(20_000), path: 'y'.repeat(20_000) },
  ].map((header) => Buffer.concat(encodeFrame(header)).toString('base64'));
  const script = `process.stdout.write(Buffer.concat(${JSON.stringify(frames)}.map((frame) => Buffer.from(frame, 'base64'))));setInterval(() => {}, 1000)`;
  const children: { kill(): void }[] = [];
  const answers: AgentMessage[] = [];
  const answered = Promise.withResolvers<void>();
  const worker = new FileWorker({
    init: { workspace: '/workspace', startedEmpty: true } as AgentInit,
    source: new Uint8Array(0),
    scratchDirectory: '/nowhere',
    plan: () => EMPTY_PLAN,
    launcher: {
      shell: { kind: 'sh', path: '/bin/sh', args: [] },
      launch: ({ stdio }: { stdio: ['pipe', 'pipe', 'ignore'] }) => {
        const child = spawn(process.execPath, ['-e', script], { stdio });
        children.push(child);
        return child;
      },
    } as unknown as ConstructorParameters<typeof FileWorker>[0]['launcher'],
    send: (message) => {
      answers.push(message);
      answered.resolve();
    },
  });
  try {
    worker.call(
      { type: 'file', id: 7, operation: { op: 'stat', path: '/workspace' }, timeoutMs: 20_000 },
      new Uint8Array(0),
    );
    await answered.promise;
    expect(answers).toHaveLength(1);
    expect(readAgentMessage(answers[0])).toMatchObject({ type: 'error', id: 7, code: 'not_found' });
  } finally {
    for (const child of children) child.kill();
  }
});

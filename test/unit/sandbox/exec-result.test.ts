import { describe, expect, it } from 'vitest';
import { createExecResult } from '../../../src/sandbox/exec-result.js';

const base = { stdout: Buffer.from('out\n'), stderr: new Uint8Array(0), exitCode: 0, durationMs: 1 };

describe('createExecResult', () => {
  it('decodes UTF-8, byte order mark included', () => {
    const { stdout, bytes } = createExecResult({ ...base, stdout: Buffer.from('\u{feff}é€😀') });
    expect(stdout).toBe('\u{feff}é€😀');
    expect(bytes).toBeUndefined();
  });

  it('keeps the bytes of a stream that is not UTF-8', () => {
    const result = createExecResult({ ...base, stderr: Uint8Array.of(0xc3, 0x28) });
    expect(result.stderr).toBe('\u{fffd}(');
    expect(result.bytes).toEqual({ stderr: Uint8Array.of(0xc3, 0x28) });
  });

  it('derives timedOut and aborted from the cause', () => {
    const timedOut = createExecResult({ ...base, exitCode: null, cause: 'timeout' });
    expect([timedOut.timedOut, timedOut.aborted]).toEqual([true, false]);
    const aborted = createExecResult({ ...base, exitCode: null, cause: 'aborted' });
    expect([aborted.timedOut, aborted.aborted]).toEqual([false, true]);
  });

  it('mentions truncation only where bytes were dropped', () => {
    expect(createExecResult({ ...base, dropped: { stdoutBytes: 0, stderrBytes: 0 } }).truncated).toBeUndefined();
    expect(createExecResult({ ...base, dropped: { stdoutBytes: 5, stderrBytes: 0 } }).truncated).toEqual({
      stdoutBytes: 5,
      stderrBytes: 0,
    });
  });
});

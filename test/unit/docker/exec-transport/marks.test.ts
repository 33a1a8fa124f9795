import { describe, expect, it } from 'vitest';
import { Marks } from '../../../../src/sandbox/docker/exec-transport/marks.js';

/** What a process shows that was started with these words of `ulimit`. */
function shown([blocks, kib]: [string, string], blockBytes = 512) {
  return { fileSize: Number(blocks) * blockBytes, dataSize: Number(kib) * 1024 };
}

describe('marks of calls', () => {
  it('tell calls apart, whichever unit the shell counts in', () => {
    for (const unit of [512, 1024]) {
      const marks = new Marks();
      const [one, two] = [marks.take(), marks.take()];
      expect(marks.learn(one, shown(marks.words(one), unit))).toBe(true);
      expect(marks.isOf(one, shown(marks.words(one), unit))).toBe(true);
      expect(marks.isOf(two, shown(marks.words(one), unit))).toBe(false);
      expect(marks.isOf(one, shown(marks.words(two), unit))).toBe(false);
    }
  });

  it('are not learnt from limits that something else has set', () => {
    const marks = new Marks();
    expect(marks.learn(marks.take(), { fileSize: 1024, dataSize: 1024 })).toBe(false);
    expect(marks.learn(marks.take(), { fileSize: Number.POSITIVE_INFINITY, dataSize: Number.POSITIVE_INFINITY })).toBe(
      false,
    );
  });

  it('cannot be taken over: whatever a process lowers, it stays one that its own call can end', () => {
    const marks = new Marks();
    const calls = Array.from({ length: 5 }, () => marks.take());
    marks.learn(calls[0] ?? 0, shown(marks.words(calls[0] ?? 0)));
    const own = calls[2] ?? 0;
    const limits = shown(marks.words(own));
    for (const fileSize of [limits.fileSize, ...calls.map((call) => shown(marks.words(call)).fileSize), 0]) {
      for (const dataSize of [limits.dataSize, ...calls.map((call) => shown(marks.words(call)).dataSize), 0]) {
        // Only what is not above its own can be reached without privileges.
        if (fileSize > limits.fileSize || dataSize > limits.dataSize) continue;
        expect(marks.isOf(own, { fileSize, dataSize })).toBe(true);
      }
    }
  });

  it('leave processes alone that were never marked', () => {
    const marks = new Marks();
    const call = marks.take();
    marks.learn(call, shown(marks.words(call)));
    const unlimited = Number.POSITIVE_INFINITY;
    expect(marks.isOf(call, { fileSize: unlimited, dataSize: unlimited })).toBe(false);
    // Half-way through getting its own mark.
    expect(marks.isOf(call, { fileSize: shown(marks.words(call + 1)).fileSize, dataSize: unlimited })).toBe(false);
  });
});

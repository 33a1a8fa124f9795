import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../../src/sandbox/errors.js';
import { type FileCallOptions, SessionFiles } from '../../../src/sandbox/session-files.js';

describe('a search', () => {
  it('has 20 s unless its caller says otherwise', async () => {
    const seen: (number | undefined)[] = [];
    const files = new SessionFiles(async (_, options: FileCallOptions = {}) => {
      seen.push(options.timeoutMs);
      throw new SandboxError('bad_pattern', 'no');
    });
    await Promise.allSettled([files.grep('x'), files.glob('x'), files.grep('x', { timeoutMs: 5 })]);
    expect(seen).toEqual([20_000, 20_000, 5]);
  });

  it('that does not end in time says how to ask for less', async () => {
    const files = new SessionFiles(async () => {
      throw new SandboxError('timeout', 'The file call did not finish in time');
    });
    await expect(files.grep('(a+)+$')).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
      message: expect.stringMatching(/^The search for '\(a\+\)\+\$' did not finish in 20 s: simplify the pattern/),
    });
    await expect(files.glob(['**/*'], { timeoutMs: 1_500 })).rejects.toThrow(
      /^The search for '\*\*\/\*' did not finish in 1.5 s: look in a smaller 'cwd'/,
    );
  });
});

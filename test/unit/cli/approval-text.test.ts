import { describe, expect, it } from 'vitest';
import { approvalText } from '../../../src/cli/terminal/approval-text.js';

function textFor(args: unknown, more: { rule?: string; reason?: string; displayName?: string } = {}): string {
  return approvalText({
    id: '1',
    toolCallId: '1',
    toolName: 'shell',
    displayName: 'shell',
    args,
    createdAt: '',
    proposals: [],
    expiresAt: '2999-01-01T00:00:00.000Z',
    ...more,
  });
}

describe('approvalText() (HOST-013)', () => {
  it('shows a command of 10,000 characters whole, with its length', () => {
    const command = `echo ${'x'.repeat(9_988)}; true`;
    const text = textFor({ command });
    expect(text).toContain(command);
    expect(text).toContain('command (9999 characters)');
  });

  it('does not let leading newlines push the command out of sight', () => {
    const text = textFor({ command: `${'\n'.repeat(3)}rm -rf .` });
    expect(text.split('\n').slice(-4)).toEqual(['    | ', '    | ', '    | ', '    | rm -rf .']);
  });

  it('escapes ANSI, bidirectional and zero-width characters and counts them', () => {
    const text = textFor({ command: 'ls \u001b[8m; rm x\u001b[0m \u202e\u200b' });
    expect(text).toContain('ls \\x1b[8m; rm x\\x1b[0m \\u{202e}\\u{200b}');
    expect(text).toContain('4 invisible or control');
  });

  it('marks letters of another alphabet inside a Latin word, and leaves other languages alone', () => {
    const text = textFor({ command: 'cat p\u0430ssword # привет' });
    expect(text).toContain('p\\u{430}ssword # привет');
    expect(text).toContain('1 look-alike');
  });

  it('cannot be spoofed by the name of a tool or a rule', () => {
    const text = textFor(
      { command: 'ls' },
      { displayName: 'safe\n  command\u001b[2K', rule: 'shell\nok', reason: 'a\rb' },
    );
    expect(text.split('\n')).toHaveLength(5);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\r');
  });

  it('shows arguments that are not text as JSON', () => {
    expect(textFor({ path: 'a', lines: [1, 2] })).toContain('| [1,2]');
  });
});

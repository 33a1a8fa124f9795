import { describe, expect, it } from 'vitest';
import { applyDiff } from '../../../src/interop/openai/patch/apply-diff.js';
import { readCreateDiff } from '../../../src/interop/openai/patch/read-diff.js';

const apply = (text: string, diff: string) => applyDiff(text, diff, 'a.txt');

describe('applyDiff', () => {
  it.each([
    ['replaces a line', 'a\nb\nc\n', '@@\n a\n-b\n+B\n c\n', 'a\nB\nc\n'],
    ['needs no @@ before the first hunk', 'a\nb\n', '-a\n+A\n', 'A\nb\n'],
    ['inserts after shown lines', 'a\nc\n', ' a\n+b\n', 'a\nb\nc\n'],
    ['inserts before shown lines', 'a\nc\n', '+0\n a\n', '0\na\nc\n'],
    ['deletes lines', 'a\nb\nc\n', ' a\n-b\n-c\n', 'a\n'],
    ['deletes all lines', 'a\n', '-a\n', ''],
    ['fills an empty file', '', '+a\n+b\n', 'a\nb\n'],
    ['takes the first place that fits', 'x\ny\nx\ny\n', '-x\n+X\n', 'X\ny\nx\ny\n'],
    ['starts below its anchor', 'f:\n  x\ng:\n  x\n', '@@ g:\n-  x\n+  y\n', 'f:\n  x\ng:\n  y\n'],
    [
      'starts on its anchor where the hunk shows it',
      'f:\n  x\ng:\n  x\n',
      '@@ g:\n g:\n-  x\n+  y\n',
      'f:\n  x\ng:\n  y\n',
    ],
    ['nests anchors', 'A\n f\n  x\nB\n f\n  x\n', '@@ B\n@@ f\n-  x\n+  y\n', 'A\n f\n  x\nB\n f\n  y\n'],
    ['takes part of a line as an anchor', 'def f(a, b):\n  x\n', '@@ def f\n-  x\n+  y\n', 'def f(a, b):\n  y\n'],
    ['inserts right below an anchor', 'f:\n  x\n', '@@ f:\n+  new\n', 'f:\n  new\n  x\n'],
    ['ignores the numbers of a unified diff', 'a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+B\n', 'a\nB\n'],
    ['applies hunks in order', 'a\nb\na\nb\n', '@@\n-a\n+1\n@@\n-a\n+2\n', '1\nb\n2\nb\n'],
    ['prefers the end where the diff says so', 'x\ny\nx\n', '-x\n+X\n*** End of File\n', 'x\ny\nX\n'],
    ['appends at the end of the file', 'a\n', '+b\n*** End of File\n', 'a\nb\n'],
    ['reads an empty line as one that is shown', 'a\n\nb\n', ' a\n\n-b\n+B\n', 'a\n\nB\n'],
    [
      'ignores the envelope of a whole patch',
      'a\n',
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** End Patch\n',
      'A\n',
    ],
    ['takes signs as text behind the sign', '-a\n+b\n', '--a\n+-A\n ' + '+b\n', '-A\n+b\n'],
    ['takes a diff with CRLF for a file with LF', 'a\nb\n', '@@\r\n-a\r\n+A\r\n b\r\n', 'A\nb\n'],
  ])('%s', (_, text, diff, expected) => {
    expect(apply(text, diff)).toBe(expected);
  });

  it('keeps the bytes of lines that it only shows', () => {
    expect(apply('a  \n\tb\nc\n', ' a\n b\n-c\n+C\n')).toBe('a  \n\tb\nC\n');
  });

  it('keeps every line end, and gives new lines those of the lines before them', () => {
    expect(apply('a\r\nb\nc\r\n', ' a\n+1\n b\n+2\n c\n')).toBe('a\r\n1\r\nb\n2\nc\r\n');
  });

  it('keeps the line ends of a file all of whose lines it replaces', () => {
    expect(apply('a\r\nb\r\n', '-a\n+1\n+2\n-b\n+3\n')).toBe('1\r\n2\r\n3\r\n');
    expect(apply('a\nb\r\nc\n', ' a\n-b\n+1\n+2\n c\n')).toBe('a\n1\r\n2\r\nc\n');
  });

  it('keeps a missing line end at the end missing, and adds none elsewhere', () => {
    expect(apply('a\nb', '-b\n+B\n')).toBe('a\nB');
    expect(apply('a\nb', ' b\n+c\n')).toBe('a\nb\nc');
    expect(apply('a\nb', '-a\n+A\n')).toBe('A\nb');
  });

  it('prefers an exact place to an earlier one that differs in white space', () => {
    expect(apply('  x\nx\n', '-x\n+y\n')).toBe('  x\ny\n');
  });

  it.each([
    ['', 'Cannot update "a.txt": the diff is empty'],
    ['@@\n a\n', 'Cannot update "a.txt": hunk 1 changes nothing; it has no line that starts with "-" or "+"'],
    ['a\n', 'Cannot update "a.txt": line 1 of the diff is "a"; lines must start with " ", "-", "+" or "@@"'],
    ['@@ ghost\n-a\n+b\n', 'Cannot apply the diff to "a.txt": the line of its anchor "@@ ghost" was not found'],
    [
      '+b\n',
      'Cannot apply the diff to "a.txt": it has only new lines and says nothing of where; show lines of the file around them, or an "@@" line',
    ],
    ['*** Move to: b.txt\n@@\n-a\n+b\n', 'Cannot move "a.txt": create the new file and delete this one'],
  ])('refuses %j and says why', (diff, message) => {
    expect(() => apply('a\nb\n', diff)).toThrow(message);
  });

  it('names the hunk, the place and the order where lines are not found', () => {
    expect(() => apply('a\nb\nc\n', '@@\n-c\n+C\n@@\n-a\n+A\n')).toThrow(
      'Cannot apply hunk 2 of 2 to "a.txt": these lines were not found after line 3:\n  a\nThey are at line 1, above the place searched: hunks must come in the order of the file',
    );
  });

  it('shows at most eight lines of what was not found', () => {
    const old = Array.from({ length: 20 }, (_, index) => `-l${index}\n`).join('');
    expect(() => apply('a\n', `${old}+x\n`)).toThrow(/ {2}l7\n {2}… 12 more\nRead the file again/);
  });

  it('takes time linear in a file that matches almost everywhere', () => {
    const text = 'x\n'.repeat(300_000);
    expect(() => apply(text, `${'-x\n'.repeat(20_000)}-y\n+z\n`)).toThrow('were not found');
    expect(apply(text, `${'-x\n'.repeat(200_000)}+z\n`)).toBe(`z\n${'x\n'.repeat(100_000)}`);
  });

  it('refuses more than 1,000 hunks', () => {
    expect(() => apply('a\n', '@@\n-a\n+b\n'.repeat(1_001))).toThrow(
      'the diff has 1001 hunks; send at most 1000 at once',
    );
  });
});

describe('applyDiff on random input', () => {
  /** A small generator with a seed, so that a failure can be seen again. */
  const generator = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  it('turns any text into any other whose lines all are in the diff', () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const random = generator(seed);
      const end = random() < 0.5 ? '\n' : '\r\n';
      const close = random() < 0.5 ? end : '';
      const word = () => ['a', 'b', '', ' c', '-d', '+e', '@@ f', '*** g'][Math.floor(random() * 8)] ?? '';
      const before: string[] = [];
      const after: string[] = [];
      const diff: string[] = [];
      const count = 1 + Math.floor(random() * 12);
      for (let line = 0; line < count; line += 1) {
        const text = word();
        const dice = random();
        if (dice < 0.7) before.push(text);
        if (dice < 0.4 || dice >= 0.7) after.push(text);
        diff.push(`${dice < 0.4 ? ' ' : dice < 0.7 ? '-' : '+'}${text}`);
      }
      const isChange = diff.some((line) => line[0] !== ' ');
      const isAnchored = before.length > 0 && after.length > 0 && after.at(-1) !== '' && before.at(-1) !== '';
      if (!isChange || !isAnchored) continue;
      const join = (lines: string[]) => lines.join(end) + close;
      // A file without any line end does not say which it wants.
      if (end === '\r\n' && !join(before).includes(end)) continue;
      expect(apply(join(before), `@@\n${diff.join('\n')}\n`), `seed ${seed}`).toBe(join(after));
    }
  });

  it('refuses in words what it cannot apply, whatever it is', () => {
    const pieces = [
      '@@',
      '@@ a',
      '@@ -1,2 +3 @@ x',
      ' a',
      '-a',
      '+a',
      '',
      '\0',
      '*** End of File',
      '*** Move to: b',
      '\\ No newline',
      '\r',
      '\ud800',
      'é',
    ];
    for (let seed = 1; seed <= 5_000; seed += 1) {
      const random = generator(seed);
      const pick = () => pieces[Math.floor(random() * pieces.length)] ?? '';
      const diff = Array.from({ length: Math.floor(random() * 8) }, pick).join(random() < 0.9 ? '\n' : '\r\n');
      try {
        apply('a\nb\na\n', diff);
      } catch (error) {
        expect((error as Error).name, JSON.stringify(diff)).toBe('PatchError');
      }
    }
  });
});

describe('readCreateDiff', () => {
  it.each([
    ['+a\n+b\n', 'a\nb\n'],
    ['+a\n+b', 'a\nb'],
    ['+a\r\n+b\r\n', 'a\r\nb\r\n'],
    ['+\n++x\n', '\n+x\n'],
    ['', ''],
    ['*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch', 'a\n'],
  ])('reads %j as %j', (diff, expected) => {
    expect(readCreateDiff(diff, 'a.txt')).toBe(expected);
  });

  it('refuses a line without a plus', () => {
    expect(() => readCreateDiff('+a\nb\n', 'a.txt')).toThrow(
      'Cannot create "a.txt": line 2 of the diff is "b"; every line of a new file must start with "+"',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { isSandboxError, type SandboxError } from '../../../src/sandbox/errors.js';
import { applyEdit } from '../../../src/tools/files/apply-edit.js';

function refused(text: string, oldString: string, newString = 'x', replaceAll = false): SandboxError {
  try {
    applyEdit(text, { oldString, newString, replaceAll }, 'file');
  } catch (error) {
    if (isSandboxError(error)) return error;
    throw error;
  }
  throw new Error('Expected a refusal');
}

describe('applyEdit', () => {
  it('counts overlapping matches when it asks whether a text is unique', () => {
    expect(refused('aaa', 'aa')).toMatchObject({
      code: 'edit_not_unique',
      message: expect.stringContaining('matches 2 times (lines 1, 1)'),
    });
    expect(refused('ababa', 'aba').code).toBe('edit_not_unique');
  });

  it('replaces from left to right without overlap with replaceAll', () => {
    expect(applyEdit('aaaa', { oldString: 'aa', newString: 'b', replaceAll: true }, 'file')).toMatchObject({
      text: 'bb',
      replacements: 2,
    });
    expect(applyEdit('aaa', { oldString: 'aa', newString: 'b', replaceAll: true }, 'file')).toMatchObject({
      text: 'ba',
      replacements: 1,
    });
  });

  it('names the count and the lines of what is not unique', () => {
    expect(refused('x\ny\nx\n', 'x\n').message).toBe(
      'Cannot edit "file": old_string matches 2 times (lines 1, 3); add surrounding text until it is unique, or set replace_all',
    );
    expect(refused('x\n'.repeat(30), 'x', 'y').message).toMatch(/30 times \(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …\)/);
  });

  it('refuses an edit that changes nothing, even where the text is missing', () => {
    expect(refused('a', 'a', 'a').code).toBe('edit_noop');
    expect(refused('a', 'b', 'b').code).toBe('edit_noop');
  });

  it('refuses an empty old string', () => {
    expect(refused('a', '').code).toBe('invalid_input');
    expect(refused('a', '', 'x', true).code).toBe('invalid_input');
  });

  it.each([
    ['CRLF in the file only', 'a\r\nb\r\n', 'a\nb', /the file has CRLF \(\\r\\n\) there; use \\r\\n/],
    ['CRLF in old_string only', 'a\nb\n', 'a\r\nb', /the file has LF \(\\n\) there/],
    ['line numbers copied along', 'foo\nbar\n', '  1→foo\n  2→bar', /line numbers; leave them out/],
    ['tab-separated line numbers', 'foo\nbar\n', '     1\tfoo\n     2\tbar', /line numbers/],
    ['one escape too many', 'say "hi"\nthere', 'say \\"hi\\"\\nthere', /escaped once too often/],
    [
      'other indentation',
      'if (x) {\n\treturn 1;\n}\n',
      'if (x) {\n    return 1;\n}',
      /Lines 1 to 3 differ from it only in whitespace; the file has "if \(x\) \{\\n\\treturn 1;\\n\}"/,
    ],
    ['a trailing blank', 'one  \ntwo\n', 'one\ntwo', /whitespace/],
    ['typographic quotes', 'say \u201Chi\u201D', 'say "hi"', /look-alike characters.*say \u201Chi\u201D/],
    ['a no-break space', 'a\u00A0b', 'a b', /whitespace|look-alike/],
    [
      'a small mistake',
      'const total = price * quantity;\nother\n',
      'const total = price * quantities;',
      /most similar line is 1: "const total = price \* quantity;"/,
    ],
    ['nothing alike', 'abc\n', 'zzzzzz', /Read the file again/],
  ])('explains a text that is not found: %s', (_, text, wanted, message) => {
    const error = refused(text, wanted);
    expect(error.code).toBe('edit_not_found');
    expect(error.message).toMatch(message);
  });

  it('explains quickly even in a large file', () => {
    const text = `${'lorem ipsum dolor sit amet, consectetur\n'.repeat(250_000)}`;
    const start = performance.now();
    expect(refused(text, 'lorem ipsum dolor sit, consectetur').code).toBe('edit_not_found');
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

import { plain, utf8 } from '../../bytes.js';
import type { Contract } from '../../contract.js';
import { runTool, TOOLS } from '../../run-tool.js';

export function describeEditTool({ describe, check, expect }: Contract): void {
  describe('edit_file', () => {
    const cases: [string, string, { old_string: string; new_string: string; replace_all?: boolean }, string][] = [
      ['a single occurrence', 'one two three\n', { old_string: 'two', new_string: '2' }, 'one 2 three\n'],
      [
        'every occurrence with replace_all',
        'a b a b a',
        { old_string: 'a', new_string: 'c', replace_all: true },
        'c b c b c',
      ],
      [
        'regular expression characters literally',
        'f(x) = [a.b]*?',
        { old_string: '[a.b]*?', new_string: '(.*)' },
        'f(x) = (.*)',
      ],
      [
        'replacement patterns literally',
        'x marks',
        { old_string: 'x', new_string: "$& $1 $` $' $$" },
        "$& $1 $` $' $$ marks",
      ],
      ['text over several lines', 'a\nb\nc\nd\n', { old_string: 'b\nc\n', new_string: 'B\n' }, 'a\nB\nd\n'],
      ['a deletion', 'keep drop keep2', { old_string: ' drop', new_string: '' }, 'keep keep2'],
      ['emoji and accents', 'grüße 😀 ende', { old_string: 'grüße 😀', new_string: 'hé 🎉' }, 'hé 🎉 ende'],
      ['blanks only', 'a    b', { old_string: '    ', new_string: '\t' }, 'a\tb'],
      ['a part of a word', 'foobarbaz', { old_string: 'bar', new_string: 'BAR' }, 'fooBARbaz'],
      ['a very long text', `${'x'.repeat(50_000)}y`, { old_string: `${'x'.repeat(50_000)}y`, new_string: 'z' }, 'z'],
      ['CRLF lines', 'a\r\nb\r\nc\r\n', { old_string: 'b\r\n', new_string: 'B\r\n' }, 'a\r\nB\r\nc\r\n'],
    ];
    for (const [name, before, edit, after] of cases) {
      check(`replaces ${name}`, async ({ sandbox, dir }) => {
        await sandbox.fs.writeFile(`${dir}/file`, before);
        await runTool(TOOLS, 'edit_file', { path: `${dir}/file`, ...edit }, sandbox);
        expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe(after);
      });
    }

    check('refusals name their reason and leave the file alone', async ({ sandbox, dir, failure }) => {
      const content = 'dup\none\ndup\n  indented line\naaa\n';
      await sandbox.fs.writeFile(`${dir}/file`, content);
      const refused: [object, string, RegExp][] = [
        [{ old_string: 'dup', new_string: 'x' }, 'edit_not_unique', /2 times \(lines 1, 3\)/],
        [{ old_string: 'aa', new_string: 'b' }, 'edit_not_unique', /2 times/],
        [{ old_string: 'missing entirely', new_string: 'x' }, 'edit_not_found', /not found/],
        [{ old_string: 'indented  line', new_string: 'x' }, 'edit_not_found', /whitespace/],
        [{ old_string: 'one\r\ndup', new_string: 'x' }, 'edit_not_found', /CRLF/],
        [{ old_string: 'one', new_string: 'one' }, 'edit_noop', /same/],
      ];
      for (const [edit, code, text] of refused) {
        const error = await failure(runTool(TOOLS, 'edit_file', { path: `${dir}/file`, ...edit }, sandbox));
        expect([edit, error.code]).toEqual([edit, code]);
        expect(error.message).toMatch(text);
      }
      expect(
        (await failure(runTool(TOOLS, 'edit_file', { path: `${dir}/nope`, old_string: 'a', new_string: 'b' }, sandbox)))
          .code,
      ).toBe('not_found');
      expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe(content);
    });

    check('byte-order mark, CRLF, mode and bytes outside the match are kept', async ({ sandbox, dir }) => {
      await sandbox.exec("printf '\\357\\273\\277a\\r\\nz\\r\\n' > bom; chmod 755 bom", { cwd: dir });
      await runTool(TOOLS, 'edit_file', { path: `${dir}/bom`, old_string: 'a', new_string: 'b' }, sandbox);
      expect(plain(await sandbox.fs.readFile(`${dir}/bom`))).toEqual([
        0xef, 0xbb, 0xbf, 0x62, 0x0d, 0x0a, 0x7a, 0x0d, 0x0a,
      ]);
      expect((await sandbox.fs.stat(`${dir}/bom`))?.mode).toBe(0o755);
    });

    check(
      'a file that is not UTF-8 is refused with encoding, byte for byte unchanged',
      async ({ sandbox, dir, failure }) => {
        await sandbox.exec("printf '\\357\\273\\277a\\r\\n\\351' > latin", { cwd: dir });
        expect(
          (
            await failure(
              runTool(TOOLS, 'edit_file', { path: `${dir}/latin`, old_string: 'a', new_string: 'b' }, sandbox),
            )
          ).code,
        ).toBe('encoding');
        expect(plain(await sandbox.fs.readFile(`${dir}/latin`))).toEqual([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xe9]);
      },
    );

    check('a hundred edits of one file at once all land', async ({ sandbox, dir }) => {
      const names = Array.from({ length: 100 }, (_, index) => `<${index}>`);
      await sandbox.fs.writeFile(`${dir}/file`, names.join('\n'));
      await Promise.all(
        names.map((name) =>
          runTool(
            TOOLS,
            'edit_file',
            { path: `${dir}/file`, old_string: name, new_string: name.replace('<', '<edited ') },
            sandbox,
          ),
        ),
      );
      expect(utf8(await sandbox.fs.readFile(`${dir}/file`))).toBe(
        names.map((name) => name.replace('<', '<edited ')).join('\n'),
      );
    });

    check('an edit is not lost to a command that writes the same file', async ({ sandbox, dir }) => {
      await sandbox.fs.writeFile(`${dir}/file`, `start\n`);
      const appended = sandbox.exec('for i in $(seq 20); do echo "line $i" >> file; done', { cwd: dir });
      await runTool(TOOLS, 'edit_file', { path: `${dir}/file`, old_string: 'start', new_string: 'edited' }, sandbox);
      await appended;
      expect(utf8(await sandbox.fs.readFile(`${dir}/file`))?.startsWith('edited\n')).toBe(true);
    });
  });
}

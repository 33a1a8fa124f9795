import { describe, expect, it } from 'vitest';
import { codingTools } from '../../../src/tools/coding-tools.js';
import { createFsTools } from '../../../src/tools/fs-tools.js';
import { createSearchTools } from '../../../src/tools/search-tools.js';
import { createShellTool } from '../../../src/tools/shell-tool.js';

const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

describe('createFsTools', () => {
  it('L100: gives read_file, write_file, edit_file, list_dir, glob and grep', () => {
    expect(names(createFsTools())).toEqual(['read_file', 'write_file', 'edit_file', 'list_dir', 'glob', 'grep']);
  });

  it('L100: readOnly drops write_file and edit_file', () => {
    expect(names(createFsTools({ readOnly: true }))).toEqual(['read_file', 'list_dir', 'glob', 'grep']);
  });

  it('asks a person about the editing tools only when told to', () => {
    const approvals = (tools: ReturnType<typeof createFsTools>) =>
      tools.filter(({ needsApproval }) => needsApproval === true).map(({ name }) => name);
    expect(approvals(createFsTools())).toEqual([]);
    expect(approvals(createFsTools({ needsApproval: true }))).toEqual(['write_file', 'edit_file']);
  });
});

describe('createSearchTools', () => {
  it('gives glob and grep', () => {
    expect(names(createSearchTools())).toEqual(['glob', 'grep']);
  });
});

describe('codingTools', () => {
  it('gives the file tools and shell', () => {
    expect(names(codingTools())).toEqual([...names(createFsTools()), 'shell']);
  });

  it('leaves shell out when told to, or when only reading is wanted', () => {
    expect(names(codingTools({ shell: false }))).not.toContain('shell');
    expect(names(codingTools({ readOnly: true }))).toEqual(names(createFsTools({ readOnly: true })));
    expect(names(codingTools({ readOnly: true, shell: {} }))).toContain('shell');
  });

  it('passes needsApproval on to shell unless shell has its own', () => {
    const shell = (options: Parameters<typeof codingTools>[0]) =>
      codingTools(options).find(({ name }) => name === 'shell');
    expect(shell({ needsApproval: true })?.needsApproval).toBe(true);
    expect(shell({ needsApproval: true, shell: { needsApproval: false } })?.needsApproval).toBe(false);
    expect(shell({})?.needsApproval).toBe(false);
  });
});

describe('every built-in tool', () => {
  const tools = codingTools();

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s needs a sandbox and refuses to run on the host',
    async (_, tool) => {
      expect(tool.requiresSandbox).toBe(true);
      expect(typeof tool.sandboxExecute).toBe('function');
      await expect(async () =>
        tool.execute({} as never, { toolCallId: 'x', toolName: tool.name, messages: [] }),
      ).rejects.toMatchObject({
        name: 'SandboxRequiredError',
        code: 'sandbox_required',
      });
    },
  );

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s describes each of its arguments and takes no others',
    (_, tool) => {
      for (const [key, field] of Object.entries(tool.input.shape)) {
        expect([key, (field as { description?: string }).description ?? '']).toEqual([
          key,
          expect.stringMatching(/.{10}/),
        ]);
      }
      expect(
        tool.input
          .safeParse({ path: 'a', command: 'x', pattern: 'x', unknown_key: 1 })
          .error?.issues.map(({ code }) => code),
      ).toContain('unrecognized_keys');
    },
  );

  it('hints say which tools only read and which may destroy', () => {
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
    expect(hints).toEqual({
      read_file: true,
      write_file: false,
      edit_file: false,
      list_dir: true,
      glob: true,
      grep: true,
      shell: false,
    });
    expect(createShellTool().annotations?.destructiveHint).toBe(true);
  });
});

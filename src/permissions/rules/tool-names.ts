/** Names that rules written for Claude Code use, and ours. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: 'shell',
    Read: 'read_file',
    Write: 'write_file',
    Edit: 'edit_file',
    MultiEdit: 'edit_file',
    Grep: 'grep',
    Glob: 'glob',
    LS: 'list_dir',
    NotebookEdit: 'notebook_edit',
    WebFetch: 'fetch',
    WebSearch: 'web_search',
  }),
);

/** Tools whose `path` argument a path rule is matched against. */
export const FILE_TOOLS = ['read_file', 'write_file', 'edit_file', 'list_dir', 'glob', 'grep'] as const;

export type FileTool = (typeof FILE_TOOLS)[number];

/**
 * Which tools a deny or ask rule with a path covers: who may not write a file may not edit it either, and who may
 * not read it may not get at its content by editing or searching.
 */
const COVERED: Readonly<Record<FileTool, readonly FileTool[]>> = {
  read_file: ['read_file', 'edit_file', 'grep', 'list_dir', 'glob'],
  write_file: ['write_file', 'edit_file'],
  edit_file: ['edit_file', 'write_file'],
  list_dir: ['list_dir'],
  glob: ['glob'],
  grep: ['grep'],
};

const COVERING: ReadonlyMap<string, readonly FileTool[]> = new Map(
  FILE_TOOLS.map((tool) => [tool, FILE_TOOLS.filter((other) => COVERED[other].includes(tool))]),
);

export const SHELL_TOOL = 'shell';

/** Tools of Claude Code that have no like here: rules about them are no mistake in a policy that was imported. */
export const FOREIGN_TOOLS: ReadonlySet<string> = new Set(
  `Agent AskUserQuestion BashOutput EnterPlanMode ExitPlanMode KillBash KillShell ListMcpResourcesTool LSP Monitor
  NotebookRead PowerShell ReadMcpResourceTool SendMessage Skill SlashCommand Task TaskCreate TaskGet TaskList TaskOutput
  TaskStop TaskUpdate TodoRead TodoWrite ToolSearch`.split(/\s+/),
);

/**
 * Our name for a tool as a rule spells it: `Bash` is `shell`, `mcp__github__*` is `github__*`, and so is `mcp__github`,
 * which names a server.
 */
export function canonicalToolName(name: string): string {
  const alias = ALIASES.get(name);
  if (alias !== undefined) return alias;
  if (!name.startsWith('mcp__') || name.length === 'mcp__'.length) return name;
  const rest = name.slice('mcp__'.length);
  return rest.includes('__') ? rest : `${rest}__*`;
}

export function isFileTool(name: string): name is FileTool {
  return (FILE_TOOLS as readonly string[]).includes(name);
}

/** The tools whose restricting path rules a call of `toolName` is matched against. */
export function coveringTools(toolName: string): readonly FileTool[] {
  return COVERING.get(toolName) ?? [];
}

/** The two names of one act: a rule that denies one as a whole denies the other. */
export function writeTwin(tool: string): string | undefined {
  if (tool === 'write_file') return 'edit_file';
  return tool === 'edit_file' ? 'write_file' : undefined;
}

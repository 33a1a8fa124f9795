import { flag, oneOf, texts } from '../../checks/kinds.js';
import { checkItems, checkOptions, shapeOf } from '../../checks/options.js';
import { type ListedTool, listedTools, type ToolSource } from '../provider/listed-tools.js';
import { anthropicStrictness } from './strict.js';

/** A provider's own coding tool that `runAnthropicToolUses()` runs in the sandbox. */
export type AnthropicCodingTool = 'bash' | 'text_editor';

export interface AnthropicToolsOptions {
  /**
   * Use strict mode for tools whose schema allows it (`explainAnthropicStrict()` says which). Default false: the API
   * compiles strict schemas, which costs time at the first request, and limits how many there are.
   */
  strict?: boolean | undefined;
  /**
   * Offer these tools of Anthropic's in place of the ones they stand for: `bash` for `shell`; `text_editor` for
   * `read_file`, `write_file`, `edit_file` and `list_dir`. One whose tools the host does not list is left out.
   * Default none.
   */
  codingTools?: readonly AnthropicCodingTool[] | undefined;
}

/** A tool of the Messages API. */
export type AnthropicTool =
  | {
      name: string;
      description: string;
      input_schema: { type: 'object'; [keyword: string]: unknown };
      strict?: true;
      input_examples?: Record<string, unknown>[];
    }
  | { type: 'bash_20250124'; name: 'bash' }
  | { type: 'text_editor_20250728'; name: 'str_replace_based_edit_tool' };

const STANDS_FOR: Record<AnthropicCodingTool, readonly string[]> = {
  bash: ['shell'],
  text_editor: ['read_file', 'write_file', 'edit_file', 'list_dir'],
};

const OPTIONS = shapeOf<AnthropicToolsOptions>({ strict: flag, codingTools: texts });

/**
 * The host's tools in Anthropic's form, for `tools` of a request.
 *
 * @throws TypeError for an unknown option
 * @example
 * ```ts
 * const message = await client.messages.create({ model, max_tokens, messages, tools: toAnthropicTools(host) });
 * ```
 */
export function toAnthropicTools(host: ToolSource, options: AnthropicToolsOptions = {}): AnthropicTool[] {
  checkOptions('toAnthropicTools', options, OPTIONS);
  checkItems('toAnthropicTools', 'codingTools', options.codingTools, oneOf(Object.keys(STANDS_FOR)));
  const { strict = false, codingTools = [] } = options;
  const listed = listedTools(host);
  const names = new Set(listed.map(({ name }) => name));
  const offered = [...new Set(codingTools)].filter((tool) => STANDS_FOR[tool].every((name) => names.has(name)));
  const replaced = new Set(offered.flatMap((tool) => STANDS_FOR[tool]));
  const kept = listed.filter(({ name }) => !replaced.has(name));
  const strictNames = strict ? namesOfStrict(kept) : new Set<string>();
  return [...kept.map((tool) => custom(tool, strictNames)), ...offered.map(codingTool)];
}

function namesOfStrict(kept: readonly ListedTool[]): Set<string> {
  const told = anthropicStrictness(kept);
  return new Set(told.filter((tool) => tool.strict).map(({ toolName }) => toolName));
}

function custom(tool: ListedTool, strictNames: ReadonlySet<string>): AnthropicTool {
  const { name, description, inputSchema, examples } = tool;
  return {
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
    ...(strictNames.has(name) && { strict: true as const }),
    ...(examples.length > 0 && { input_examples: examples }),
  };
}

function codingTool(tool: AnthropicCodingTool): AnthropicTool {
  if (tool === 'bash') return { type: 'bash_20250124', name: 'bash' };
  return { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' };
}

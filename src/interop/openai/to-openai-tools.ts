import { flag, oneOf, texts } from '../../checks/kinds.js';
import { checkItems, checkOptions, shapeOf } from '../../checks/options.js';
import { type ListedTool, listedTools, type ToolSource } from '../provider/listed-tools.js';
import { openAiStrictRefusal } from './strict.js';

/** A provider's own coding tool that `runOpenAiToolCalls()` runs in the sandbox. */
export type OpenAiCodingTool = 'shell' | 'local_shell' | 'apply_patch';

export interface OpenAiToolsOptions {
  /** Which API the tools are for. Default `responses`. */
  api?: 'responses' | 'chat' | undefined;
  /** Use strict mode for tools whose schema allows it (`explainOpenAiStrict()` says which). Default true. */
  strict?: boolean | undefined;
  /**
   * `responses` only: offer these tools of OpenAI's in place of the functions they stand for: `shell` and
   * `local_shell` for `shell`; `apply_patch` for `write_file` and `edit_file`. One whose functions the host does not
   * list is left out. Default none.
   */
  codingTools?: readonly OpenAiCodingTool[] | undefined;
}

/** A function tool of the Chat Completions API. */
export interface OpenAiChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown>; strict: boolean };
}

/** A tool of the Responses API. */
export type OpenAiResponsesTool =
  | { type: 'function'; name: string; description: string; parameters: Record<string, unknown>; strict: boolean }
  | { type: 'shell'; environment: { type: 'local' } }
  | { type: 'local_shell' }
  | { type: 'apply_patch' };

/** The functions that must be listed for a coding tool to work; those it makes superfluous. */
const STANDS_FOR: Record<OpenAiCodingTool, { needs: readonly string[]; replaces: readonly string[] }> = {
  shell: { needs: ['shell'], replaces: ['shell'] },
  local_shell: { needs: ['shell'], replaces: ['shell'] },
  apply_patch: { needs: ['read_file', 'write_file', 'edit_file'], replaces: ['write_file', 'edit_file'] },
};

const OPTIONS = shapeOf<OpenAiToolsOptions>({
  api: oneOf(['responses', 'chat']),
  strict: flag,
  codingTools: texts,
});

/**
 * The host's tools in OpenAI's form, for `tools` of a request. `strict` is set on each tool, never left to the API's
 * default, which rewrites schemas.
 *
 * @throws TypeError for an unknown option
 * @example
 * ```ts
 * const response = await client.responses.create({ model, input, tools: toOpenAiTools(host) });
 * ```
 */
export function toOpenAiTools(host: ToolSource, options: OpenAiToolsOptions & { api: 'chat' }): OpenAiChatTool[];
export function toOpenAiTools(
  host: ToolSource,
  options?: OpenAiToolsOptions & { api?: 'responses' | undefined },
): OpenAiResponsesTool[];
export function toOpenAiTools(
  host: ToolSource,
  options: OpenAiToolsOptions = {},
): OpenAiChatTool[] | OpenAiResponsesTool[] {
  checkOptions('toOpenAiTools', options, OPTIONS);
  checkItems('toOpenAiTools', 'codingTools', options.codingTools, oneOf(Object.keys(STANDS_FOR)));
  const listed = listedTools(host);
  if (options.api === 'chat') {
    return listed.map((tool) => ({ type: 'function', function: functionOf(tool, options) }));
  }
  const offered = offeredCodingTools(listed, options.codingTools ?? []);
  const replaced = new Set(offered.flatMap((tool) => STANDS_FOR[tool].replaces));
  return [
    ...listed
      .filter(({ name }) => !replaced.has(name))
      .map((tool) => ({ type: 'function' as const, ...functionOf(tool, options) })),
    ...offered.map(codingTool),
  ];
}

function functionOf(tool: ListedTool, { strict = true }: OpenAiToolsOptions) {
  const { name, description, inputSchema } = tool;
  return { name, description, parameters: inputSchema, strict: strict && openAiStrictRefusal(tool) === undefined };
}

function offeredCodingTools(listed: readonly ListedTool[], wanted: readonly OpenAiCodingTool[]): OpenAiCodingTool[] {
  const names = new Set(listed.map(({ name }) => name));
  return [...new Set(wanted)].filter((tool) => STANDS_FOR[tool].needs.every((name) => names.has(name)));
}

function codingTool(type: OpenAiCodingTool): OpenAiResponsesTool {
  return type === 'shell' ? { type, environment: { type: 'local' } } : { type };
}

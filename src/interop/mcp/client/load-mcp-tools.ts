import { func, oneOf, whole } from '../../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../../checks/options.js';
import type { DefinedTool } from '../../../tool/define-tool.js';
import { hiddenCharactersIn } from '../../../tool/hidden-characters.js';
import { callOutput } from './call-output.js';
import { importTool, type ListedTool } from './import-tool.js';
import { type McpEvent, tellMcp } from './mcp-event.js';
import { McpToolError } from './mcp-tool-error.js';
import { toldError } from './told-error.js';
import { checkServerName, importedName } from './tool-names.js';

/** A connected client of the official SDK: version 2, or version 1. */
export interface McpToolClient {
  listTools(params?: unknown, options?: unknown): Promise<unknown>;
  callTool(params: unknown, ...options: unknown[]): Promise<unknown>;
}

export interface LoadMcpToolsOptions {
  /** Milliseconds one call may take; progress of the server starts them anew, up to ten times. Default 120,000. */
  timeoutMs?: number;
  /**
   * Which calls ask a person: `annotations` those of tools that may destroy (every one that does not say
   * `readOnlyHint: true` or `destructiveHint: false`), `always` all, `never` none. Default `annotations`, which trusts
   * what the server says of itself; take `always` for a server that you do not trust: then its tools are not read-only
   * in plan mode either.
   */
  approvals?: 'annotations' | 'always' | 'never';
  /** Gets what is wrong with a single tool; the others are loaded. Default a process warning. */
  onProblem?: (problem: McpToolError) => void;
  /** Told what happens with a server: `text.flagged` here, and all of it by `connectMcp`. */
  onEvent?: (event: McpEvent) => void;
}

const MAX_TOTAL_TIMES = 10;

/** What each option is, for those who take them too. */
export const LOAD_KINDS = {
  // A timer takes no more, and progress may draw a call out to ten times that.
  timeoutMs: whole(1, Math.floor((2 ** 31 - 1) / MAX_TOTAL_TIMES)),
  approvals: oneOf(['annotations', 'always', 'never']),
  onProblem: func,
  onEvent: func,
};

const OPTIONS = shapeOf<LoadMcpToolsOptions>(LOAD_KINDS);

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_PAGES = 64;
const MAX_TOOLS = 512;

/**
 * Reads the tools of a connected MCP client as tools of ours, named `<server>__<tool>`. Their arguments are validated
 * here, their failures are of kind `mcp`.
 *
 * @throws TypeError for an unknown option, and for a server name that cannot start a tool's name
 * @throws McpToolError when the server does not answer
 * @example
 * const host = createToolHost({ tools: await loadMcpTools(client, 'github') });
 */
export async function loadMcpTools(
  client: McpToolClient,
  server: string,
  options: LoadMcpToolsOptions = {},
): Promise<DefinedTool[]> {
  checkServerName(server);
  checkOptions('loadMcpTools', options, OPTIONS);
  return readMcpTools(client, server, options);
}

interface ReadOptions extends LoadMcpToolsOptions {
  /** Milliseconds to list them. Default `timeoutMs`. */
  listTimeoutMs?: number;
  /** Tools read before: one that is listed as it was stays the same object. */
  known?: readonly DefinedTool[];
}

const listings = new WeakMap<DefinedTool, string>();

/** The same, for a name that was checked. */
export async function readMcpTools(
  client: McpToolClient,
  server: string,
  options: ReadOptions,
): Promise<DefinedTool[]> {
  const { approvals = 'annotations', onProblem = warnOfMcp } = options;
  const tell = tellMcp(server, options.onEvent);
  const call = (tool: string, args: unknown, signal: AbortSignal | undefined) =>
    callTool(client, { server, tool, args, signal, options });
  const known = new Map(options.known?.map((tool) => [listings.get(tool), tool]));
  const tools = new Map<string, DefinedTool>();
  for (const listed of await listAll(client, server, options)) {
    const listing = JSON.stringify(listed);
    try {
      const tool = known.get(listing) ?? importTool(listed, { server, approvals, call, tell });
      listings.set(tool, listing);
      if (tools.has(tool.name)) throw new McpToolError(server, `MCP server '${server}' lists '${listed.name}' twice`);
      tools.set(tool.name, tool);
    } catch (error) {
      if (!(error instanceof McpToolError)) throw error;
      onProblem(error);
    }
  }
  return [...tools.values()];
}

async function listAll(client: McpToolClient, server: string, options: ReadOptions): Promise<ListedTool[]> {
  const timeout = options.listTimeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const tools: ListedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const answer = (await client.listTools(params, { timeout }).catch((error: unknown) => {
      throw failedRequest(error, { server, what: 'its tools', limit: timeout });
    })) as { tools?: unknown; nextCursor?: unknown } | undefined;
    if (Array.isArray(answer?.tools)) tools.push(...answer.tools);
    if (tools.length > MAX_TOOLS) break;
    cursor = answer?.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '') return tools;
  }
  throw new McpToolError(server, `MCP server '${server}' lists more than ${MAX_TOOLS} tools or ${MAX_PAGES} pages`);
}

interface Request {
  server: string;
  tool: string;
  args: unknown;
  signal: AbortSignal | undefined;
  options: LoadMcpToolsOptions;
}

async function callTool(client: McpToolClient, { server, tool, args, signal, options }: Request): Promise<unknown> {
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const requestOptions = {
    timeout,
    maxTotalTimeout: timeout * MAX_TOTAL_TIMES,
    resetTimeoutOnProgress: true,
    // Without a listener the server is not asked for progress.
    onprogress: () => {},
    ...(signal === undefined ? {} : { signal }),
  };
  const params = { name: tool, arguments: args };
  // Version 1 takes a result schema in between.
  const rest = 'getProtocolEra' in client ? [requestOptions] : [undefined, requestOptions];
  const answer = await client.callTool(params, ...rest).catch((error: unknown) => {
    throw signal?.aborted === true ? error : failedRequest(error, { server, what: `tool '${tool}'`, limit: timeout });
  });
  const characters = hiddenCharactersIn((answer as { content?: unknown } | undefined)?.content);
  if (characters !== undefined) {
    const here = importedName(server, tool);
    tellMcp(server, options.onEvent)({ type: 'text.flagged', tool: here, where: 'result', characters });
  }
  return callOutput(server, tool, answer);
}

const TIMEOUT_CODES: unknown[] = ['REQUEST_TIMEOUT', -32001];
const CLOSED_CODES: unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED', -32000];

function failedRequest(
  error: unknown,
  { server, what, limit }: { server: string; what: string; limit: number },
): McpToolError {
  if (error instanceof McpToolError) return error;
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  const ours = toldError(data as Record<string, unknown> | undefined);
  if (ours !== undefined) return new McpToolError(server, ours.message, { toolError: ours, cause: error });
  const reason = typeof message === 'string' ? message : String(error);
  if (CLOSED_CODES.includes(code)) {
    return new McpToolError(server, `MCP server '${server}' is gone: ${reason}. Connect it again`, { cause: error });
  }
  if (TIMEOUT_CODES.includes(code)) {
    const message = `MCP server '${server}' did not answer the request for ${what} within ${limit} ms`;
    return new McpToolError(server, message, { cause: error });
  }
  return new McpToolError(server, `MCP server '${server}' failed the request for ${what}: ${reason}`, { cause: error });
}

export function warnOfMcp(problem: McpToolError): void {
  process.emitWarning(problem.message, 'CaissonMcpWarning');
}

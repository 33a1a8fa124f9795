import { text } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import { createToolHost } from '../../host/create-tool-host.js';
import { checkHostOptions } from '../../host/host-options.js';
import type { ToolHost, ToolHostOptions } from '../../host/types.js';
import type { MaybePromise } from '../../tool/context.js';
import { EXPORT_KINDS, type ToLlmAgentToolsOptions, toLlmAgentTools } from './to-llm-agent-tools.js';
import type { LlmToolkit, LlmToolkitSession } from './types.js';

export interface ToLlmToolkitOptions extends ToLlmAgentToolsOptions {
  /** Added to the agent's system prompt. Default: the description of the sandbox. */
  systemPrompt?: string;
}

/** Options for a host of each session, or what makes them, or the host, from the session's context. */
export type LlmToolkitHost<Context> =
  | ToolHostOptions
  | ((context: Context) => MaybePromise<ToolHostOptions | ToolHost>);

const OPTIONS = shapeOf<ToLlmToolkitOptions>({ ...EXPORT_KINDS, systemPrompt: text });

/**
 * A toolkit for llm-agent: each of its sessions has a host and a sandbox of its own, which end when it is closed. Tools
 * are listed anew for each turn.
 *
 * @throws TypeError for an unknown option, and for a running host or sandbox: sessions would share it
 * @example
 * const agent = new Agent({
 *   name: 'coder',
 *   model,
 *   toolkits: [toLlmToolkit({ sandbox: 'isolate', tools: codingTools() })],
 * });
 */
export function toLlmToolkit<Context = unknown>(
  host: LlmToolkitHost<Context>,
  options: ToLlmToolkitOptions = {},
): LlmToolkit<Context> {
  checkOptions('toLlmToolkit', options, OPTIONS);
  if (typeof host !== 'function') {
    refuseShared(host);
    checkHostOptions(host);
  }
  return { createSession: (context) => openSession(host, context, options) };
}

/** @throws what keeps the sandbox from starting */
async function openSession<Context>(
  source: LlmToolkitHost<Context>,
  context: Context,
  { systemPrompt, ...options }: ToLlmToolkitOptions,
): Promise<LlmToolkitSession<Context>> {
  const given = typeof source === 'function' ? await source(context) : source;
  const host = isHost(given) ? given : createToolHost({ context, ...given });
  try {
    if (host.sandbox !== undefined) await host.ready();
  } catch (error) {
    await host.dispose();
    throw error;
  }
  return {
    getSystemPrompt: () => systemPrompt ?? host.sandbox?.description,
    getTools: () => toLlmAgentTools<Context>(host, options),
    close: () => host.dispose(),
  };
}

function isHost(given: ToolHostOptions | ToolHost): given is ToolHost {
  return 'callMany' in given;
}

function refuseShared(given: ToolHostOptions): void {
  if (typeof given !== 'object' || given === null || isHost(given)) {
    throw new TypeError(
      'toLlmToolkit: each session has a host of its own: give the options of one, or a function of the context that makes it',
    );
  }
  const { sandbox } = given;
  if (typeof sandbox !== 'object' || sandbox === null || 'acquire' in sandbox) return;
  throw new TypeError(
    "toLlmToolkit: each session has a sandbox of its own, so 'sandbox' must be a name or a pool. Give a function of the context to make one yourself",
  );
}

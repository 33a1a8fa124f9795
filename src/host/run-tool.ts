import { adaptSandbox } from '../sandbox/adapted-sandbox.js';
import type { Sandbox } from '../sandbox/contract.js';
import { SandboxNotConfiguredError } from '../sandbox/errors.js';
import type { ResolvedTool } from '../tool/descriptor.js';
import { toolErrorResult } from '../tool/error-result.js';
import { toJsonSafe } from '../tool/json-safe.js';
import { Aborted } from './abort.js';
import { about, type HostParts, type ParsedCall } from './call-state.js';
import { Refusal } from './refusal.js';
import { viewOf } from './sandbox-view.js';
import { settleOutput } from './streaming.js';
import type { CallOptions } from './types.js';

export async function runTool(parts: HostParts, call: ParsedCall): Promise<unknown> {
  const { tool, args, ctx, options } = call;
  parts.events.emit(() => ({ type: 'run.started', ...about(call), where: tool.requiresSandbox ? 'sandbox' : 'host' }));
  return settleOutput(tool.requiresSandbox ? () => runInSandbox(parts, call) : () => tool.execute?.(args, ctx), {
    signal: options.signal,
    onSnapshot: (snapshot, index) => tellPartial(parts, call, { snapshot, index }),
  });
}

async function runInSandbox(parts: HostParts, { tool, args, ctx, options }: ParsedCall): Promise<unknown> {
  const sandbox = await startSandbox(parts, tool, options.sandbox);
  // The sandbox may have taken a while to start; whoever waited may be gone.
  if (ctx.abortSignal?.aborted === true) throw new Aborted();
  return tool.sandboxExecute?.(args, viewOf(sandbox, options), ctx);
}

/** Whatever keeps a sandbox from starting is a failure of the sandbox, not of the tool. */
async function startSandbox(
  { sandbox, secrets }: HostParts,
  tool: ResolvedTool,
  given: CallOptions['sandbox'],
): Promise<Sandbox> {
  try {
    if (sandbox !== undefined) return await sandbox.start();
    if (given !== undefined) return 'exec' in given ? given : adaptSandbox(given);
  } catch (error) {
    throw new Refusal(toolErrorResult({ toolName: tool.name, error, kind: 'sandbox', redact: secrets.clean }));
  }
  throw new SandboxNotConfiguredError(`Tool '${tool.name}' runs only in a sandbox and this host has none`);
}

function tellPartial(
  parts: HostParts,
  call: ParsedCall,
  { snapshot, index }: { snapshot: unknown; index: number },
): void {
  const { onPartial } = call.options;
  if (onPartial === undefined && !parts.events.hasListener) return;
  const output = toJsonSafe(snapshot);
  parts.events.emit(() => ({ type: 'tool.partial', ...about(call), index, output }));
  try {
    onPartial?.({ toolCallId: call.toolCallId, toolName: call.toolName, index, output });
  } catch {
    // What a listener does wrong is not the call's fault.
  }
}

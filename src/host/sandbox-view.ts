import type { Sandbox } from '../sandbox/contract.js';
import type { CallOptions } from './types.js';

/** What a tool gets in place of the sandbox that its call runs in. */
export type SandboxView = (sandbox: Sandbox) => Sandbox;

/** A symbol, so that no caller can name it and options that are copied keep it. */
const VIEW = Symbol('sandbox view');

/** Options under which a tool sees the sandbox through `view`. What is judged, asked and told of the call stays as it is. */
export function withSandboxView(options: CallOptions, view: SandboxView): CallOptions {
  return { ...options, [VIEW]: view } as CallOptions;
}

/** The sandbox as a call with these options sees it. */
export function viewOf(sandbox: Sandbox, options: CallOptions): Sandbox {
  const view = (options as { readonly [VIEW]?: SandboxView })[VIEW];
  return view === undefined ? sandbox : view(sandbox);
}

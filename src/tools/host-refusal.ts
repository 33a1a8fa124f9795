import { SandboxRequiredError } from '../sandbox/errors.js';

/**
 * The `execute` of a tool that has only a sandbox side. Hosts never call it for a tool that requires a sandbox; whoever
 * calls it by hand gets a refusal, never work done on the host.
 */
export function refuseOnHost(toolName: string): () => never {
  return () => {
    throw new SandboxRequiredError(`'${toolName}' runs only in a sandbox: call it through a tool host that has one`);
  };
}

import type { Kind } from '../checks/kinds.js';
import { mustBe, optionsProblem, type Shape } from '../checks/options.js';
import { SandboxError } from './errors.js';

/**
 * The check of one argument of a sandbox's function, before anything of the call happens.
 * @param call the function as an error names it, e.g. `fs.readFile()`
 * @throws SandboxError `invalid_input` naming the function, the argument and what was given
 */
export function requireArgument(call: string, name: string, value: unknown, kind: Kind): void {
  if (!kind.test(value)) throw new SandboxError('invalid_input', `${call}: ${mustBe(`'${name}'`, kind, value)}`);
}

/** @throws SandboxError `invalid_input` for an unknown option, naming the known ones, or for a value that cannot be */
export function requireOptions(call: string, options: unknown, shape: Shape, inside?: string): void {
  const problem = optionsProblem(options, shape, inside);
  if (problem !== undefined) throw new SandboxError('invalid_input', `${call}: ${problem}`);
}

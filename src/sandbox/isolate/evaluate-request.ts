import { anything, func, object, positive, signal, text, whole } from '../../checks/kinds.js';
import { shapeOf } from '../../checks/options.js';
import { requireArgument, requireOptions } from '../call-arguments.js';
import type { EvaluateOptions } from '../contract.js';
import { SandboxError } from '../errors.js';
import { MAX_TIMEOUT_MS } from '../limits.js';
import type { EvaluateRequest } from './evaluate-call.js';
import { encodePlainJson } from './plain-json.js';

const MAX_CODE_BYTES = 8 * 1024 * 1024;
const EVALUATE_TIMEOUT_MS = 30_000;
const EVALUATE_CALLS = 50;

const OPTIONS = shapeOf<EvaluateOptions>({
  input: anything,
  functions: object,
  timeoutMs: positive(MAX_TIMEOUT_MS),
  signal,
  maxCalls: whole(0),
});

/** @throws SandboxError `invalid_input` */
export function readEvaluateRequest(code: string, opts: EvaluateOptions): EvaluateRequest {
  requireArgument('evaluate()', 'code', code, text);
  requireOptions('evaluate()', opts, OPTIONS);
  const bytes = Buffer.from(code, 'utf8');
  if (bytes.length > MAX_CODE_BYTES) throw invalid('Cannot evaluate code of over 8 MiB');
  const input = encodePlainJson(opts.input ?? null);
  if (!input.ok) throw invalid(`Cannot pass 'input' into the sandbox: ${input.reason}`);
  return {
    code: bytes,
    input: input.text,
    functions: readFunctions(opts.functions),
    timeoutMs: opts.timeoutMs ?? EVALUATE_TIMEOUT_MS,
    maxCalls: opts.maxCalls ?? EVALUATE_CALLS,
  };
}

function readFunctions(functions: EvaluateOptions['functions'] = {}): EvaluateRequest['functions'] {
  for (const [name, called] of Object.entries(functions)) {
    requireArgument('evaluate()', `functions.${name}`, called, func);
  }
  return { ...functions };
}

function invalid(message: string): SandboxError {
  return new SandboxError('invalid_input', message);
}

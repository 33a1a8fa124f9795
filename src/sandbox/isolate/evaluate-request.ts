import type { EvaluateOptions } from '../contract.js';
import { SandboxError } from '../errors.js';
import { readTimeout } from '../exec-request.js';
import type { EvaluateRequest } from './evaluate-call.js';
import { encodePlainJson } from './plain-json.js';

const MAX_CODE_BYTES = 8 * 1024 * 1024;
const EVALUATE_TIMEOUT_MS = 30_000;
const EVALUATE_CALLS = 50;

/** @throws SandboxError `invalid_input` */
export function readEvaluateRequest(code: string, opts: EvaluateOptions): EvaluateRequest {
  if (typeof code !== 'string') throw invalid('Cannot evaluate code that is not a string');
  const bytes = Buffer.from(code, 'utf8');
  if (bytes.length > MAX_CODE_BYTES) throw invalid('Cannot evaluate code of over 8 MiB');
  const input = encodePlainJson(opts.input ?? null);
  if (!input.ok) throw invalid(`Cannot pass 'input' into the sandbox: ${input.reason}`);
  const maxCalls = opts.maxCalls ?? EVALUATE_CALLS;
  if (!Number.isInteger(maxCalls) || maxCalls < 0) throw invalid("'maxCalls' must be an integer of at least 0");
  return {
    code: bytes,
    input: input.text,
    functions: { ...opts.functions },
    timeoutMs: readTimeout(opts.timeoutMs ?? EVALUATE_TIMEOUT_MS),
    maxCalls,
  };
}

function invalid(message: string): SandboxError {
  return new SandboxError('invalid_input', message);
}

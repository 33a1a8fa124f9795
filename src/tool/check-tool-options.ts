import { unknownName } from '../checks/options.js';
import { toToolSchema } from './schema.js';
import { checkToolName } from './tool-name.js';

const OPTIONS = [
  'name',
  'description',
  'input',
  'execute',
  'displayName',
  'needsApproval',
  'requiresSandbox',
  'sandboxExecute',
  'output',
  'annotations',
  'inputExamples',
  'strict',
  'providerOptions',
  'metadata',
  'editsFiles',
  'deferLoading',
] as const;

/** What other libraries call our options. */
const SYNONYMS: Readonly<Record<string, (typeof OPTIONS)[number]>> = {
  parameters: 'input',
  inputSchema: 'input',
  schema: 'input',
  args: 'input',
  outputSchema: 'output',
  title: 'displayName',
  handler: 'execute',
  run: 'execute',
  func: 'execute',
  call: 'execute',
  examples: 'inputExamples',
  approval: 'needsApproval',
  sandbox: 'requiresSandbox',
};

/**
 * Checks the options of `defineTool()`.
 * @throws TypeError naming the tool, what is wrong, and how to write it right.
 */
export function checkToolOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('Cannot define a tool: pass an object, defineTool({ name, description, input, execute })');
  }
  const given = options as Record<string, unknown>;
  checkToolName(given.name);
  const refuse = (problem: string) => new TypeError(`Cannot define tool '${given.name}': ${problem}`);
  for (const option of Object.keys(given)) {
    if (!(OPTIONS as readonly string[]).includes(option))
      throw refuse(unknownName(option, OPTIONS, { synonyms: SYNONYMS }));
  }
  if (typeof given.description !== 'string' || given.description.trim() === '') {
    throw refuse("it is missing a 'description', a sentence that tells the model when to use it");
  }
  toToolSchema(given.input, { toolName: given.name, role: 'input' });
  if (typeof given.execute !== 'function')
    throw refuse("it needs an 'execute' function: execute: async (args, ctx) => …");
  if (given.output !== undefined) toToolSchema(given.output, { toolName: given.name, role: 'output' });
  const problem = optionalProblem(given);
  if (problem !== undefined) throw refuse(problem);
}

function optionalProblem(given: Record<string, unknown>): string | undefined {
  const { displayName, needsApproval, sandboxExecute, annotations, inputExamples } = given;
  if (displayName !== undefined && (typeof displayName !== 'string' || displayName.trim() === '')) {
    return "'displayName' must be a string that is not empty; leave it out to use the name";
  }
  if (needsApproval !== undefined && typeof needsApproval !== 'boolean' && typeof needsApproval !== 'function') {
    return "'needsApproval' must be true, false or a function of the arguments";
  }
  if (sandboxExecute !== undefined && typeof sandboxExecute !== 'function') {
    return "'sandboxExecute' must be a function: sandboxExecute: async (args, sandbox, ctx) => …";
  }
  if (annotations !== undefined && (typeof annotations !== 'object' || annotations === null)) {
    return "'annotations' must be an object such as { readOnlyHint: true }";
  }
  if (inputExamples !== undefined && !Array.isArray(inputExamples)) {
    return "'inputExamples' must be a list such as [{ input: { … } }]";
  }
  const flag = ['requiresSandbox', 'strict', 'editsFiles', 'deferLoading'].find(
    (option) => !isOptionalBoolean(given[option]),
  );
  return flag === undefined ? undefined : `'${flag}' must be true or false`;
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

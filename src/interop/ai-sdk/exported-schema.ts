import type { AiSdkSchema } from './types.js';

const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * A JSON Schema in the AI SDK's form. It validates nothing: the host is the only parser, or defaults and transforms
 * would be applied twice and the model would not see the host's list of issues.
 */
export function exportedSchema(jsonSchema: Record<string, unknown>): AiSdkSchema {
  const copy = () => structuredClone(jsonSchema);
  const schema = {
    [AI_SDK_SCHEMA]: true,
    _type: undefined,
    // The AI SDK looks whether the member is there.
    validate: undefined,
    jsonSchema: copy(),
    '~standard': {
      version: 1 as const,
      vendor: 'caisson',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
  return schema;
}

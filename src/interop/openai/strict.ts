import { type ListedTool, listedTools, type ToolSource } from '../provider/listed-tools.js';
import { type StrictProfile, strictRefusal } from '../provider/strict-schema.js';

/** Whether a tool is given to OpenAI in strict mode, and if not, why. */
export type OpenAiStrictness = { toolName: string; strict: true } | { toolName: string; strict: false; reason: string };

/** The subset of JSON Schema that OpenAI documents for strict mode, and its limits. */
const PROFILE: StrictProfile = {
  keywords: new Set([
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minItems',
    'maxItems',
  ]),
  allRequired: true,
  recursive: true,
  maxDepth: 10,
  maxProperties: 5_000,
  maxEnumValues: 1_000,
  maxCharacters: 120_000,
};

/** Says of each listed tool whether it is given to OpenAI in strict mode, and the reason where it is not. */
export function explainOpenAiStrict(host: ToolSource): OpenAiStrictness[] {
  return listedTools(host).map((tool) => {
    const reason = openAiStrictRefusal(tool);
    return reason === undefined
      ? { toolName: tool.name, strict: true }
      : { toolName: tool.name, strict: false, reason };
  });
}

export function openAiStrictRefusal(tool: ListedTool): string | undefined {
  return strictRefusal(tool, PROFILE);
}

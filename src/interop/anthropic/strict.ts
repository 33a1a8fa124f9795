import { type ListedTool, listedTools, type ToolSource } from '../provider/listed-tools.js';
import { type StrictProfile, strictRefusal } from '../provider/strict-schema.js';

/** Whether a tool may be given to Anthropic in strict mode, and if not, why. */
export type AnthropicStrictness =
  | { toolName: string; strict: true }
  | { toolName: string; strict: false; reason: string };

/** The subset of JSON Schema that Anthropic documents for strict tools; it has no limits on size that are stated. */
const PROFILE: StrictProfile = {
  keywords: new Set(['format', 'default']),
  allRequired: false,
  recursive: false,
  maxDepth: Number.POSITIVE_INFINITY,
  maxProperties: Number.POSITIVE_INFINITY,
  maxEnumValues: Number.POSITIVE_INFINITY,
  maxCharacters: Number.POSITIVE_INFINITY,
};

/** Strict tools that one request may have. */
const MAX_STRICT_TOOLS = 20;

/** Says of each listed tool whether Anthropic's strict mode takes its schema, and the reason where it does not. */
export function explainAnthropicStrict(host: ToolSource): AnthropicStrictness[] {
  return anthropicStrictness(listedTools(host));
}

/** Of tools that go into one request together. */
export function anthropicStrictness(tools: readonly ListedTool[]): AnthropicStrictness[] {
  let count = 0;
  return tools.map((tool) => {
    const toolName = tool.name;
    const reason = strictRefusal(tool, PROFILE);
    if (reason !== undefined) return { toolName, strict: false, reason };
    count += 1;
    if (count <= MAX_STRICT_TOOLS) return { toolName, strict: true };
    return { toolName, strict: false, reason: `A request takes at most ${MAX_STRICT_TOOLS} strict tools` };
  });
}

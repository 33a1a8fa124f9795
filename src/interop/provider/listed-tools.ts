import type { ToolHost, ToolListing } from '../../host/types.js';
import { member } from './record.js';

/** What exporting tools needs of a host. */
export type ToolSource = Pick<ToolHost, 'tools' | 'registry'>;

/** A tool as listed, with what its definition carries for integrations. */
export interface ListedTool extends ToolListing {
  /** False: its definition refuses strict mode. */
  mayBeStrict: boolean;
  /** Arguments that a model might send. */
  examples: Record<string, unknown>[];
}

export function listedTools(source: ToolSource): ListedTool[] {
  return source.tools().map((tool) => {
    const descriptor = source.registry.get(tool.name);
    const examples = member(descriptor, 'inputExamples');
    return {
      ...tool,
      mayBeStrict: member(descriptor, 'strict') !== false,
      examples: Array.isArray(examples) ? examples.map((example) => member(example, 'input')).filter(isRecord) : [],
    };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

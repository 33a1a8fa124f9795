import { type AgentTool, tool } from '@hoangvvo/llm-agent';
import { zodTool } from '@hoangvvo/llm-agent/zod';
import { z } from 'zod3';

/** The lost-and-found desk of llm-agent's documentation: three tools that share one ledger. */
export interface LostAndFoundContext {
  manifestId: string;
  intakeLedger: Map<string, { description: string; priority: 'standard' | 'rush' }>;
  flaggedContraband: Set<string>;
  receiptNotes: string[];
}

export function createContext(): LostAndFoundContext {
  return { manifestId: 'aurora-shift', intakeLedger: new Map(), flaggedContraband: new Set(), receiptNotes: [] };
}

const failed = (text: string) => ({ content: [{ type: 'text' as const, text }], is_error: true });
const said = (text: string) => ({ content: [{ type: 'text' as const, text }], is_error: false });

export const intakeItem = tool<
  LostAndFoundContext,
  { item_id: string; description: string; priority?: 'standard' | 'rush' }
>({
  name: 'intake_item',
  description: 'Register an item reported by the traveller',
  parameters: {
    type: 'object',
    properties: {
      item_id: { type: 'string' },
      description: { type: 'string' },
      priority: { type: 'string', enum: ['standard', 'rush'] },
    },
    required: ['item_id', 'description', 'priority'],
    additionalProperties: false,
  },
  execute({ item_id, description, priority = 'standard' }, { intakeLedger, receiptNotes }) {
    const id = item_id.trim().toLowerCase();
    if (intakeLedger.has(id)) return failed(`Item ${item_id} is already on the ledger`);
    intakeLedger.set(id, { description, priority });
    receiptNotes.push(`${item_id}: ${description}${priority === 'rush' ? ' (rush intake)' : ''}`);
    return said(`Logged ${description} as ${item_id}. Intake queue now holds ${intakeLedger.size} item(s).`);
  },
});

export const flagContraband = zodTool({
  name: 'flag_contraband',
  description: 'Escalate a manifest item for contraband review',
  parameters: z.object({ item_id: z.string(), reason: z.string().min(3), severity: z.number().optional() }) as never,
  execute({ item_id, reason }: { item_id: string; reason: string }, context: LostAndFoundContext) {
    const key = item_id.trim().toLowerCase();
    if (!context.intakeLedger.has(key)) return failed(`Cannot flag ${item_id}; it has not been logged yet`);
    context.flaggedContraband.add(key);
    context.receiptNotes.push(`${item_id} held for review: ${reason}`);
    return said(`${item_id} marked for contraband inspection`);
  },
}) as unknown as AgentTool<LostAndFoundContext>;

export const issueReceipt = tool<LostAndFoundContext, { traveller: string }>({
  name: 'issue_receipt',
  description: 'Publish a receipt for the traveller and clear the ledger',
  parameters: {
    type: 'object',
    properties: { traveller: { type: 'string' } },
    required: ['traveller'],
    additionalProperties: false,
  },
  execute({ traveller }, context) {
    if (context.intakeLedger.size === 0) return failed(`No items pending on manifest ${context.manifestId}`);
    const cleared = [...context.intakeLedger]
      .filter(([id]) => !context.flaggedContraband.has(id))
      .map(([id, { description }]) => `${id} (${description})`);
    const lines = [
      `Receipt for ${traveller} on manifest ${context.manifestId}:`,
      `Cleared items: ${cleared.join(', ')}`,
      'Notes:',
      ...context.receiptNotes,
      `${context.flaggedContraband.size} item(s) require contraband follow-up.`,
    ];
    context.intakeLedger.clear();
    context.flaggedContraband.clear();
    context.receiptNotes.length = 0;
    return said(lines.join('\n'));
  },
});

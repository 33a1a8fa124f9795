/** Hints about what a tool does, with MCP's names and meanings. They inform clients and people; nothing is enforced by them. */
export interface ToolAnnotations {
  title?: string;
  /** Changes nothing. Read as `false` when absent. */
  readOnlyHint?: boolean;
  /** May destroy. Read as `true` when absent. */
  destructiveHint?: boolean;
  /** The same call again changes nothing more. */
  idempotentHint?: boolean;
  /** Reaches beyond the machine. Read as `true` when absent. */
  openWorldHint?: boolean;
}

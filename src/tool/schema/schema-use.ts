/** What a schema is for; named in every error about it. */
export interface SchemaUse {
  toolName: string;
  role: 'input' | 'output';
}

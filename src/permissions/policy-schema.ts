const RULES = { type: 'array', items: { anyOf: [{ type: 'string', minLength: 1 }, { $ref: '#/$defs/rule' }] } };
const TEXTS = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
};

/** JSON Schema of `caisson.policy.json`, for editors. */
export const POLICY_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Caisson permission policy',
  description:
    'Deny beats ask beats allow beats the default, whatever the order of the rules. Comments and trailing commas are allowed.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    deny: { ...RULES, description: 'Never run. Holds from every layer; no approval lifts it.' },
    ask: { ...RULES, description: 'Run after a person approved it.' },
    allow: {
      ...RULES,
      description: 'Run without asking. In a workspace it counts only when the host trusts the project.',
    },
    default: {
      enum: ['deny', 'ask', 'allow'],
      description: 'What happens to a call that no rule matches. Default: allow.',
    },
  },
  $defs: {
    rule: {
      type: 'object',
      additionalProperties: false,
      required: ['tool'],
      properties: {
        effect: { enum: ['deny', 'ask', 'allow'] },
        tool: { type: 'string', description: "A tool's name, with * for any characters." },
        command: { ...TEXTS, description: 'shell only: words; a trailing :* or " *" matches any arguments.' },
        path: {
          ...TEXTS,
          description: 'File tools only: gitignore-like; /x from the workspace, //x absolute, ~/x at home.',
        },
        args: {
          type: 'object',
          minProperties: 1,
          description: 'Other tools, deny and ask only: a value, a text with *, or a list, by argument.',
        },
        domain: {
          type: 'string',
          description: 'Tools that take a url: example.com, or *.example.com for those below as well.',
        },
        reason: { type: 'string', description: 'Shown to the model and to people.' },
        match: {
          type: 'array',
          items: { type: 'string' },
          description: 'Examples that the rule must match; checked at load.',
        },
        notMatch: {
          type: 'array',
          items: { type: 'string' },
          description: 'Examples that it must not match; checked at load.',
        },
      },
    },
  },
} as const;

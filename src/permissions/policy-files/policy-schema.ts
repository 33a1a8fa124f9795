import { FILE_TOOLS } from '../rules/tool-names.js';

const FILLED = { type: 'string', pattern: '\\S' };
const TEXTS = { anyOf: [FILLED, { type: 'array', minItems: 1, items: FILLED }] };
const NAME = '(mcp__)?[A-Za-z0-9_*-]{1,64}';
const HOST = '(\\*|(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?)';
const SHELL_NAMES = ['shell', 'Bash'];
const FILE_NAMES = [...FILE_TOOLS, 'Read', 'Write', 'Edit', 'MultiEdit', 'Grep', 'Glob', 'LS'];
/** A name, or one with what it is about in parentheses. */
const RULE_TEXT = {
  type: 'string',
  maxLength: 2000,
  pattern: `^\\s*(${NAME}|(${SHELL_NAMES.join('|')})\\((?!\\s*:\\*\\s*\\))[^\\0]*[^\\s\\0][^\\0]*\\)|(${FILE_NAMES.join('|')})\\([^\\0]*[^\\s\\0][^\\0]*\\)|${NAME}\\(\\s*domain:\\s*${HOST}\\s*\\))\\s*$`,
};
const PATTERNS = ['command', 'path', 'args', 'domain'];
const ONE_PATTERN = {
  not: {
    anyOf: PATTERNS.flatMap((one, index) => PATTERNS.slice(index + 1).map((other) => ({ required: [one, other] }))),
  },
};
/** What a rule may say of its tool's calls. */
const FITTING = [
  onlyWith('command', { enum: SHELL_NAMES }),
  onlyWith('path', { enum: FILE_NAMES }),
  onlyWith('domain', { not: { enum: [...SHELL_NAMES, ...FILE_NAMES] } }),
];
const NO_ARGS = { not: { required: ['args'] } };

function onlyWith(pattern: string, tool: object) {
  return { anyOf: [{ not: { required: [pattern] } }, { properties: { tool } }] };
}

/** Rules of one effect, which an object among them may repeat. */
function rules(effect: string, description: string) {
  const own = { properties: { effect: { const: effect } } };
  const rule = { allOf: [{ $ref: '#/$defs/rule' }, own, ...(effect === 'allow' ? [NO_ARGS] : [])] };
  return { type: 'array', items: { anyOf: [RULE_TEXT, rule] }, description };
}

/** JSON Schema of `caisson.policy.json`, for editors. */
export const POLICY_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Caisson permission policy',
  description:
    'Deny beats ask beats allow beats the default, whatever the order of the rules. Comments and trailing commas are allowed.',
  type: ['object', 'array'],
  items: {
    allOf: [
      { $ref: '#/$defs/rule' },
      { required: ['effect'] },
      { anyOf: [{ properties: { effect: { enum: ['deny', 'ask'] } } }, NO_ARGS] },
    ],
  },
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    deny: rules('deny', 'Never run. Holds from every layer; no approval lifts it.'),
    ask: rules('ask', 'Run after a person approved it.'),
    allow: rules('allow', 'Run without asking. In a workspace it counts only when the host trusts the project.'),
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
      ...ONE_PATTERN,
      allOf: FITTING,
      properties: {
        effect: { enum: ['deny', 'ask', 'allow'] },
        tool: {
          type: 'string',
          pattern: `^${NAME}$`,
          description: "A tool's name, with * for any characters.",
        },
        command: { ...TEXTS, description: 'shell only: words; a trailing :* or " *" matches any arguments.' },
        path: {
          ...TEXTS,
          description: 'File tools only: gitignore-like; /x from the workspace, //x absolute, ~/x at home.',
        },
        args: {
          type: 'object',
          minProperties: 1,
          additionalProperties: { not: { type: 'array', maxItems: 0 } },
          description: 'Other tools, deny and ask only: a value, a text with *, or a list, by argument.',
        },
        domain: {
          type: 'string',
          pattern: `^${HOST}$`,
          description: 'Tools that take a url: example.com, or *.example.com for those below as well.',
        },
        reason: { type: 'string', description: 'Shown to the model and to people.' },
        match: {
          ...TEXTS,
          description: 'Examples that the rule must match; checked at load.',
        },
        notMatch: {
          ...TEXTS,
          description: 'Examples that it must not match; checked at load.',
        },
      },
    },
  },
} as const;

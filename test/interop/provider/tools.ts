import { z } from 'zod';
import { defineTool, PropagatingToolError } from '../../../src/index.js';

export const log: string[] = [];

export const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  input: z.strictObject({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => {
    log.push(`add ${a} ${b}`);
    return { sum: a + b };
  },
});

export const say = defineTool({
  name: 'say',
  description: 'Says it again',
  input: z.object({ text: z.string(), loud: z.boolean().optional() }),
  execute: ({ text }) => {
    log.push(`say ${text}`);
    return text;
  },
});

export const ask = defineTool({
  name: 'ask',
  description: 'Runs when a person says so',
  input: z.strictObject({ what: z.string() }),
  needsApproval: true,
  execute: ({ what }) => {
    log.push(`ask ${what}`);
    return `did ${what}`;
  },
});

export const fail = defineTool({
  name: 'fail',
  description: 'Fails',
  input: z.object({ how: z.string().optional() }),
  execute: ({ how }): never => {
    if (how === 'propagate') throw new PropagatingToolError('stop');
    throw new RangeError('no such luck');
  },
});

export const parts = defineTool({
  name: 'parts',
  description: 'Gives parts',
  input: z.object({}),
  execute: () => ({
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'image', mimeType: 'image/tiff', data: 'AAAA' },
      { type: 'file', mimeType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA', transcript: 'hello' },
      { type: 'source', source: 'https://example.org/x', title: 'X', content: [{ type: 'text', text: 'body' }] },
      { type: 'link', uri: 'https://example.org/y', name: 'y', mimeType: 'text/html', size: 12 },
    ],
  }),
});

export const allTools = [add, say, ask, fail, parts];

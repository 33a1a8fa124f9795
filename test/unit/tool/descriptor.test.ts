import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../../src/sandbox/contract.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { resolveTool, type ToolDescriptor } from '../../../src/tool/descriptor.js';

const ctx = { toolCallId: 'call_1', messages: [] };
const schemaA = z.object({ a: z.string() });
const schemaB = z.object({ b: z.string() });
const requiredIn = (descriptor: ToolDescriptor) => resolveTool('x', descriptor).schema.jsonSchema.required;

describe('resolveTool()', () => {
  it('L22: resolves a defined tool with everything it carries', async () => {
    const tool = defineTool({
      name: 'mail',
      description: 'Sends a mail',
      displayName: 'Mail',
      input: schemaA,
      output: z.object({ id: z.string() }),
      needsApproval: ({ a }) => a === 'x',
      annotations: { destructiveHint: true },
      requiresSandbox: true,
      execute: () => ({ id: '1' }),
      sandboxExecute: async ({ a }, sandbox, { toolCallId }) => ({ id: `${a} ${sandbox.name} ${toolCallId}` }),
    });
    const resolved = resolveTool('mail', tool);
    expect(resolved).toMatchObject({
      name: 'mail',
      displayName: 'Mail',
      requiresSandbox: true,
      annotations: { destructiveHint: true },
    });
    expect(resolved.describe({ context: undefined, sandbox: undefined })).toBe('Sends a mail');
    expect(resolved.descriptor).toBe(tool);
    expect(resolved.schema.jsonSchema.required).toEqual(['a']);
    expect(resolved.outputSchema?.jsonSchema.required).toEqual(['id']);
    expect(await resolved.sandboxExecute?.({ a: 'b' }, { name: 'fake' } as Sandbox, ctx)).toEqual({
      id: 'b fake call_1',
    });
    if (typeof resolved.needsApproval !== 'function') throw new Error('No predicate');
    expect(resolved.needsApproval({ a: 'x' }, { toolName: 'mail', ...ctx })).toBe(true);
  });

  it('L18: keeps a requiresSandbox tool without sandboxExecute as it is', () => {
    const resolved = resolveTool('x', { inputSchema: schemaA, requiresSandbox: true, execute: () => 1 });
    expect(resolved.requiresSandbox).toBe(true);
    expect(resolved.sandboxExecute).toBeUndefined();
  });

  it('L20: keeps sandboxExecute of a tool that does not require a sandbox', () => {
    const resolved = resolveTool('x', { inputSchema: schemaA, execute: () => 'host', sandboxExecute: () => 'sandbox' });
    expect(resolved.requiresSandbox).toBe(false);
    expect(resolved.execute?.({}, ctx)).toBe('host');
  });

  it('a hand-written tool may have sandboxExecute alone when it requires a sandbox', () => {
    expect(
      resolveTool('x', { inputSchema: schemaA, requiresSandbox: true, sandboxExecute: () => 1 }).execute,
    ).toBeUndefined();
    expect(() => resolveTool('x', { inputSchema: schemaA, sandboxExecute: () => 1 })).toThrow(/no 'execute' function/);
  });

  it('L24: .tool is ignored where the descriptor has its own schema and execute', () => {
    const descriptor = {
      inputSchema: schemaA,
      execute: () => 'own',
      tool: { parameters: schemaB, execute: () => 'legacy' },
    };
    expect(requiredIn(descriptor)).toEqual(['a']);
    expect(resolveTool('x', descriptor).execute?.({}, ctx)).toBe('own');
  });

  it('L24: a hand-written { displayName, tool } works, with validation', async () => {
    const resolved = resolveTool('x', {
      displayName: 'Old',
      tool: { description: 'An old tool', parameters: schemaB, execute: ({ b }: { b: string }) => b },
    });
    expect(resolved.displayName).toBe('Old');
    expect(resolved.describe({ context: undefined, sandbox: undefined })).toBe('An old tool');
    expect(await resolved.schema.parse({})).toMatchObject({ ok: false, issues: [{ path: 'b' }] });
    expect(resolved.execute?.({ b: 'c' }, ctx)).toBe('c');
  });

  it('L24: the fallbacks of schema and execute are independent', () => {
    const ownSchema = { inputSchema: schemaA, tool: { parameters: schemaB, execute: () => 'legacy' } };
    expect(requiredIn(ownSchema)).toEqual(['a']);
    expect(resolveTool('x', ownSchema).execute?.({}, ctx)).toBe('legacy');
    const ownExecute = { execute: () => 'own', tool: { parameters: schemaB, execute: () => 'legacy' } };
    expect(requiredIn(ownExecute)).toEqual(['b']);
    expect(resolveTool('x', ownExecute).execute?.({}, ctx)).toBe('own');
  });

  it('keeps the this of class-based tools', async () => {
    class Counter {
      #count = 0;
      readonly inputSchema = schemaA;
      readonly requiresSandbox = true;
      execute() {
        this.#count += 1;
        return this.#count;
      }
      async sandboxExecute() {
        return this.#count + 100;
      }
      needsApproval() {
        return this.#count > 0;
      }
    }
    const { execute, sandboxExecute, needsApproval } = resolveTool('x', new Counter());
    expect(execute?.({}, ctx)).toBe(1);
    expect(await sandboxExecute?.({}, {} as Sandbox, ctx)).toBe(101);
    if (typeof needsApproval !== 'function') throw new Error('No predicate');
    expect(needsApproval({}, { toolName: 'x', ...ctx })).toBe(true);
  });

  it('a changed descriptor does not change what was resolved', () => {
    const descriptor = { inputSchema: schemaA, execute: () => 'first' };
    const resolved = resolveTool('x', descriptor);
    descriptor.execute = () => 'second';
    expect(resolved.execute?.({}, ctx)).toBe('first');
  });

  it('a tool without a description is described by its label, then its name', () => {
    const described = (tool: object) =>
      resolveTool('x', { inputSchema: schemaA, execute: () => 1, ...tool }).describe({
        context: 'ctx',
        sandbox: undefined,
      });
    expect(described({ title: 'Weather' })).toBe('Weather');
    expect(described({ description: ' ' })).toBe('x');
    expect(described({ description: () => '' })).toBe('x');
    expect(described({ description: ({ context }: { context: string }) => `In ${context}` })).toBe('In ctx');
  });
});

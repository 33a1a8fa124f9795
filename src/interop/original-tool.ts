import type { ToolDescriptor } from '../tool/descriptor.js';
import type { NamedTool } from '../tool/registry.js';

const ORIGINAL = Symbol.for('caisson.originalTool');

/** Marks an exported tool with the registered one it stands for. The mark is not enumerable: copies of the tool lose it. */
export function markOriginal<Exported extends object>(exported: Exported, original: ToolDescriptor): Exported {
  return Object.defineProperty(exported, ORIGINAL, { value: original });
}

/** The tool that an exported one stands for, so that a tool comes back from a round trip as itself. */
export function originalOf(exported: object, name: string): NamedTool | undefined {
  const original = (exported as { [ORIGINAL]?: ToolDescriptor })[ORIGINAL];
  if (original === undefined) return undefined;
  return original.name === name ? (original as NamedTool) : renamed(original, name);
}

/** Methods stay with the object they belong to, which may have private members. */
function renamed(original: ToolDescriptor, name: string): NamedTool {
  return new Proxy(original, {
    get(target, key) {
      if (key === 'name') return name;
      const member: unknown = Reflect.get(target, key, target);
      return METHODS.has(key) && typeof member === 'function' ? member.bind(target) : member;
    },
  }) as NamedTool;
}

const METHODS = new Set<PropertyKey>(['execute', 'sandboxExecute', 'needsApproval', 'toModelOutput', 'description']);

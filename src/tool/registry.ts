import { type ResolvedTool, resolveTool, type ToolDescriptor } from './descriptor.js';
import { toolEntries, toolSources } from './tool-entries.js';

/** A descriptor that knows its own name: the result of `defineTool()`, or a hand-written one. */
export type NamedTool = ToolDescriptor & { readonly name: string };

/** What takes tools takes any of these: one tool, lists (nested, mixed), a record keyed by name, a registry, or a source. */
export type ToolsOption = NamedTool | ToolRegistry | ToolRecord | ToolSource | readonly ToolsOption[];

/** Tools that come and go, such as those of an MCP server: it registers them, and keeps the registry in step. */
export interface ToolSource {
  /** @returns a function that takes its tools out again */
  attach(registry: ToolRegistry): () => void;
}

export interface ToolRecord {
  readonly [name: string]: ToolDescriptor;
}

export interface RegisterOptions {
  /** Replace a tool that has the name instead of throwing. Default false. */
  replace?: boolean;
}

/** Tools by name, in the order they were registered. Everything is checked when it is registered. */
export class ToolRegistry {
  readonly #tools = new Map<string, ResolvedTool>();
  readonly #listeners = new Set<() => void>();
  readonly #refreshes = new Set<() => void>();

  /**
   * Registers a tool under its own name.
   * @throws TypeError when it is not a tool that can run, or its name is taken.
   */
  register(tool: NamedTool): void;
  /**
   * Registers any descriptor under a name: a defined tool, an AI SDK `tool()`, a hand-written one.
   * @throws TypeError when it is not a tool that can run, or the name is taken and `replace` is not given.
   */
  register(name: string, descriptor: ToolDescriptor, options?: RegisterOptions): void;
  register(nameOrTool: string | NamedTool, descriptor?: ToolDescriptor, options: RegisterOptions = {}): void {
    if (typeof nameOrTool !== 'string') return this.#add([resolveNamed(nameOrTool)]);
    if (descriptor === undefined || descriptor === null) {
      throw new TypeError(
        `Cannot register tool '${nameOrTool}': a descriptor is required. Write register('${nameOrTool}', descriptor), or register(tool) for a result of defineTool()`,
      );
    }
    this.#add([resolveTool(nameOrTool, descriptor)], options);
  }

  /**
   * Registers all of them, or, when one cannot be, none. Sources come last, in their order.
   * @throws TypeError as `register()` does.
   */
  registerMany(tools: ToolsOption | undefined): void {
    const sources = toolSources(tools);
    const entries = toolEntries(tools).map(([name, descriptor]) => resolveTool(name, descriptor));
    this.#add(entries);
    const done: (() => void)[] = entries.map(
      ({ name }) =>
        () =>
          this.#tools.delete(name),
    );
    try {
      for (const source of sources) done.push(source.attach(this));
    } catch (error) {
      for (const undo of done.reverse()) undo();
      throw error;
    }
  }

  /** What was registered under the name, as it was. */
  get(name: string): ToolDescriptor | undefined {
    return this.#tools.get(name)?.descriptor;
  }

  /** The tool in the form the host runs. */
  resolve(name: string): ResolvedTool | undefined {
    return this.#tools.get(name);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Names, in the order of registration. */
  list(): string[] {
    for (const refresh of this.#refreshes) refresh();
    return [...this.#tools.keys()];
  }

  /** Descriptors by name, in an object without a prototype: a tool may be called `constructor`. */
  getAll(): Record<string, ToolDescriptor> {
    const all: Record<string, ToolDescriptor> = Object.create(null);
    for (const { name, descriptor } of this.#tools.values()) all[name] = descriptor;
    return all;
  }

  /** @returns whether there was such a tool. */
  unregister(name: string): boolean {
    const removed = this.#tools.delete(name);
    if (removed) this.#tellChange();
    return removed;
  }

  clear(): void {
    this.#tools.clear();
    this.#tellChange();
  }

  /** Calls back before names are listed, for those who keep tools that come and go. @returns a function that ends it. */
  onList(refresh: () => void): () => void {
    this.#refreshes.add(refresh);
    return () => this.#refreshes.delete(refresh);
  }

  /** Calls back after tools were added, replaced or removed. @returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  size(): number {
    return this.#tools.size;
  }

  #add(tools: readonly ResolvedTool[], { replace = false }: RegisterOptions = {}): void {
    const added = new Map<string, ResolvedTool>();
    for (const tool of tools) {
      const existing = added.get(tool.name) ?? (replace ? undefined : this.#tools.get(tool.name));
      if (existing !== undefined) throw nameTaken(existing, tool);
      added.set(tool.name, tool);
    }
    for (const [name, tool] of added) this.#tools.set(name, tool);
    if (added.size > 0) this.#tellChange();
  }

  #tellChange(): void {
    for (const listener of this.#listeners) listener();
  }
}

function resolveNamed(tool: NamedTool): ResolvedTool {
  if (typeof tool !== 'object' || tool === null || typeof tool.name !== 'string') {
    throw new TypeError(
      'Cannot register a tool: expected one made with defineTool(). For a raw descriptor pass a name: register(name, descriptor)',
    );
  }
  return resolveTool(tool.name, tool);
}

function nameTaken(existing: ResolvedTool, added: ResolvedTool): TypeError {
  return new TypeError(
    `Tool name '${added.name}' is already registered: existing tool "${existing.displayName}" conflicts with new tool "${added.displayName}". Give one of them a different name.`,
  );
}

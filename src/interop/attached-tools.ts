import type { NamedTool, ToolRegistry } from '../tool/registry.js';

/** The tools of a source that come and go, in one registry. */
export class AttachedTools {
  readonly #registry: ToolRegistry;
  readonly #attached = new Map<string, NamedTool>();

  /** @throws TypeError when a name is taken; nothing is registered then */
  constructor(registry: ToolRegistry, tools: readonly NamedTool[]) {
    this.#registry = registry;
    registry.registerMany(tools);
    for (const tool of tools) this.#attached.set(tool.name, tool);
  }

  /** Takes out what is gone, puts in what is new. A name that somebody else has taken meanwhile is theirs. */
  update(tools: readonly NamedTool[]): void {
    const now = new Map(tools.map((tool) => [tool.name, tool]));
    for (const [name, tool] of this.#attached) {
      if (!now.has(name)) this.#takeOut(name, tool);
    }
    for (const [name, tool] of now) {
      const before = this.#attached.get(name);
      if (before === tool || this.#registry.get(name) !== before) continue;
      this.#registry.register(name, tool, { replace: true });
      this.#attached.set(name, tool);
    }
  }

  /** Takes all of them out. */
  end(): void {
    for (const [name, tool] of this.#attached) this.#takeOut(name, tool);
  }

  #takeOut(name: string, tool: NamedTool): void {
    this.#attached.delete(name);
    if (this.#registry.get(name) === tool) this.#registry.unregister(name);
  }
}

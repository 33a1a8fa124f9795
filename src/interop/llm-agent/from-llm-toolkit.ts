import type { NamedTool, ToolRegistry } from '../../tool/registry.js';
import { AttachedTools } from '../attached-tools.js';
import { originalOf } from '../original-tool.js';
import { type FromLlmAgentToolOptions, fromLlmAgentTool } from './from-llm-agent-tool.js';
import type { AnyLlmAgentTool, AnyLlmToolkit } from './types.js';

/** A session of a toolkit of llm-agent, as a host uses it. */
export interface ImportedToolkit extends AsyncDisposable {
  /** What the session wants the model told, now. */
  readonly systemPrompt: string | undefined;
  /** The tools it has now. */
  tools(): NamedTool[];
  /**
   * Registers its tools, and keeps them up to date: they are read again before each listing.
   * @throws TypeError when a name is taken. A tool that cannot be imported later on is left out.
   * @returns a function that takes them out again
   */
  attach(registry: ToolRegistry): () => void;
  /** Ends the session, and takes its tools out of the registries they are in. Idempotent. */
  close(): Promise<void>;
}

type ToolkitOptions = Omit<FromLlmAgentToolOptions, 'context'>;

/**
 * Opens a session of a toolkit and gives its tools as tools of a host.
 * @throws what the toolkit's `createSession` rejects with
 * @example
 * await using toolkit = await fromLlmToolkit(manifestToolkit, context);
 * const host = createToolHost();
 * toolkit.attach(host.registry);
 */
export async function fromLlmToolkit<Context>(
  toolkit: AnyLlmToolkit<Context>,
  context: Context,
  options: ToolkitOptions = {},
): Promise<ImportedToolkit> {
  return new Session(await toolkit.createSession(context), { ...options, context });
}

/** One tool of the session. Toolkits may make their tools anew each time: the newest one runs. */
interface Entry {
  current: AnyLlmAgentTool;
  shape: string;
  imported: NamedTool;
}

class Session implements ImportedToolkit {
  readonly #session: Awaited<ReturnType<AnyLlmToolkit['createSession']>>;
  readonly #options: FromLlmAgentToolOptions;
  readonly #detachers = new Set<() => void>();
  #entries = new Map<string, Entry>();
  #closing: Promise<void> | undefined;

  constructor(session: Awaited<ReturnType<AnyLlmToolkit['createSession']>>, options: FromLlmAgentToolOptions) {
    this.#session = session;
    this.#options = options;
  }

  get systemPrompt(): string | undefined {
    return this.#session.getSystemPrompt();
  }

  tools(): NamedTool[] {
    return this.#read((tool) => [this.#entryOf(tool)]);
  }

  #read(toEntries: (tool: AnyLlmAgentTool) => Entry[]): NamedTool[] {
    if (this.#closing !== undefined) return [];
    const entries = this.#session.getTools().flatMap(toEntries);
    this.#entries = new Map(entries.map((entry) => [entry.imported.name, entry]));
    return entries.map(({ imported }) => imported);
  }

  attach(registry: ToolRegistry): () => void {
    const attached = new AttachedTools(registry, this.tools());
    const end = registry.onList(() => attached.update(this.#read((tool) => this.#importable(tool))));
    const detach = () => {
      end();
      attached.end();
      this.#detachers.delete(detach);
    };
    this.#detachers.add(detach);
    return detach;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A listing must not fail for a tool that came later. */
  #importable(tool: AnyLlmAgentTool): Entry[] {
    try {
      return [this.#entryOf(tool)];
    } catch {
      return [];
    }
  }

  #entryOf(tool: AnyLlmAgentTool): Entry {
    const { name = '', description, parameters, execute } = tool;
    const shape = JSON.stringify([description, parameters]);
    const known = this.#entries.get(name);
    if (known?.shape === shape && typeof execute === 'function') {
      known.current = tool;
      return known;
    }
    const entry: Entry = { current: tool, shape, imported: fromLlmAgentTool(tool, this.#options) };
    if (originalOf(tool, name) !== undefined) return entry;
    const newest = {
      name,
      description,
      parameters,
      execute: (...args: [never, never, never]) => entry.current.execute?.(...args),
    };
    entry.imported = fromLlmAgentTool(newest, this.#options);
    return entry;
  }

  async #end(): Promise<void> {
    for (const detach of [...this.#detachers]) detach();
    await this.#session.close();
  }
}

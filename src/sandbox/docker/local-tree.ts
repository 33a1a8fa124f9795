import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileHelperInit } from '../../../sandbox/protocol/container.js';
import { LOADER } from '../../../sandbox/protocol/container.js';
import type { NamedBody, ScanBody, TreeEntry } from '../../../sandbox/protocol/tree-operations.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';
import { agentCode } from './agent-code.js';
import { AgentConnection } from './agent-connection.js';
import { AgentTree } from './agent-tree.js';
import { ChildTransport } from './child-transport.js';

/**
 * A directory of this machine, worked on by a file helper in a process of its own: behind the same gate as inside a
 * sandbox, so that no link leads it elsewhere.
 */
export class LocalTree {
  readonly #tree: AgentTree;
  readonly #transport: ChildTransport;
  readonly #scratch: string;

  /** @param root real path */
  static async open(root: string): Promise<LocalTree> {
    const scratch = await mkdtemp(join(tmpdir(), 'caisson-files-'));
    const child = spawn(process.execPath, ['-e', LOADER, 'files'], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const transport = new ChildTransport(child);
    const connection = new AgentConnection(transport, () => {});
    connection.sendRaw(agentCode());
    const init: FileHelperInit = {
      type: 'init',
      plan: EMPTY_PLAN,
      startedEmpty: false,
      workspace: root,
      scratchDirectory: scratch,
    };
    connection.sendFrame(init);
    transport.hold(false);
    return new LocalTree(new AgentTree(connection), transport, scratch);
  }

  private constructor(tree: AgentTree, transport: ChildTransport, scratch: string) {
    this.#tree = tree;
    this.#transport = transport;
    this.#scratch = scratch;
  }

  scan(plan: EnforcementPlan, hash: boolean): Promise<ScanBody> {
    return this.#tree.scan(plan, hash);
  }

  named(plan: EnforcementPlan): Promise<NamedBody> {
    return this.#tree.named(plan);
  }

  pack(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.#tree.pack(paths);
  }

  unpack(entries: readonly TreeEntry[], contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    return this.#tree.unpack(entries, contents);
  }

  drop(paths: readonly string[]): Promise<void> {
    return this.#tree.drop(paths);
  }

  async close(): Promise<void> {
    await this.#transport.destroy();
    await rm(this.#scratch, { recursive: true, force: true });
  }
}

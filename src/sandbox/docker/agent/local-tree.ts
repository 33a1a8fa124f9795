import { spawn } from 'node:child_process';
import type { FileHelperInit } from '../../../../sandbox/protocol/container.js';
import { LOADER } from '../../../../sandbox/protocol/container.js';
import { EMPTY_PLAN } from '../../plan.js';
import { createPrivateDirectory, type PrivateDirectory } from '../../private-directory.js';
import { fileHelperCode } from './agent-code.js';
import { type AgentConnection, FramedConnection } from './agent-connection.js';
import { AgentTree } from './agent-tree.js';
import { ChildTransport } from './child-transport.js';

/** A user of this machine. */
export interface TreeUser {
  uid: number;
  gid: number;
}

/**
 * A directory of this machine, worked on by a file helper in a process of its own: behind the same gate as inside a
 * sandbox, so that no link leads it elsewhere.
 */
export class LocalTree extends AgentTree {
  readonly #transport: ChildTransport;
  readonly #scratch: PrivateDirectory;

  /**
   * @param root real path
   * @param owner whom the helper becomes when this process is root, so that what it makes is theirs
   */
  static async open(root: string, owner?: TreeUser): Promise<LocalTree> {
    const user = process.getuid?.() === 0 && owner !== undefined && owner.uid !== 0 ? owner : undefined;
    const scratch = createPrivateDirectory({ kind: 'files', user });
    const child = spawn(process.execPath, ['-e', LOADER, 'files'], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const transport = new ChildTransport(child);
    const connection = new FramedConnection(transport, () => {});
    connection.sendRaw(fileHelperCode());
    const init: FileHelperInit = {
      type: 'init',
      plan: EMPTY_PLAN,
      startedEmpty: false,
      workspace: root,
      scratchDirectory: scratch.path,
      ...(user === undefined ? {} : { user }),
    };
    connection.sendFrame(init);
    transport.hold(false);
    return new LocalTree(connection, transport, scratch);
  }

  private constructor(connection: AgentConnection, transport: ChildTransport, scratch: PrivateDirectory) {
    super(connection);
    this.#transport = transport;
    this.#scratch = scratch;
  }

  async close(): Promise<void> {
    await this.#transport.destroy();
    this.#scratch.remove();
  }
}

import type { InitMessage } from '../../../sandbox/protocol/isolate.js';
import type { EnforcementPlan } from '../plan.js';
import { createPrivateDirectory, type PrivateDirectory, privateDirectoryParent } from '../private-directory.js';
import { openWorkspaceDirectory } from '../workspace-directory.js';
import { findGuestCode } from './guest-code.js';
import { IsolateWorker } from './isolate-worker.js';
import { checkNodeVersion } from './node-version.js';
import type { IsolateSettings } from './options.js';
import { createSnapshotCache, type SnapshotCache } from './snapshot-cache.js';
import { type WorkerAccess, workerArguments } from './worker-command.js';
import { type WorkerUser, workerUser } from './worker-user.js';

type Role = InitMessage['role'];

interface HomeParts {
  access: WorkerAccess;
  user: WorkerUser | undefined;
  own: PrivateDirectory;
  snapshots: SnapshotCache;
}

/**
 * What outlives every worker of a session: its workspace, its private directory, and how a worker is made for them.
 * @throws SandboxUnavailableError from `open()`
 */
export class IsolateHome {
  readonly #settings: IsolateSettings;
  readonly #snapshots: SnapshotCache;
  readonly #access: WorkerAccess;
  readonly #user: WorkerUser | undefined;
  readonly #own: PrivateDirectory;

  static async open(settings: IsolateSettings): Promise<IsolateHome> {
    checkNodeVersion();
    const code = findGuestCode();
    const workspace = settings.workspace === undefined ? undefined : await openWorkspaceDirectory(settings.workspace);
    const user = workerUser(workspace);
    const { mode, jitless } = settings;
    const own = createPrivateDirectory({ kind: 'session', parent: privateDirectoryParent().path, user });
    const access: WorkerAccess = { mode, jitless, privateRoot: own.path };
    if (workspace !== undefined) access.workspaceRoot = workspace.path;
    return new IsolateHome(settings, { access, user, own, snapshots: createSnapshotCache(code, { jitless }) });
  }

  private constructor(settings: IsolateSettings, { access, user, own, snapshots }: HomeParts) {
    this.#settings = settings;
    this.#access = access;
    this.#user = user;
    this.#own = own;
    this.#snapshots = snapshots;
  }

  createWorker(role: Role, plan: EnforcementPlan): IsolateWorker {
    const snapshotPath = role === 'shell' ? this.#snapshots.find() : undefined;
    const access = snapshotPath === undefined ? this.#access : { ...this.#access, snapshotPath };
    return new IsolateWorker({
      nodeArguments: workerArguments(role, findGuestCode(), access),
      init: this.#initMessage(role, plan, snapshotPath),
      onSnapshotBuilt: (bytes) => this.#snapshots.store(bytes),
    });
  }

  remove(): void {
    this.#own.remove();
  }

  #initMessage(role: Role, plan: EnforcementPlan, snapshotPath: string | undefined): InitMessage {
    const { limits, mode } = this.#settings;
    const { workspaceRoot, privateRoot } = this.#access;
    return {
      type: 'init',
      role,
      mode,
      privateRoot,
      plan,
      memoryBytes: limits.memoryBytes,
      maxDiskBytes: limits.maxDiskBytes,
      maxDiskEntries: limits.maxDiskEntries,
      ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
      ...(snapshotPath === undefined ? {} : { snapshotPath }),
      ...this.#user,
    };
  }
}

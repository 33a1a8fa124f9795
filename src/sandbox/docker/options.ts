import { z } from 'zod';
import type { WorkspaceMode } from '../contract.js';
import { HARD_LIFE_MS, IDLE_LIFE_MS, type SandboxLimits } from '../limits.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';
import {
  checkSessionOptions,
  lifeOptions,
  limitsSchema,
  planSchema,
  readLimits,
  readWorkspaceMode,
  timeoutSchema,
  workspaceOptions,
} from '../session-options.js';
import type { SetupOptions } from './container/setup.js';
import { CACHE_KINDS } from './container/setup-caches.js';
import { DEFAULT_IMAGE } from './default-image.js';
import { type DockerMount, readMounts } from './workspace/mounts.js';

export interface DockerSandboxOptions {
  /** The directory the sandbox works on, seen inside as `/workspace`. */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  /**
   * Added to every command's environment; never part of the container's own configuration. A value of 6 characters or
   * more counts as a secret: it stands in no event, audit line or error of the host that uses this session, nor does its
   * base64 or URL-encoded form. What a command prints is its own output and stays as it is.
   */
  env?: Record<string, string>;
  /** Default `DEFAULT_LIMITS`; `memoryBytes` at least 192 MiB. `maxDiskBytes` is shared out among workspace, `/tmp` and home; said for an `overlay`, the workspace is copied into memory, where that can be held. */
  limits?: SandboxLimits;
  /** Milliseconds a command may take when its call names none. Default 120,000, at most 600,000. */
  timeoutMs?: number;
  /** Path rules held from the start; `enforce()` adds more. */
  plan?: EnforcementPlan;
  /** Unused for so long, the session ends (`sandbox_expired`). Default 1 hour. */
  idleLifeMs?: number;
  /** After so long the session ends whatever happens (`sandbox_expired`). Default 24 hours. */
  hardLifeMs?: number;
  /** Default `caisson-sandbox:<version of this package>`. */
  image?: string;
  /** Default `none`. `full` gives commands the engine's default network. */
  network?: 'none' | 'full';
  /** Runs once before any other command, with a network that is then taken away. */
  setup?: SetupOptions;
  /** Certificates that programs with a network trust: `host` for this machine's own and those of `NODE_EXTRA_CA_CERTS`, or a PEM file of at most 16 MiB. For networks that inspect TLS. */
  caCertificates?: string;
  /** An OCI runtime the engine knows, e.g. `runsc` or `kata`. Default: the engine's. */
  runtime?: string;
  /** Processors, e.g. `1.5`; at least 0.05, with which a start takes seconds, at most what the engine's machine has. Default: no limit. */
  cpus?: number;
  /** `'root'` runs commands as root in the container, still without capabilities. Default: a user of the session's own; in `direct` mode, and in an `overlay` that is not a copy, the workspace's owner. */
  user?: 'root' | { uid: number; gid: number };
  /** Bytes of the file systems kept in memory; their sum must be below `limits.memoryBytes`. Default: shares of `limits.maxDiskBytes`. */
  tmpfs?: { workspace?: number; tmp?: number; home?: number };
  /** Bytes of `/dev/shm`, which counts with `tmpfs` against `limits.memoryBytes`. Default: there is none. */
  shm?: number;
  /** Further host directories, read-only unless said otherwise. The engine's socket, `/`, `/proc`, `/sys` and `/dev` are refused. */
  mounts?: DockerMount[];
  /**
   * How calls reach the container: `agent` needs Node in the image, or this machine's there; `exec` works through
   * processes that the engine starts, with nothing but a shell and file tools, slower. Default `auto`: the first that works.
   */
  transport?: 'auto' | 'agent' | 'exec';
  /** The engine to use, e.g. `unix:///run/docker.sock`. Default: `DOCKER_HOST`, the current context, the usual sockets. */
  engine?: string;
}

export interface DockerSettings {
  workspace: string | undefined;
  mode: WorkspaceMode;
  env: Record<string, string>;
  limits: Required<SandboxLimits>;
  plan: EnforcementPlan;
  idleLifeMs: number;
  hardLifeMs: number;
  image: string;
  network: 'none' | 'full';
  setup: SetupOptions | undefined;
  caCertificates: string | undefined;
  runtime: string | undefined;
  cpus: number | undefined;
  user: DockerSandboxOptions['user'];
  tmpfs: { workspace: number; tmp: number; home: number };
  /** How an `overlay` workspace comes in. What is said about the disk can be held only where the workspace is in memory. */
  overlay: 'volume' | 'copy';
  shm: number | undefined;
  mounts: DockerMount[];
  transport: 'auto' | 'agent' | 'exec';
  engine: string | undefined;
}

const MiB = 1024 * 1024;
/** The agent and its helper are two Node processes. */
const MIN_MEMORY_BYTES = 192 * MiB;

/** With 0.01 the sandbox itself takes 16 s to start, with this 3. */
const MIN_CPUS = 0.05;

const bytes = z
  .number()
  .int()
  .min(64 * 1024);
const id = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const schema = z.strictObject({
  ...workspaceOptions,
  limits: limitsSchema({ memoryBytes: MIN_MEMORY_BYTES, maxProcesses: 64, maxDiskBytes: MiB, maxDiskEntries: 16 }),
  timeoutMs: timeoutSchema,
  plan: planSchema.optional(),
  ...lifeOptions,
  image: z.string().min(1).optional(),
  network: z.enum(['none', 'full'], "Expected 'none' or 'full'; the host's own network is never given").optional(),
  setup: z
    .strictObject({
      command: z.string().min(1),
      network: z.enum(['none', 'full']).optional(),
      timeoutMs: timeoutSchema,
      caches: z.array(z.enum(CACHE_KINDS)).optional(),
    })
    .optional(),
  caCertificates: z.string().min(1).optional(),
  runtime: z.string().min(1).optional(),
  cpus: z
    .number()
    .min(MIN_CPUS, `Expected at least ${MIN_CPUS}; with less a sandbox takes many seconds to start`)
    .optional(),
  user: z.union([z.literal('root'), z.strictObject({ uid: id.min(1), gid: id.min(1) })]).optional(),
  tmpfs: z.strictObject({ workspace: bytes.optional(), tmp: bytes.optional(), home: bytes.optional() }).optional(),
  shm: bytes.optional(),
  mounts: z.array(z.unknown()).optional(),
  transport: z.enum(['auto', 'agent', 'exec']).optional(),
  engine: z.string().min(1).optional(),
});

/** Asked for often enough to deserve an answer of its own. */
const REFUSED: Record<string, string> = {
  privileged: 'a privileged container can take over the machine',
  pid: "the host's process namespace shows and signals the host's processes",
  pidMode: "the host's process namespace shows and signals the host's processes",
  ipc: "the host's IPC namespace gives access to other programs' memory",
  ipcMode: "the host's IPC namespace gives access to other programs' memory",
  uts: "the host's names are not the sandbox's to change",
  userns: "the host's user namespace makes root inside root outside",
  usernsMode: "the host's user namespace makes root inside root outside",
  capAdd: 'capabilities are what the sandbox takes away',
  securityOpt: 'seccomp and no-new-privileges are not negotiable; add a stronger runtime instead',
  devices: 'devices of the host are outside of what can be contained',
  volumes: "use 'mounts'",
  binds: "use 'mounts'",
  memory: "use 'limits.memoryBytes'",
  pids: "use 'limits.maxProcesses'",
};

/** @throws TypeError naming the option and what it must be */
export function readOptions(
  options: DockerSandboxOptions,
  { where = 'createDockerSandbox', more = [] }: { where?: string; more?: readonly string[] } = {},
): DockerSettings {
  refuseWeakening(options);
  checkSessionOptions(where, schema, options, more);
  const mode = readWorkspaceMode(where, options);
  if (options.user === 'root' && (options.setup?.caches ?? []).length > 0) {
    throw new TypeError(
      `${where}: 'setup.caches' cannot be kept from commands that run as root: leave out 'user' or the caches`,
    );
  }
  const limits = limitsOf(options);
  return {
    workspace: options.workspace,
    mode,
    env: { ...options.env },
    limits,
    plan: options.plan ?? EMPTY_PLAN,
    idleLifeMs: options.idleLifeMs ?? IDLE_LIFE_MS,
    hardLifeMs: options.hardLifeMs ?? HARD_LIFE_MS,
    image: options.image ?? DEFAULT_IMAGE,
    network: options.network ?? 'none',
    setup: options.setup,
    caCertificates: options.caCertificates,
    runtime: options.runtime,
    cpus: options.cpus,
    user: options.user,
    tmpfs: shareOut(options, mode, limits),
    overlay: limitsDisk(options) ? 'copy' : 'volume',
    shm: options.shm,
    mounts: readMounts(options.mounts ?? []),
    transport: options.transport ?? 'auto',
    engine: options.engine,
  };
}

function refuseWeakening(options: unknown): void {
  // What is no object is told apart with all else that cannot be.
  if (typeof options !== 'object' || options === null) return;
  for (const [name, reason] of Object.entries(REFUSED)) {
    if (name in options) throw new TypeError(`createDockerSandbox: option '${name}' is refused: ${reason}`);
  }
  const network = (options as { network?: unknown }).network;
  if (typeof network === 'string' && (network === 'host' || network.startsWith('container:'))) {
    throw new TypeError(
      `createDockerSandbox: network '${network}' is refused: it gives commands the network of the host or of another container. Use 'none' or 'full'`,
    );
  }
}

function limitsOf(options: DockerSandboxOptions): Required<SandboxLimits> {
  const limits = readLimits(options);
  // A small memory limit alone must not make the defaults impossible: files in memory count against it.
  if (options.limits?.maxDiskBytes === undefined)
    limits.maxDiskBytes = Math.min(limits.maxDiskBytes, limits.memoryBytes / 2);
  return limits;
}

function limitsDisk({ limits, tmpfs }: DockerSandboxOptions): boolean {
  return [limits?.maxDiskBytes, limits?.maxDiskEntries, tmpfs?.workspace].some((limit) => limit !== undefined);
}

function shareOut(
  { tmpfs = {}, shm = 0 }: DockerSandboxOptions,
  mode: WorkspaceMode,
  limits: Required<SandboxLimits>,
): DockerSettings['tmpfs'] {
  const inMemory = mode !== 'direct';
  const share = (part: number) => Math.max(64 * 1024, Math.floor(limits.maxDiskBytes * part));
  const sizes = {
    workspace: tmpfs.workspace ?? (inMemory ? share(0.5) : 0),
    tmp: tmpfs.tmp ?? share(inMemory ? 0.25 : 0.5),
    home: tmpfs.home ?? share(inMemory ? 0.25 : 0.5),
  };
  const sum = sizes.workspace + sizes.tmp + sizes.home + shm;
  if (sum >= limits.memoryBytes) {
    throw new TypeError(
      `createDockerSandbox: the file systems in memory may fill ${sum} bytes, and the memory limit is ${limits.memoryBytes}: a full disk would leave no memory to run anything. Lower 'limits.maxDiskBytes', 'tmpfs' or 'shm', or raise 'limits.memoryBytes'`,
    );
  }
  return sizes;
}

import type { Sandbox, SandboxCapabilities, SandboxFiles } from './contract.js';
import { SandboxError } from './errors.js';

/** Promises nothing before the sandbox has started and told. */
const UNKNOWN: SandboxCapabilities = {
  isolation: 'process',
  shell: 'sh',
  network: 'none',
  workspaceMode: 'memory',
  backgroundProcesses: false,
  signals: false,
  fileModes: false,
  specialFiles: false,
  writableStdin: false,
  evaluate: false,
  snapshots: false,
  users: false,
  limits: {
    timeoutMs: false,
    memoryBytes: false,
    maxProcesses: false,
    maxDiskBytes: false,
    maxDiskEntries: false,
    maxOutputBytes: false,
  },
};

export interface LazySource {
  name: string;
  /** The sandbox, when it has started. */
  current(): Sandbox | undefined;
  /** Starts it. */
  start(): Promise<Sandbox>;
}

/** A sandbox that starts with its first use. */
export function createLazySandbox({ name, current, start }: LazySource): Sandbox {
  return {
    get name() {
      return current()?.name ?? name;
    },
    get id() {
      return current()?.id ?? `${name}-not-started`;
    },
    get description() {
      return current()?.description ?? `The sandbox '${name}', which starts with its first use.`;
    },
    get capabilities() {
      return current()?.capabilities ?? UNKNOWN;
    },
    cwd: '/workspace',
    fs: lazyFiles(start),
    run: async (...args) => (await start()).run(...args),
    writeFile: async (...args) => (await start()).writeFile(...args),
    exec: async (...args) => (await start()).exec(...args),
    spawn: async (...args) => (await start()).spawn(...args),
    evaluate: async (...args) => {
      const sandbox = await start();
      if (sandbox.evaluate === undefined)
        throw new SandboxError('unsupported', `The sandbox '${sandbox.name}' evaluates no JavaScript`);
      return sandbox.evaluate(...args);
    },
  };
}

function lazyFiles(start: () => Promise<Sandbox>): SandboxFiles {
  return {
    readFile: async (...args) => (await start()).fs.readFile(...args),
    writeFile: async (...args) => (await start()).fs.writeFile(...args),
    stat: async (...args) => (await start()).fs.stat(...args),
    list: async (...args) => (await start()).fs.list(...args),
    mkdir: async (...args) => (await start()).fs.mkdir(...args),
    remove: async (...args) => (await start()).fs.remove(...args),
    rename: async (...args) => (await start()).fs.rename(...args),
    glob: async (...args) => (await start()).fs.glob(...args),
    grep: async (...args) => (await start()).fs.grep(...args),
  };
}

import type { ErrorCode } from './error-code.js';
import type { FileOperation } from './file-operations.js';
import type { EnforcementPlan } from './plan.js';
import type { TreeOperation } from './tree-operations.js';

/**
 * What the host and the agent in a container say to each other, in frames over the container's attached stream. The
 * agent's source comes first (see `LOADER`), then `init`. Bodies are named beside each message.
 *
 * Flow control is per call: whoever sends bytes of a call may have `WINDOW_BYTES` of them unanswered; `credit` and
 * `stdin-credit` answer. A consumer that stalls so stalls its own call and no other.
 */
export const PROTOCOL_VERSION = 1;

export const WINDOW_BYTES = 256 * 1024;

/** Output of a call without `stream` waits this long for more before it is sent, so that a short command is one frame. */
export const OUTPUT_PAUSE_MS = 50;

/** How often the host asks whether the agent is there, while calls run. */
export const PING_EVERY_MS = 5_000;
/** The id of those pings. One with another id is a call, and no use of the session. */
export const HEARTBEAT = 0;

/**
 * The container's whole command: reads `[length][source]` from stdin, runs it, and hands it what came after. Nothing is
 * written anywhere, so a read-only root and a remote engine work.
 */
export const LOADER = [
  'const b=[];let n=0;process.stdin.on("data",function f(c){',
  'b.push(c);n+=c.length;if(n<4)return;const a=Buffer.concat(b),e=4+a.readUInt32BE(0);if(n<e)return;',
  'process.stdin.off("data",f);process.stdin.pause();const m=new(require("node:module"))("agent");',
  'm.paths=[];m._compile(a.subarray(4,e).toString(),"/caisson/agent.js");m.exports.start(a.subarray(e))',
  '})',
].join('');

/** First message to an agent. Body: the bundle of its file helpers, with its length before it as a loader reads it. */
export interface AgentInit {
  type: 'init';
  version: typeof PROTOCOL_VERSION;
  /** Who commands and file work run as. 0 only when the host said so out loud. */
  uid: number;
  gid: number;
  /** Every command's environment before its own. */
  env: Record<string, string>;
  plan: EnforcementPlan;
  /** A connection over which nothing was asked for so long is over; absent: never. */
  idleMs?: number;
  hardMs: number;
  graceMs: number;
  /** How long output may still come after a shell has ended, milliseconds. */
  drainMs: number;
  /** At most so many commands run at once; more wait their turn. */
  maxRunning: number;
  /** Said by the host so that failures for lack of it can be named. */
  network: 'none' | 'full';
  /** The workspace began empty and is gone with the container: `changes()` lists all of it. */
  startedEmpty: boolean;
  /** `workspace` in the agent's file system; `/workspace` but for the unsafe host. */
  workspace: string;
  /** Writable for the agent alone: its pipes. */
  runDirectory: string;
  /** Writable for the commands' user: what file work keeps there. */
  scratchDirectory: string;
}

export interface ExecMessage {
  type: 'exec';
  id: number;
  /** Exactly one of `command` (a shell line) and `argv` is set. */
  command?: string;
  argv?: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxOutputBytes: number;
  /** Send all output as it comes, under flow control; else its start and its end. */
  stream: boolean;
}

export interface SpawnMessage {
  type: 'spawn';
  id: number;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs?: number;
}

export type AgentSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT';

export type HostMessage =
  | AgentInit
  /** Body: stdin. */
  | ExecMessage
  | SpawnMessage
  /** Body: a piece of a spawned process's stdin; with `end` the last. */
  | { type: 'stdin'; id: number; end: boolean }
  | { type: 'credit'; id: number; bytes: number }
  | { type: 'signal'; id: number; signal: AgentSignal }
  /** Ends a call: everything it started is killed. */
  | { type: 'cancel'; id: number }
  /** Body: content for `writeFile`. */
  | { type: 'file'; id: number; operation: FileOperation; timeoutMs: number }
  /** Body: see the operation. */
  | { type: 'tree'; id: number; operation: TreeOperation; timeoutMs: number }
  | { type: 'enforce'; plan: EnforcementPlan }
  | { type: 'ping'; id: number };

export interface ExecResultMessage {
  type: 'exec-result';
  id: number;
  exitCode: number | null;
  signal?: string;
  cause?: ErrorCode;
  killed?: 'verified' | 'unverified';
  stillRunning?: { pid: number; command: string }[];
  /** Of the body: the rest of stdout comes first, then the rest of stderr. */
  stdoutBytes: number;
  droppedStdoutBytes: number;
  droppedStderrBytes: number;
}

export type AgentMessage =
  | {
      type: 'ready';
      version: number;
      pid: number;
      node: string;
      shell: 'bash' | 'sh';
      /** Calls carry a group of their own, so that whoever leaves their process group is still found. */
      marked: boolean;
      tools: string[];
    }
  /** The container cannot be used; the agent ends. */
  | { type: 'failed'; message: string }
  | { type: 'started'; id: number; pid: number }
  /** Body: a piece of output. */
  | { type: 'output'; id: number; stream: 'stdout' | 'stderr' }
  | { type: 'stdin-credit'; id: number; bytes: number }
  /** Body: what of stdout and stderr was not sent before. */
  | ExecResultMessage
  | { type: 'signalled'; id: number; delivered: boolean }
  /** Body: content of `readFile`, JSON of `changes`. */
  | { type: 'file-result'; id: number; value: unknown }
  /** The call could not be done, or never started. */
  | { type: 'error'; id: number; code: ErrorCode; message: string; path?: string }
  | { type: 'pong'; id: number }
  | { type: 'going'; reason: 'idle' | 'expired' };

/** First message from the agent to a file helper, after its source. */
export interface FileHelperInit {
  type: 'init';
  plan: EnforcementPlan;
  startedEmpty: boolean;
  workspace: string;
  scratchDirectory: string;
  /** Whom a helper that starts as root becomes. */
  user?: { uid: number; gid: number };
}

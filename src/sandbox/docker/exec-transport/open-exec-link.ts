import type Docker from 'dockerode';
import { PROTOCOL_VERSION } from '../../../../sandbox/protocol/container.js';
import { CounterClaims } from '../../../../sandbox/protocol/counter-claims.js';
import { SandboxCrashedError, type SandboxError } from '../../errors.js';
import { KILL_GRACE_MS } from '../../limits.js';
import type { EnforcementPlan } from '../../plan.js';
import { startLife } from '../../session-life.js';
import type { AgentConnection, ReadyMessage } from '../agent/agent-connection.js';
import type { AgentTransport } from '../agent/agent-transport.js';
import type { SessionUser } from '../container/session-user.js';
import type { DockerSettings } from '../options.js';
import { EngineExec, type ExecSpec } from './engine-exec.js';
import { type CommandSurroundings, ExecCommand } from './exec-command.js';
import { ExecFiles } from './exec-files.js';
import { ExecLink } from './exec-link.js';
import { FILE_SERVER } from './file-server-script.js';
import { PREPARE_HOME } from './home-script.js';
import { Keeper } from './keeper.js';
import { Marks } from './marks.js';
import { probe } from './probe.js';
import { Turns } from './turns.js';

export interface ExecLinkParts {
  container: Docker.Container;
  transport: AgentTransport;
  settings: DockerSettings;
  user: SessionUser;
  env: Record<string, string>;
  plan: EnforcementPlan;
  scratchDirectory: string;
  drainMs: number;
  maxRunning: number;
  onLost(error: SandboxError): void;
}

/** The engine starts processes one after the other on few processors; more at once only make each of them late. */
const STARTS_AT_ONCE = 8;

/**
 * Works in a container whose main process is the keeper, through processes that the engine starts.
 * @throws SandboxUnavailableError when the image lacks what is needed even for that
 */
export async function openExecLink(
  parts: ExecLinkParts,
): Promise<{ connection: AgentConnection; ready: ReadyMessage }> {
  const { container, transport, settings, user } = parts;
  let link: ExecLink | undefined;
  const lose = (error: SandboxError) => (link === undefined ? parts.onLost(error) : link.end(error));
  const keeper = new Keeper(transport, lose);
  await keeper.ready;
  const marks = new Marks();
  const turns = new Turns(STARTS_AT_ONCE);
  const around: CommandSurroundings = {
    keeper,
    marks,
    marked: false,
    claims: new CounterClaims((await keeper.scan()).counters),
    user: `${user.uid}:${user.gid}`,
    graceMs: KILL_GRACE_MS,
    drainMs: parts.drainMs,
    network: settings.network,
    start: (spec: ExecSpec) => turns.run(() => EngineExec.start(container, spec)),
    running: () => 1,
  };
  const found = await probe(around);
  const known = { ...around, marked: found.marked };
  prepareHome(known, parts.env);
  const life = watchLife(settings, (reason, message) => {
    lose(new SandboxCrashedError(message, reason));
    void transport.destroy();
  });
  link = new ExecLink({
    keeper,
    files: new ExecFiles({
      plan: parts.plan,
      startedEmpty: settings.mode === 'memory',
      openShell: () =>
        EngineExec.start(container, {
          user: around.user,
          argv: ['/bin/sh', '-c', 'eval "$_cs_run"', 'sh', parts.scratchDirectory],
          env: { _cs_run: FILE_SERVER },
        }),
    }),
    around: known,
    shell: found.shell,
    env: parts.env,
    maxRunning: parts.maxRunning,
    used: life.used,
    onLost: (error) => {
      life.end();
      parts.onLost(error);
    },
  });
  return {
    connection: link,
    ready: {
      type: 'ready',
      version: PROTOCOL_VERSION,
      pid: 0,
      node: '',
      shell: found.shell.length > 2 ? 'bash' : 'sh',
      marked: found.marked,
      tools: found.tools,
      transport: 'exec',
    },
  };
}

function prepareHome(around: CommandSurroundings, env: Record<string, string>): void {
  const spec = {
    argv: ['/bin/sh', '-c', PREPARE_HOME],
    cwd: '/workspace',
    env,
    timeoutMs: 10_000,
    flow: false,
    stdin: new Uint8Array(0),
  };
  // In the background; a session does not wait for it, and does without when it fails.
  new ExecCommand(0, spec, { around, answer: () => {} });
}

function watchLife(
  { idleLifeMs, hardLifeMs }: DockerSettings,
  expire: (reason: 'sandbox_expired', message: string) => void,
) {
  const life = startLife({
    idleMs: idleLifeMs,
    hardMs: hardLifeMs,
    onIdle: () => expire('sandbox_expired', 'The sandbox was not used for too long and has ended. Start a new one'),
    onExpired: () => expire('sandbox_expired', 'The sandbox reached the end of its life. Start a new one'),
  });
  let release: (() => void) | undefined;
  return {
    used(busy: boolean) {
      if (busy) release ??= life.use();
      else {
        release?.();
        release = undefined;
      }
    },
    end: () => life.end(),
  };
}

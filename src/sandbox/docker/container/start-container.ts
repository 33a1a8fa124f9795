import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { SandboxUnavailableError } from '../../errors.js';
import { statusOf } from '../agent/container-transport.js';
import type { Engine } from '../engine/engine.js';
import type { ContainerPlan } from './container-config.js';
import { containerConfig } from './container-config.js';
import { requireApplied } from './read-back.js';

export interface StartedContainer {
  container: Docker.Container;
  /** Attached before the start, so that no byte is missed. */
  stream: Duplex;
  /** Of the image. */
  env: Record<string, string>;
}

/** An engine whose own limit is lower cannot give more than that: it is found by trying, once for each engine. */
const NOFILE = [65_536, 16_384, 4_096, 1_024];
const nofileOf = new Map<string, number>();

/**
 * Creates, checks, attaches and starts a container. Whatever fails, no container is left.
 * @throws SandboxUnavailableError `image_missing`, `sandbox_start_failed`, `unsupported`
 */
export async function startContainer(engine: Engine, plan: ContainerPlan): Promise<StartedContainer> {
  const known = nofileOf.get(engine.endpoint.host);
  const candidates = known === undefined ? NOFILE : [known];
  for (const [index, nofile] of candidates.entries()) {
    try {
      const started = await tryStart(engine, containerConfig({ ...plan, nofile }));
      nofileOf.set(engine.endpoint.host, nofile);
      return started;
    } catch (error) {
      if (!/setting rlimit/.test((error as Error).message) || index === candidates.length - 1) throw error;
    }
  }
  throw new SandboxUnavailableError('Cannot start the sandbox: the engine allows no open files', {
    code: 'sandbox_start_failed',
  });
}

async function tryStart(engine: Engine, asked: Docker.ContainerCreateOptions): Promise<StartedContainer> {
  const container = await create(engine, asked);
  try {
    const [inspected, stream] = await Promise.all([
      container.inspect(),
      container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true }),
    ]);
    try {
      requireApplied(asked, inspected);
      await container.start();
    } catch (error) {
      (stream as Duplex).destroy();
      throw error;
    }
    return { container, stream: stream as Duplex, env: readEnv(inspected.Config.Env) };
  } catch (error) {
    await container.remove({ force: true, v: true }).catch(() => {});
    throw startFailure(error, asked);
  }
}

async function create(engine: Engine, asked: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  try {
    return await engine.docker.createContainer(asked);
  } catch (error) {
    if (statusOf(error) === 404 && /image/i.test(message(error))) {
      throw new SandboxUnavailableError(
        `Cannot start the sandbox: the image '${asked.Image}' is not on the engine. Run \`npx caisson image build\` (or \`npm run image\`), or name another image`,
        { code: 'image_missing' },
      );
    }
    throw startFailure(error, asked);
  }
}

function startFailure(error: unknown, asked: Docker.ContainerCreateOptions): Error {
  if (error instanceof SandboxUnavailableError) return error;
  const text = message(error);
  if (/unknown runtime|runtime .*not found|no such runtime/i.test(text) && asked.HostConfig?.Runtime !== undefined) {
    return new SandboxUnavailableError(
      `Cannot start the sandbox: the engine has no runtime '${asked.HostConfig.Runtime}'. Install it and name it in the engine's configuration`,
      { code: 'unsupported', cause: error },
    );
  }
  const processors = /range of cpus is .*there are only (\d+) cpus/i.exec(text)?.[1];
  if (processors !== undefined) {
    return new SandboxUnavailableError(
      `Cannot start the sandbox: option 'cpus' is ${(asked.HostConfig?.NanoCpus ?? 0) / 1e9}, and the engine's machine has ${processors}. Ask for at most that many`,
      { code: 'unsupported', cause: error },
    );
  }
  const unknown = /unknown mount option "([\w-]+)/.exec(text)?.[1];
  if (unknown !== undefined) {
    return new SandboxUnavailableError(
      `Cannot start the sandbox: the engine does not take the option '${unknown}' for file systems in memory (Podman's does not), and without it they have no limit or the wrong owner. Use Docker's engine, or the isolate sandbox`,
      { code: 'unsupported', cause: error },
    );
  }
  if (statusOf(error) === undefined) {
    return new SandboxUnavailableError(
      'Cannot start the sandbox: the Docker engine stopped answering. Check the engine',
      {
        code: 'engine_unreachable',
        cause: error,
      },
    );
  }
  return new SandboxUnavailableError(`Cannot start the sandbox: the engine refused it (${text.slice(0, 300)})`, {
    code: 'sandbox_start_failed',
    cause: error,
  });
}

/** Without the engine's own directories: `…/overlay2/<id>/merged` helps nobody and names host paths. */
function message(error: unknown): string {
  const { json } = error as { json?: { message?: unknown } };
  const text = typeof json?.message === 'string' ? json.message : (error as Error).message;
  return text.replace(/\/[\w./-]*\/(overlay2|containerd|volumes)\/[^\s"':]*/g, '<engine path>').trim();
}

function readEnv(entries: readonly string[] | undefined): Record<string, string> {
  return Object.fromEntries(
    (entries ?? []).map((entry) => {
      const at = entry.indexOf('=');
      return at === -1 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

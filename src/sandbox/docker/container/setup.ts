import { readFile, stat } from 'node:fs/promises';
import type { ExecResult } from '../../contract.js';
import { SandboxUnavailableError } from '../../errors.js';
import { SETUP_TIMEOUT_MS } from '../../limits.js';
import { SessionSecrets } from '../../session-secrets.js';
import { isUntrusted, UNTRUSTED_ADVICE } from '../../untrusted-certificate.js';
import type { AgentConnection } from '../agent/agent-connection.js';
import { ONLINE_RETRIES } from './base-environment.js';
import { runInside } from './session-network.js';
import type { CacheKind } from './setup-caches.js';

export interface SetupOptions {
  /** A shell command line, run once in `/workspace` as the session's user, before any other command. */
  command: string;
  /** Default `full`: the network is there for this command alone, unless the session's own is `full`. */
  network?: 'none' | 'full';
  /** Milliseconds, default and at most 600,000. */
  timeoutMs?: number;
  /**
   * Downloads that later sessions need not make again. Shared by the sessions of one workspace, image and user (without
   * a workspace: of one `command`), in volumes that stay until `caisson reap --caches`. Only setups see them: before the
   * first other command they are closed, and what the setup left running is ended.
   */
  caches?: readonly CacheKind[];
}

const CERTIFICATES = '/home/agent/.caisson-ca.pem';
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/opt/homebrew/etc/ca-certificates/cert.pem',
];
const SHOWN_CHARACTERS = 1_500;
/** What to do, by cause. */
const ADVICE: Record<string, string> = {
  network_denied: " It has no network: leave out setup's network: 'none'.",
  oom: " Raise 'limits.memoryBytes', which files in memory count against too.",
  no_space: " Raise 'limits.maxDiskBytes' or 'tmpfs', or name 'caches'.",
  pids_exhausted: " Raise 'limits.maxProcesses'.",
  timeout: " Raise setup's 'timeoutMs'.",
};
/** A file of certificates is a few hundred KiB. */
const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;

/** What tells npm, Node, pip, git, curl and OpenSSL of the certificates. */
export function certificateEnvironment(): Record<string, string> {
  return Object.fromEntries(
    [
      'NODE_EXTRA_CA_CERTS',
      'NPM_CONFIG_CAFILE',
      'PIP_CERT',
      'REQUESTS_CA_BUNDLE',
      'SSL_CERT_FILE',
      'CURL_CA_BUNDLE',
      'GIT_SSL_CAINFO',
    ].map((name) => [name, CERTIFICATES]),
  );
}

/**
 * Puts a bundle of certificates into the sandbox.
 * @param from a file of this machine, or `host` for what this machine trusts
 * @throws SandboxUnavailableError when there is no such file, or it holds no certificates
 */
export async function installCertificates(connection: AgentConnection, from: string): Promise<void> {
  const pem = await readBundle(from);
  const result = await runInside(connection, `cat > ${CERTIFICATES}`, { stdin: pem });
  if (result.exitCode !== 0) {
    throw new SandboxUnavailableError('Cannot start the sandbox: its certificates could not be written', {
      code: 'sandbox_start_failed',
    });
  }
}

/** @throws SandboxUnavailableError with the end of the command's output and, where it is known, what to do */
export async function runSetup(
  connection: AgentConnection,
  { command, network = 'full', timeoutMs = SETUP_TIMEOUT_MS }: SetupOptions,
  { sessionEnv, cacheEnv }: { sessionEnv: Record<string, string>; cacheEnv: Record<string, string> },
): Promise<void> {
  await runInside(connection, HOME_READY);
  const env = { ...(network === 'none' ? {} : ONLINE_RETRIES), ...sessionEnv, ...cacheEnv };
  const result = await runInside(connection, command, { timeoutMs, env });
  if (result.exitCode === 0) return;
  // Before it is cut: half a secret is one too.
  const output = new SessionSecrets(sessionEnv).clean(`${result.stdout}\n${result.stderr}`).trim();
  const hint = isUntrusted(output) ? ` ${UNTRUSTED_ADVICE}.` : (ADVICE[result.cause ?? ''] ?? '');
  throw new SandboxUnavailableError(
    `Cannot start the sandbox: setup ${howItEnded(result)}.${hint} ${output === '' ? 'It printed nothing' : `Its output ends:\n${output.slice(-SHOWN_CHARACTERS)}`}`,
    { code: 'sandbox_start_failed' },
  );
}

function howItEnded({ exitCode, cause }: Pick<ExecResult, 'exitCode' | 'cause'>): string {
  if (exitCode === null) return `ended (${cause ?? 'killed'})`;
  return cause === undefined ? `exited with ${exitCode}` : `exited with ${exitCode} (${cause})`;
}

/** The virtual environment is made while a session starts; a setup that installs into it must not come before it. */
const HOME_READY = [
  '[ -x /usr/bin/python3 ] || [ -x /usr/local/bin/python3 ] || exit 0',
  'for attempt in $(seq 40); do [ -e "$HOME/.venv/bin/python" ] && exit 0; sleep 0.05; done',
].join('\n');

async function readBundle(from: string): Promise<Uint8Array> {
  if (from !== 'host') {
    const given = await readCertificates(from);
    if (typeof given === 'string') throw cannotTrust(`the certificates '${from}' ${given}`);
    return given;
  }
  // The first is in addition to what the machine trusts, for Node; all else reads one file alone.
  const found = [
    await firstOf([process.env.NODE_EXTRA_CA_CERTS]),
    await firstOf([process.env.SSL_CERT_FILE, ...BUNDLES]),
  ];
  const bundles = found.filter((bundle) => bundle !== undefined);
  if (bundles.length === 0)
    throw cannotTrust("this machine's certificates were not found. Give the file's path as caCertificates");
  return Buffer.concat(bundles.flatMap((bundle) => [bundle, Buffer.from('\n')]));
}

async function firstOf(paths: readonly (string | undefined)[]): Promise<Uint8Array | undefined> {
  for (const path of paths) {
    const bundle = path === undefined || path === '' ? undefined : await readCertificates(path);
    if (typeof bundle === 'object') return bundle;
  }
  return undefined;
}

/** @returns what is wrong with it, if something is */
async function readCertificates(path: string): Promise<Uint8Array | string> {
  try {
    // Not `readFile` at once: a FIFO would never end, nor would a device.
    const stats = await stat(path);
    if (!stats.isFile()) return 'are no file';
    if (stats.size > MAX_BUNDLE_BYTES) return 'are over 16 MiB';
    const bytes = await readFile(path);
    return bytes.includes('-----BEGIN ') ? bytes : 'are not in PEM form (-----BEGIN CERTIFICATE-----)';
  } catch {
    return 'cannot be read';
  }
}

function cannotTrust(why: string): SandboxUnavailableError {
  return new SandboxUnavailableError(`Cannot start the sandbox: ${why}`, { code: 'sandbox_start_failed' });
}

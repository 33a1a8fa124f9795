import { readFile } from 'node:fs/promises';
import { SandboxUnavailableError } from '../errors.js';
import { SessionSecrets } from '../session-secrets.js';
import { isUntrusted, UNTRUSTED_ADVICE } from '../untrusted-certificate.js';
import type { AgentConnection } from './agent-connection.js';
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
const OFFLINE_ADVICE = " It has no network: leave out setup's network: 'none'.";

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
 * @throws SandboxUnavailableError when there is no such file
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
  { command, network = 'full', timeoutMs = 600_000 }: SetupOptions,
  { sessionEnv, cacheEnv }: { sessionEnv: Record<string, string>; cacheEnv: Record<string, string> },
): Promise<void> {
  await runInside(connection, HOME_READY);
  const env = { ...(network === 'none' ? {} : ONLINE_RETRIES), ...sessionEnv, ...cacheEnv };
  const result = await runInside(connection, command, { timeoutMs, env });
  if (result.exitCode === 0) return;
  // Before it is cut: half a secret is one too.
  const output = new SessionSecrets(sessionEnv).clean(`${result.stdout}\n${result.stderr}`).trim();
  const hint = isUntrusted(output) ? ` ${UNTRUSTED_ADVICE}.` : result.cause === 'network_denied' ? OFFLINE_ADVICE : '';
  throw new SandboxUnavailableError(
    `Cannot start the sandbox: setup ${result.exitCode === null ? `ended (${result.cause ?? 'killed'})` : `exited with ${result.exitCode}`}.${hint} ${output === '' ? 'It printed nothing' : `Its output ends:\n${output.slice(-SHOWN_CHARACTERS)}`}`,
    { code: 'sandbox_start_failed' },
  );
}

/** The virtual environment is made while a session starts; a setup that installs into it must not come before it. */
const HOME_READY = [
  '[ -x /usr/bin/python3 ] || [ -x /usr/local/bin/python3 ] || exit 0',
  'for attempt in $(seq 40); do [ -e "$HOME/.venv/bin/python" ] && exit 0; sleep 0.05; done',
].join('\n');

async function readBundle(from: string): Promise<Uint8Array> {
  const candidates =
    from === 'host' ? [process.env.NODE_EXTRA_CA_CERTS, process.env.SSL_CERT_FILE, ...BUNDLES] : [from];
  for (const path of candidates) {
    if (path === undefined || path === '') continue;
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) return bytes;
  }
  throw new SandboxUnavailableError(
    from === 'host'
      ? "Cannot start the sandbox: this machine's certificates were not found. Give the file's path as caCertificates"
      : `Cannot start the sandbox: the certificates '${from}' cannot be read`,
    { code: 'sandbox_start_failed' },
  );
}

import type * as Sdk from '@modelcontextprotocol/server';
import type { serveStdio } from '@modelcontextprotocol/server/stdio';

export type ServerSdk = typeof Sdk & { serveStdio: typeof serveStdio };

let loading: Promise<ServerSdk> | undefined;

/** Loads the official SDK, on first use. */
export function loadServerSdk(): Promise<ServerSdk> {
  loading ??= Promise.all([import('@modelcontextprotocol/server'), import('@modelcontextprotocol/server/stdio')]).then(
    ([sdk, stdio]) => ({ ...sdk, serveStdio: stdio.serveStdio }),
  );
  return loading;
}

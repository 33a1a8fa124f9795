import type { Sandbox } from '../../../sandbox/contract.js';
import { checkServerName } from './tool-names.js';

/** One MCP server: a program to start, or an address. */
export type McpServerConfig = McpStdioServer | McpHttpServer;

export interface McpStdioServer {
  command: string;
  args?: readonly string[];
  /** Added to a small environment without secrets. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Where it runs. Absent: on this machine, with your rights. */
  sandbox?: Sandbox;
  /** `auto` looks for the 2026-07-28 protocol first, and starts the program twice for it. Default `legacy`. */
  protocol?: 'legacy' | 'auto';
}

export interface McpHttpServer {
  url: string | URL;
  headers?: Readonly<Record<string, string>>;
  /** `auto` looks for the 2026-07-28 protocol first. Default `auto`. */
  protocol?: 'legacy' | 'auto';
}

/** @throws TypeError for a name or a configuration that cannot be */
export function checkServerConfig(name: string, config: McpServerConfig): void {
  checkServerName(name);
  const { command, url } = (config ?? {}) as { command?: unknown; url?: unknown };
  if (typeof command === 'string' && command !== '' && url === undefined) return;
  if (command === undefined && url !== undefined && URL.canParse(String(url)) && /^https?:/.test(String(url))) return;
  throw new TypeError(`Cannot connect MCP server '${name}': give either 'command' or an http(s) 'url'`);
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { createToolHost } from '../../host/create-tool-host.js';
import type { ToolHost } from '../../host/types.js';
import type { McpServerHandle, ServeMcpOptions } from '../../interop/mcp/index.js';
import { codingTools } from '../../tools/coding-tools.js';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { addSandboxOptions, openSandbox, permissionsOf, type SandboxOptions } from '../sandbox-options.js';
import { printNote } from '../terminal/print.js';

interface McpCommandOptions extends SandboxOptions {
  readOnly?: boolean;
  approvals: NonNullable<ServeMcpOptions['approvals']>;
  http?: number;
}

/** Where a token for `--http` is taken from: a command line can be read by every process of the machine. */
const TOKEN_VARIABLE = 'CAISSON_MCP_TOKEN';

const EXAMPLES = `
In the configuration of an MCP client:
  { "mcpServers": { "caisson": { "command": "npx", "args": ["-y", "caisson", "mcp", "--workspace", "."] } } }

Examples:
  $ caisson mcp --workspace . --workspace-mode overlay --deny 'read_file(**/.env)'
  $ caisson mcp --workspace . --read-only
  $ caisson mcp --workspace . --http 7411      # prints the address and a token to stderr

Over stdio, stdout carries protocol messages only; notes go to stderr. The server ends, and its sandbox with it, when
the client closes stdin. Over HTTP it listens on 127.0.0.1 only; ${TOKEN_VARIABLE} sets the token, of 16 characters or more.
A call that an --ask rule matches is asked about at the client, and rejected where the client cannot ask.`;

/** `caisson mcp`: the built-in tools, for any MCP client. */
export function mcpCommand(setExitCode: (code: number) => void): Command {
  const command = new Command('mcp').description('serve the built-in tools to an MCP client, over stdio or local HTTP');
  return addSandboxOptions(command)
    .option('--read-only', 'offer only tools that change nothing')
    .addOption(
      new Option('--approvals <mode>', 'what happens to calls that need approval')
        .choices(['elicit', 'deny', 'allow'])
        .default('elicit'),
    )
    .option('--http <port>', 'serve Streamable HTTP on this port of 127.0.0.1 instead of stdio (0: a free one)', port)
    .addHelpText('after', EXAMPLES)
    .action(async (options: McpCommandOptions) => {
      setExitCode(await withInterrupt((signal) => runServer(options, signal)));
    });
}

async function runServer(options: McpCommandOptions, signal: AbortSignal): Promise<number> {
  await using sandbox = await openSandbox(options);
  await using host = createToolHost({
    sandbox,
    tools: codingTools({
      readOnly: options.readOnly === true,
      ...(options.readOnly !== true && options.timeout !== undefined ? { shell: { timeoutMs: options.timeout } } : {}),
    }),
    permissions: permissionsOf(options),
  });
  await using served = await serve(host, options);
  signal.addEventListener('abort', () => void served.close(), { once: true });
  await served.closed;
  return EXIT.ok;
}

/** Loaded here: other commands need no SDK. */
async function serve(host: ToolHost, options: McpCommandOptions): Promise<McpServerHandle> {
  const { serveMcp, serveMcpHttp } = await import('../../interop/mcp/index.js');
  const { approvals } = options;
  if (options.http === undefined) {
    if (process.stdin.isTTY)
      printNote('Waiting for an MCP client on stdin (Ctrl-C ends it); caisson mcp --help says how to add it to one');
    return serveMcp(host, 'stdio', { approvals });
  }
  const token = process.env[TOKEN_VARIABLE];
  const served = await serveMcpHttp(host, { approvals, port: options.http, ...(token === undefined ? {} : { token }) });
  printNote(`Serving MCP at ${served.url}`);
  printNote(
    token === undefined ? `Authorization: Bearer ${served.token}` : `The token is the one in ${TOKEN_VARIABLE}`,
  );
  return served;
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('Give a port, 0 to 65535');
  return value;
}

/**
 * A host served over MCP, and another host that uses its tools: what an agent on the other side of a connection sees.
 * `caisson mcp` does the serving half for any MCP client.
 *
 *   node examples/mcp-server-and-client.ts
 */
import { codingTools, createToolHost } from 'caisson';
import { connectMcp, serveMcpHttp } from 'caisson/mcp';

await using near = createToolHost({
  sandbox: 'isolate',
  tools: codingTools(),
  permissions: { deny: ['shell(rm:*)'] },
});
await using served = await serveMcpHttp(near);

await using mcp = await connectMcp({
  servers: { near: { url: served.url, headers: { authorization: `Bearer ${served.token}` } } },
  // We know this server: its tools run in a sandbox.
  approvals: 'never',
});
const far = createToolHost({ tools: mcp.tools });
console.log(
  far
    .tools()
    .map(({ name }) => name)
    .join(' '),
);

const removed = await far.call({ toolName: 'near__shell', args: { command: 'rm -rf /workspace' } });
if (removed.status === 'error') console.log(`${removed.error.kind}: ${removed.error.message}`);

const counted = await far.call({ toolName: 'near__shell', args: { command: 'echo a b c | wc -w' } });
if (counted.status === 'ok') console.log(`Words: ${JSON.parse(String(counted.output)).stdout.trim()}`);

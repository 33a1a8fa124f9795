export type ClientSdk = typeof import('@modelcontextprotocol/client');

/** An optional peer: whoever only serves needs none of it. @throws Error when it is not installed, saying how to */
export async function loadClientSdk(): Promise<ClientSdk> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('Cannot connect MCP servers without the client package: npm install @modelcontextprotocol/client', {
      cause: error,
    });
  }
}

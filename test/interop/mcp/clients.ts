import { Client as ClientV2, InMemoryTransport as PairV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as PairV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ToolHost } from '../../../src/host/types.js';
import { type McpServerHandle, type ServeMcpOptions, serveMcp } from '../../../src/interop/mcp/index.js';

/** The three kinds of client there are: the old SDK, the new one as an old client, the new one as itself. */
export const CLIENT_KINDS = ['v1', 'v2 legacy', 'v2 modern'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export interface CallResult {
  content: { type: string; text?: string; [member: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Elicitation {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string>;
}

export interface ClientOptions {
  /** Absent: the client cannot ask. */
  elicit?: (question: { message: string }) => Elicitation | Promise<Elicitation>;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; message?: string }) => void;
  timeout?: number;
}

/** One face for all of them. */
export interface TestClient {
  readonly raw: ClientV1 | ClientV2;
  list(): Promise<Record<string, unknown>[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  onToolsChanged(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Makes a client of the kind and connects it over the transport that `transport` makes for its SDK. */
export async function connectClient(
  kind: ClientKind,
  transport: unknown,
  { elicit }: ClientOptions = {},
): Promise<TestClient> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  if (kind === 'v1') {
    const client = new ClientV1({ name: 'test', version: '1' }, { capabilities });
    if (elicit !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await elicit(params)) }));
    }
    await client.connect(transport as Parameters<ClientV1['connect']>[0]);
    return {
      raw: client,
      list: async () => (await client.listTools()).tools,
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, undefined, options as never)) as unknown as CallResult,
      onToolsChanged: async (listener) => {
        client.fallbackNotificationHandler = async ({ method }) => {
          if (method === 'notifications/tools/list_changed') listener();
        };
      },
      close: () => client.close(),
    };
  }
  const mode = kind === 'v2 modern' ? 'auto' : 'legacy';
  const client = new ClientV2({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await elicit(params)) }));
  }
  await client.connect(transport as Parameters<ClientV2['connect']>[0]);
  if (client.getProtocolEra() !== (kind === 'v2 modern' ? 'modern' : 'legacy')) {
    throw new Error(`Negotiated ${client.getProtocolEra()}`);
  }
  return {
    raw: client,
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options = {}) =>
      (await client.callTool({ name, arguments: args }, options as never)) as unknown as CallResult,
    onToolsChanged: async (listener) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => listener());
      if (kind === 'v2 modern') await client.listen({ toolsListChanged: true });
    },
    close: () => client.close(),
  };
}

export interface Served extends AsyncDisposable {
  client: TestClient;
  handle: McpServerHandle;
}

/** Serves a host to a client in this process. */
export async function serveTo(
  kind: ClientKind,
  host: ToolHost,
  options: ClientOptions & { serve?: ServeMcpOptions } = {},
): Promise<Served> {
  const [near, far] = kind === 'v1' ? PairV1.createLinkedPair() : PairV2.createLinkedPair();
  const handle = await serveMcp(host, far, { log: () => {}, ...options.serve });
  const client = await connectClient(kind, near, options);
  return {
    client,
    handle,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await handle.close();
    },
  };
}

/** The error object of a failed call: the text and `_meta` must say the same. */
export function errorOf(result: CallResult): { kind: string; message: string; [member: string]: unknown } {
  const fromText = JSON.parse(result.content[0]?.text ?? 'null');
  const fromMeta = result._meta?.['caisson/error'];
  if (result.isError !== true || JSON.stringify(fromText) !== JSON.stringify(fromMeta)) {
    throw new Error(`Not an error result: ${JSON.stringify(result)}`);
  }
  return fromText;
}

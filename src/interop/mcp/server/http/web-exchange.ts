import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body, or `undefined` when it is larger than `maxBytes`; then the rest is not read. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A Node request in the form the SDK takes; its body is handed over apart. The signal aborts when the client goes. */
export function toWebRequest(request: IncomingMessage, response: ServerResponse, base: string): Request {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(new URL(request.url ?? '/', base), {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
  });
}

/** Sends a web response, no faster than the client reads it. */
export async function sendWebResponse(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, Object.fromEntries(from.headers));
  response.flushHeaders();
  const reader = from.body?.getReader();
  response.on('close', () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const step = await reader?.read();
    if (step === undefined || step.done || response.destroyed) break;
    if (!response.write(step.value)) await drained(response);
  }
  response.end();
}

/** A refusal, as JSON-RPC says it. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  refusal: { code?: number; reason: string; id?: string | number; headers?: Record<string, string> },
): void {
  const { code = -32000, reason, headers, id = null } = refusal;
  // What is left of the request is not read.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: reason } }));
}

function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  return promise;
}

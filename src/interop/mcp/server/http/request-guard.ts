import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused before anything of it is read. */
export interface Refusal {
  status: number;
  reason: string;
  headers?: Record<string, string>;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Makes the check that every request passes first. Only this machine can connect; the names in `Host` and `Origin`
 * keep web pages out whose own name was made to point here, and the token keeps everybody out who was not given it.
 */
export function createRequestGuard(token: string, path: string): (request: IncomingMessage) => Refusal | undefined {
  const expected = digest(`Bearer ${token}`);
  return ({ headers, url, method }) => {
    if (!isLoopback(`http://${headers.host ?? ''}`))
      return { status: 403, reason: 'The Host header names another machine' };
    if (headers.origin !== undefined && !isLoopback(headers.origin)) {
      return { status: 403, reason: 'Web pages of other machines may not call this server' };
    }
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) {
      const reason = 'A bearer token is needed: the one this server printed when it started';
      return { status: 401, reason, headers: { 'www-authenticate': 'Bearer' } };
    }
    if ((url ?? '').split('?')[0] !== path) return { status: 404, reason: `MCP is at ${path}` };
    if (!['POST', 'GET', 'DELETE'].includes(method ?? '')) {
      return { status: 405, reason: 'Use POST', headers: { allow: 'POST, GET, DELETE' } };
    }
    const type = headers['content-type'] ?? '';
    if (method === 'POST' && !/^application\/json *(;|$)/i.test(type)) {
      return { status: 415, reason: 'Content-Type must be application/json' };
    }
    return undefined;
  };
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname);
}

/** Equal lengths, so that comparing takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

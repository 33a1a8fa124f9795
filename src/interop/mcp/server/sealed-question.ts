import { randomBytes } from 'node:crypto';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { ServerSdk } from './server-sdk.js';

/** What a client carries from the question to the answer; it can read it and cannot change it. */
export interface SealedQuestion {
  approvalId: string;
  /** Of the host; the request's id is another one at every round. */
  toolCallId: string;
  toolName: string;
  /** Of the arguments as they were first sent. */
  arguments: string;
}

export type StateSeal = RequestStateCodec<SealedQuestion>;

/** Signs with a key of this process alone: after a restart no old answer counts. */
export function createStateSeal(sdk: ServerSdk, lifeMs: number): StateSeal {
  return sdk.createRequestStateCodec<SealedQuestion>({
    key: randomBytes(32),
    ttlSeconds: Math.max(1, Math.ceil(lifeMs / 1_000)),
    bind: (ctx) => ctx.mcpReq.method,
  });
}

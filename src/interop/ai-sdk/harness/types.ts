import type { AiSdkSandboxSession } from '../sandbox-types.js';

/**
 * The harness's types, restated so that `@ai-sdk/harness` (1.0) need not be installed: its `HarnessV1SandboxProvider`
 * and `HarnessV1NetworkSandboxSession`.
 */
export interface HarnessSandboxProvider {
  readonly specificationVersion: 'harness-sandbox-v1';
  readonly providerId: string;
  createSession(options?: HarnessSessionOptions): Promise<HarnessSandboxSession>;
  resumeSession(options: { sessionId: string; abortSignal?: AbortSignal }): Promise<HarnessSandboxSession>;
}

export interface HarnessSessionOptions {
  sessionId?: string;
  abortSignal?: AbortSignal;
  identity?: string;
  onFirstCreate?(session: AiSdkSandboxSession, options: { abortSignal?: AbortSignal }): Promise<void>;
}

export interface HarnessSandboxSession extends AiSdkSandboxSession {
  readonly id: string;
  readonly defaultWorkingDirectory: string;
  readonly ports: readonly number[];
  getPortEndpoint(options: HarnessPort): Promise<{ url: string }>;
  getPortUrl(options: HarnessPort): Promise<string>;
  setNetworkPolicy(policy: { mode: 'allow-all' | 'deny-all' | 'custom' }): Promise<void>;
  stop(): Promise<void>;
  destroy(): Promise<void>;
  restricted(): AiSdkSandboxSession;
}

export interface HarnessPort {
  port: number;
  protocol?: 'http' | 'https' | 'ws';
}

/** A duplex byte stream to an agent. An attached container today; an exec, a pod's exec or a child process tomorrow. */
export interface AgentTransport {
  write(bytes: Uint8Array): void;
  /** Registers who hears what comes; called once, before anything is written. */
  listen(listener: TransportListener): void;
  /** Ends the agent's whole world (its container, its process) and resolves when it is known to be gone. */
  destroy(): Promise<void>;
  /** Why the stream ended by itself, in words for people. Asks the engine, so it may take a while. */
  explainEnd(): Promise<TransportEnd>;
  /** Whether waiting for it keeps the host's event loop alive. */
  hold(held: boolean): void;
}

export interface TransportListener {
  data(chunk: Uint8Array): void;
  /** Once. */
  closed(): void;
}

export interface TransportEnd {
  code: 'sandbox_crashed' | 'engine_unreachable';
  reason: string;
}

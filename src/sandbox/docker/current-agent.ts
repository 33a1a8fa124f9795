import type { SandboxNotice } from '../contract.js';
import { SandboxCrashedError, type SandboxError } from '../errors.js';
import type { EnforcementPlan, PathRule } from '../plan.js';
import type { AgentConnection, ReadyMessage } from './agent/agent-connection.js';
import { maskLost, whyOpen } from './names/path-guard.js';
import type { OpenAgent } from './open-agent.js';

export interface CurrentAgentOptions {
  plan: EnforcementPlan;
  /** Whether path rules hold for commands, and not for file calls alone. */
  holdsRules: boolean;
  /** A new agent may take the place of one that died: nothing that must last was in it. */
  reopens: boolean;
  /** Starts an agent; `onLost` is called once when it is gone, for whatever reason. */
  open(plan: EnforcementPlan, onLost: (error: SandboxError) => void): Promise<OpenAgent>;
}

/** What runs may end by itself so soon that a call need not be refused for it. */
const IDLE_PATIENCE_MS = 1_000;
const MAX_RENEWALS = 5;

/**
 * The agent that a session has now: started when it is first needed, made anew when it was lost or when rules came that
 * its world does not hold, until the session is over.
 */
export class CurrentAgent {
  /** What the agent found; that of the last one while there is none. */
  ready: ReadyMessage | undefined;
  onNotice: (notice: SandboxNotice) => void = () => {};
  readonly #options: CurrentAgentOptions;
  #plan: EnforcementPlan;
  #agent: Promise<OpenAgent> | undefined;
  /** The one of `#agent` that became ready. */
  #live: Promise<OpenAgent> | undefined;
  /** For what denied names led to when the rules came: a link that goes opens nothing. */
  #linked: readonly PathRule[] = [];
  /** The rules that `#linked` was found for. */
  #linkedFor: EnforcementPlan | undefined;
  /** Rules came that the present agent's world does not hold against commands. */
  #stale = false;
  /** Rules that came too late for what has started and cannot be started anew. */
  #late: string[] = [];
  #unenforced: readonly string[] | undefined;
  #over: SandboxError | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: CurrentAgentOptions) {
    this.#options = options;
    this.#plan = options.plan;
  }

  /** All rules so far. */
  get plan(): EnforcementPlan {
    return this.#plan;
  }

  /** Those that its commands can go around. */
  get unenforced(): readonly string[] {
    if (!this.#options.holdsRules) return rulesOf(this.#plan);
    return [...new Set([...(this.#unenforced ?? []), ...this.#late])];
  }

  async open(): Promise<OpenAgent> {
    this.requireOpen();
    if (this.#stale) {
      const opening = this.#agent;
      const agent = await opening?.catch(() => undefined);
      if (this.#agent === opening && agent?.connection.busy !== true) await this.#replace(opening, agent);
    }
    this.#agent ??= this.#start();
    const agent = await this.#agent;
    this.requireOpen();
    return agent;
  }

  /** One that has been there for a while may be gone, and nobody has noticed yet. */
  async openAnswering(): Promise<void> {
    const known = this.#agent;
    const { connection } = await this.open();
    // Calls under way notice by themselves.
    if (this.#agent !== known || connection.busy) return;
    await connection.ping().catch(() => {});
    await this.open();
  }

  /** An agent in whose world everything is closed that the rules name now. */
  async openForCommands(): Promise<OpenAgent> {
    let why = '';
    for (let renewals = 0; renewals < MAX_RENEWALS; renewals += 1) {
      const agent = await this.open();
      const opening = this.#agent;
      const open = await agent.guard?.check().catch(() => undefined);
      // It ended meanwhile, or another call had it made anew.
      if (this.#agent !== opening || (open === undefined && agent.guard !== undefined)) continue;
      const [first] = open?.toSorted((one, other) => one.kind.localeCompare(other.kind)) ?? [];
      if (first === undefined && !this.#stale) return agent;
      if (first !== undefined && !this.#options.reopens)
        throw maskLost(whyOpen(first), 'Remove it there, or commit what shall be kept and start a new session');
      why = first === undefined ? 'rules were added since it started' : whyOpen(first);
      if (agent.connection.busy) {
        if (first?.kind === 'denyWrite' && !this.#stale) return agent;
        await becomesIdle(agent.connection);
        if (agent.connection.busy)
          throw maskLost(
            why,
            'A new one is made as soon as nothing runs in it: end what runs, or wait for it, and make the call again',
          );
      } else if (this.#agent === opening) {
        await this.#replace(opening, agent);
        this.onNotice({ type: 'renewed', reason: why });
      }
    }
    throw maskLost(why, 'This happened again and again: make the call when the workspace has come to rest');
  }

  enforce(plan: EnforcementPlan): void {
    this.#plan = {
      denyRead: [...this.#plan.denyRead, ...plan.denyRead],
      denyWrite: [...this.#plan.denyWrite, ...plan.denyWrite],
    };
    // The file calls hold it at once; for commands a new agent is made as soon as nothing runs in this one.
    if (this.#agent !== undefined && this.#options.holdsRules && rulesOf(plan).length > 0) {
      if (this.#options.reopens) this.#stale = true;
      else this.#late.push(...rulesOf(plan));
    }
    void this.#agent?.then(
      ({ connection }) => connection.send({ type: 'enforce', plan }),
      () => {},
    );
  }

  /** Neither the deadline nor an abort was answered: the agent is stopped or taken over, and its whole world goes. */
  async endUnresponsive(
    { connection, transport }: OpenAgent,
    done: (killed: 'verified' | 'unverified') => void,
  ): Promise<void> {
    connection.ignoreEnd();
    const gone = transport.destroy().then(
      () => 'verified' as const,
      () => 'unverified' as const,
    );
    const killed = await Promise.race([gone, pause(5_000).then(() => 'unverified' as const)]);
    done(killed);
    connection.end(new SandboxCrashedError('The sandbox did not answer any more and was ended. Make the call again'));
  }

  /** @throws SandboxError why the session is over */
  requireOpen(): void {
    if (this.#over === undefined) return;
    const { message, code } = this.#over;
    throw this.#over instanceof SandboxCrashedError
      ? new SandboxCrashedError(message, code as 'sandbox_crashed')
      : this.#over;
  }

  /** Ends it, and the session with it. Idempotent. */
  dispose(): Promise<void> {
    this.#over ??= new SandboxCrashedError('The sandbox was disposed', 'sandbox_disposed');
    this.#ending ??= this.#shutDown(this.#over);
    return this.#ending;
  }

  async #replace(opening: Promise<OpenAgent> | undefined, agent: OpenAgent | undefined): Promise<void> {
    if (this.#agent !== opening) return;
    this.#stale = false;
    this.#agent = undefined;
    await agent?.transport.destroy();
  }

  #start(): Promise<OpenAgent> {
    const plan = this.#plan;
    const opening: Promise<OpenAgent> = this.#options
      .open({ ...plan, denyRead: [...plan.denyRead, ...this.#linked] }, (error) => this.#lost(opening, error))
      .then((agent) => {
        if (this.#linkedFor !== plan) this.#linked = [...this.#linked, ...(agent.guard?.linked ?? [])];
        this.#linkedFor = plan;
        this.ready = agent.ready;
        this.#live = opening;
        this.#unenforced = agent.unenforced;
        agent.guard?.onBroken((broken) => void this.#endOpened(agent, whyOpen(broken)));
        agent.guard?.onAppeared(({ path, rule }) => this.onNotice({ type: 'written', path, rule }));
        // Rules that came while it started.
        if (this.#plan !== plan) {
          const { denyRead, denyWrite } = this.#plan;
          const late = {
            denyRead: denyRead.slice(plan.denyRead.length),
            denyWrite: denyWrite.slice(plan.denyWrite.length),
          };
          agent.connection.send({ type: 'enforce', plan: late });
        }
        return agent;
      });
    // The next call may find what was missing there.
    opening.catch(() => {
      if (this.#agent === opening) this.#agent = undefined;
    });
    return opening;
  }

  #lost(opening: Promise<OpenAgent>, error: SandboxError): void {
    // One that never came to be is the failure of who waits for it; the next call may have more luck.
    if (this.#live !== opening || this.#agent !== opening) return;
    const mayReopen = this.#options.reopens && error.code !== 'sandbox_expired';
    if (mayReopen) this.#agent = undefined;
    else this.#over ??= error;
    void opening.then(
      ({ transport }) => transport.destroy(),
      () => {},
    );
  }

  /** What commands must not read came open to them: they end, with what they have read. */
  async #endOpened({ connection, transport }: OpenAgent, why: string): Promise<void> {
    connection.end(maskLost(why, 'It was ended with everything in it. Make the call again: the sandbox is made anew'));
    await transport.destroy();
    this.onNotice({ type: 'renewed', reason: why });
  }

  async #shutDown(reason: SandboxError): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    if (agent === undefined) return;
    agent.connection.end(reason);
    await agent.transport.destroy();
  }
}

async function becomesIdle(connection: AgentConnection): Promise<void> {
  const until = performance.now() + IDLE_PATIENCE_MS;
  while (connection.busy && performance.now() < until) await pause(10);
}

function rulesOf({ denyRead, denyWrite }: EnforcementPlan): string[] {
  return [...new Set([...denyRead, ...denyWrite].map(({ rule }) => rule))];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

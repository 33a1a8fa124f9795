import { randomUUID } from 'node:crypto';
import { AgentSession } from './agent-session.js';
import { describeDocker, dockerCapabilities } from './description.js';
import type { DockerSettings } from './options.js';

/** A session of the Docker backend: an agent session whose agents live in containers. */
export class DockerSession extends AgentSession {
  constructor(settings: DockerSettings) {
    const id = randomUUID();
    super({
      name: 'docker',
      id,
      mode: settings.mode,
      env: settings.env,
      limits: settings.limits,
      plan: settings.plan,
      // Only there nothing is lost with the container but what commands left in /tmp.
      reopens: settings.mode === 'direct',
      // Loaded here: whoever imports the package and starts no container does not load the engine's client.
      open: async (plan, onLost) => {
        const { openContainerAgent } = await import('./open-container-agent.js');
        return openContainerAgent(settings, { id, plan, onLost });
      },
      describe: (ready) => describeDocker(settings, ready),
      capabilities: (ready) => dockerCapabilities(settings, ready),
    });
  }
}

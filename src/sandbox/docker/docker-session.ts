import { randomUUID } from 'node:crypto';
import { AgentSession } from './agent-session.js';
import { describeDocker, dockerCapabilities, type OverlayForm } from './description.js';
import type { DockerSettings } from './options.js';

/** A session of the Docker backend: an agent session whose agents live in containers. */
export class DockerSession extends AgentSession {
  readonly image: string;

  constructor(settings: DockerSettings) {
    const id = randomUUID();
    let overlay: OverlayForm;
    super({
      name: 'docker',
      id,
      mode: settings.mode,
      env: settings.env,
      limits: settings.limits,
      plan: settings.plan,
      // In memory there is nothing of the host's to hide; what was written there belongs to who runs commands there.
      holdsRules: settings.mode !== 'memory',
      // Only there nothing is lost with the container but what commands left in /tmp.
      reopens: settings.mode === 'direct',
      // Loaded here: whoever imports the package and starts no container does not load the engine's client.
      open: async (plan, onLost) => {
        const { openContainerAgent } = await import('./open-container-agent.js');
        const agent = await openContainerAgent(settings, { id, plan, onLost });
        overlay = agent.overlay?.form;
        return agent;
      },
      describe: (ready) => describeDocker(settings, { ready, overlay }),
      capabilities: (ready) => dockerCapabilities(settings, { ready, overlay }),
    });
    this.image = settings.image;
  }
}

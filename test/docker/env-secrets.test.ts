import { expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { itKeepsSecrets, TOKEN } from '../unit/host/env-secrets-suite.js';
import { containerOf, describeOnDocker } from './engine.js';

describeOnDocker('secrets in env, in a container', (engine) => {
  itKeepsSecrets((env) => createDockerSandbox({ env }));

  it("stand neither in the container's configuration nor in the error of a setup that printed them", async () => {
    await using session = createDockerSandbox({ env: { TOKEN } });
    await session.start();
    const inspected = await (await containerOf(engine, session.id)).inspect();
    expect(JSON.stringify(inspected)).not.toContain(JSON.stringify(TOKEN).slice(1, -1));
    await using broken = createDockerSandbox({
      env: { TOKEN },
      setup: { command: 'echo "log in with $TOKEN"; printf %s "$TOKEN" | base64; exit 3', network: 'none' },
    });
    const error = await broken.start().then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(error?.message).toContain('log in with [redacted]\n[redacted]');
    await using cut = createDockerSandbox({
      env: { TOKEN },
      setup: { command: 'printf %s "$TOKEN"; head -c 1490 /dev/zero | tr "\\0" x; exit 3', network: 'none' },
    });
    await expect(cut.start()).rejects.not.toThrow(TOKEN.slice(-5));
  });
});

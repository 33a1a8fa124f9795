import { expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { describeOnDocker } from './engine.js';

describeOnDocker('the home of a session', () => {
  it('is furnished before the very first command, and belongs to who runs it', async () => {
    for (let round = 0; round < 5; round += 1) {
      await using session = createDockerSandbox();
      const { stdout } = await session.exec(
        'command -v pip python3; npm prefix -g; find ~ ! -user "$(id -u)" | wc -l; python3 -c "import sys; print(sys.prefix)"',
      );
      const bin = '/home/agent/.venv/bin';
      expect(stdout).toBe(`${bin}/pip\n${bin}/python3\n/home/agent/.npm-global\n0\n/home/agent/.venv\n`);
    }
  }, 60_000);

  it('leaves the agent all of its own rights', async () => {
    await using session = createDockerSandbox();
    const agent = 'for f in /proc/[0-9]*/cmdline; do grep -lz "^agent$" $f; done 2>/dev/null | tail -1 | cut -d/ -f3';
    const { stdout } = await session.exec(`grep -E "^(Uid|Gid|CapEff)" /proc/$(${agent})/status`);
    expect(stdout).toBe('Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nCapEff:\t00000000000000e0\n');
  });
});

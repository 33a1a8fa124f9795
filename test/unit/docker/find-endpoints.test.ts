import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectEngine } from '../../../src/sandbox/docker/engine/engine.js';
import { findEndpoints, usualSockets } from '../../../src/sandbox/docker/engine/find-endpoints.js';

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function home(): string {
  const directory = mkdtempSync(join(tmpdir(), 'caisson-home-'));
  made.push(directory);
  return directory;
}

describe('findEndpoints()', () => {
  it('takes what was said over DOCKER_HOST, and either as the only one', () => {
    expect(findEndpoints('unix:///a', { DOCKER_HOST: 'unix:///b' }).map(({ host }) => host)).toEqual(['unix:///a']);
    expect(findEndpoints(undefined, { DOCKER_HOST: 'unix:///b' }).map(({ host }) => host)).toEqual(['unix:///b']);
  });

  it("reads the current context's endpoint", () => {
    const HOME = home();
    const id = createHash('sha256').update('remote').digest('hex');
    mkdirSync(join(HOME, '.docker/contexts/meta', id), { recursive: true });
    writeFileSync(join(HOME, '.docker/config.json'), JSON.stringify({ currentContext: 'remote' }));
    writeFileSync(
      join(HOME, '.docker/contexts/meta', id, 'meta.json'),
      JSON.stringify({ Endpoints: { docker: { Host: 'ssh://me@far' } } }),
    );
    expect(findEndpoints(undefined, { HOME })).toEqual([{ host: 'ssh://me@far', from: "the Docker context 'remote'" }]);
    expect(findEndpoints(undefined, { HOME, DOCKER_CONTEXT: 'gone' })[0]?.from).toMatch(
      /'gone', which has no endpoint/,
    );
  });

  it('lets DOCKER_CONTEXT stand for the current context, DOCKER_HOST for either, and reads the certificates of one', () => {
    const HOME = home();
    const id = createHash('sha256').update('safe').digest('hex');
    mkdirSync(join(HOME, '.docker/contexts/meta', id), { recursive: true });
    mkdirSync(join(HOME, '.docker/contexts/tls', id, 'docker'), { recursive: true });
    writeFileSync(join(HOME, '.docker/config.json'), JSON.stringify({ currentContext: 'other' }));
    writeFileSync(
      join(HOME, '.docker/contexts/meta', id, 'meta.json'),
      JSON.stringify({ Endpoints: { docker: { Host: 'tcp://far:2376' } } }),
    );
    expect(findEndpoints(undefined, { HOME, DOCKER_CONTEXT: 'safe' })).toEqual([
      {
        host: 'tcp://far:2376',
        from: "the Docker context 'safe'",
        certificates: join(HOME, '.docker/contexts/tls', id, 'docker'),
      },
    ]);
    const host = 'unix:///b';
    expect(findEndpoints(undefined, { HOME, DOCKER_CONTEXT: 'safe', DOCKER_HOST: host })[0]?.host).toBe(host);
    expect(findEndpoints(undefined, { HOME, DOCKER_CONTEXT: 'default' }).map(({ from }) => from)).not.toContain(
      "the Docker context 'default'",
    );
  });

  it("looks for the usual sockets, Podman's among them", () => {
    const sockets = usualSockets({ HOME: '/home/me', XDG_RUNTIME_DIR: '/run/user/1' });
    expect(sockets).toContain('/var/run/docker.sock');
    expect(sockets).toContain('/home/me/.colima/default/docker.sock');
    expect(sockets).toContain('/run/user/1/docker.sock');
    expect(sockets).toContain('/run/user/1/podman/podman.sock');
    expect(usualSockets({ HOME: '/home/me' })).toContain(`/run/user/${process.getuid?.() ?? 0}/podman/podman.sock`);
  });
});

describe('connectEngine()', () => {
  for (const [host, reason] of [
    ['unix:///nowhere/docker.sock', /no such socket/],
    ['tcp://127.0.0.1:1', /nothing listens there/],
    ['not an endpoint', /not an endpoint/],
    ['ftp://127.0.0.1', /no address of an engine.*tcp:/],
  ] as const) {
    it(`says what is wrong with '${host}' and what to do`, async () => {
      const error = await connectEngine(host).then(
        () => undefined,
        (caught: Error & { code: string }) => caught,
      );
      expect(error?.code).toBe('engine_unreachable');
      expect(error?.message).toMatch(reason);
      expect(error?.message).toMatch(/or use the isolate sandbox/);
    });
  }
});

import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/sandbox/docker/engine/engine.js';
import { requireNoSocket, resolveMounts } from '../../../src/sandbox/docker/workspace/bound-sources.js';
import { type FakeEngine, fakeEngine, hanging } from './fake-engine.js';

let directory: string;
let listening: FakeEngine;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'caisson-sources-')));
  listening = await fakeEngine(hanging);
});
afterEach(async () => {
  await listening[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const engine = (parts: Partial<Engine> = {}) =>
  ({ local: true, endpoint: { host: listening.host, from: 'a test' }, ...parts }) as Engine;
const socket = () => listening.host.slice('unix://'.length);
const at = (source: string) => [{ source, target: '/mnt/x', readOnly: true }];
const linkTo = async (target: string) => {
  const link = join(directory, 'link');
  await symlink(target, link);
  return link;
};

describe('resolveMounts()', () => {
  it('gives the engine the place that a link leads to', async () => {
    const data = join(directory, 'data');
    await mkdir(data);
    expect(await resolveMounts(engine(), at(await linkTo(data)))).toEqual(at(data));
  });

  for (const target of ['/', '/etc', '/proc/1', '/dev'])
    it(`refuses a link to '${target}', named as it was given`, async () => {
      const link = await linkTo(target);
      await expect(resolveMounts(engine(), at(link))).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining(`the mount of '${link}' is refused`),
      });
    });

  it("refuses the engine's socket under whatever name, and every directory above it", async () => {
    for (const source of [await linkTo(socket()), dirname(socket()), tmpdir()])
      await expect(resolveMounts(engine(), at(source)), source).rejects.toThrow(/socket/);
  });

  it('refuses a source of which it cannot be told where it leads', async () => {
    const loop = await linkTo(join(directory, 'link'));
    await expect(resolveMounts(engine(), at(loop))).rejects.toThrow('it cannot be told where it leads (ELOOP)');
  });

  it('leaves to the engine what is not here, and what is on another machine', async () => {
    expect(await resolveMounts(engine(), at('/nowhere/at/all'))).toEqual(at('/nowhere/at/all'));
    const link = await linkTo('/');
    expect(await resolveMounts(engine({ local: false }), at(link))).toEqual(at(link));
  });
});

describe('requireNoSocket()', () => {
  it("refuses a workspace with the engine's socket in it", async () => {
    await expect(requireNoSocket(engine(), dirname(socket()))).rejects.toMatchObject({ code: 'unsupported' });
    await requireNoSocket(engine(), directory);
  });
});

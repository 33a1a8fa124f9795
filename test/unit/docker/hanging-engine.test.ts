import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { afterEach, expect, it, vi } from 'vitest';
import { ContainerTransport } from '../../../src/sandbox/docker/agent/container-transport.js';

afterEach(() => {
  vi.useRealTimers();
});

it('an engine that never answers the removal of a container does not keep its session from ending', async () => {
  vi.useFakeTimers();
  const container = { remove: () => new Promise(() => {}) } as unknown as Docker.Container;
  const remove = vi.fn(async () => {});
  const transport = new ContainerTransport(container, new PassThrough(), { lossNote: '', remove });
  const destroyed = transport.destroy();
  await vi.advanceTimersByTimeAsync(15_000);
  await destroyed;
  expect(remove).toHaveBeenCalledOnce();
});

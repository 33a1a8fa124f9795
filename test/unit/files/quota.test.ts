import { describe, expect, it } from 'vitest';
import { codeOf, failure, openLayer, put, text } from './layer-fixture.js';

const KiB = 1024;

describe.each(['memory', 'overlay'] as const)('the quota in %s mode', (mode) => {
  it('refuses bytes over the limit, and says how to raise it', () => {
    const { layer } = openLayer({ mode, maxBytes: 64 * KiB });
    put(layer, '/workspace/a', 'x'.repeat(40 * KiB));
    const error = failure(() => put(layer, '/workspace/b', 'x'.repeat(40 * KiB)));
    expect(error.code).toBe('no_space');
    expect(error.message).toMatch(/65536 bytes.*remove files or raise 'limits.maxDiskBytes'/);
    expect(codeOf(() => layer.stat('/workspace/b'))).toBe('not_found');
  });

  it('refuses entries over the limit: files, directories, links', () => {
    const { layer } = openLayer({ mode, maxEntries: 60 });
    let made = 0;
    const full = failure(() => {
      for (; ; made += 1) put(layer, `/workspace/f${made}`, '');
    });
    expect(full.message).toMatch(/60 files and directories.*limits.maxDiskEntries/);
    expect(made).toBeGreaterThan(40);
    expect(made).toBeLessThan(60);
    expect(codeOf(() => layer.mkdir('/tmp/d'))).toBe('no_space');
    expect(codeOf(() => layer.symlink('x', '/tmp/l'))).toBe('no_space');
    expect(codeOf(() => layer.link('/workspace/f0', '/workspace/l'))).toBe('no_space');
  });

  it('counts the workspace, /tmp and home together', () => {
    const { layer } = openLayer({ mode, maxBytes: 64 * KiB });
    for (const root of ['/workspace', '/tmp', '/home/agent']) put(layer, `${root}/a`, 'x'.repeat(15 * KiB));
    expect(codeOf(() => put(layer, '/tmp/b', 'x'.repeat(25 * KiB)))).toBe('no_space');
  });

  it('holds for append', () => {
    const { layer } = openLayer({ mode, maxBytes: 64 * KiB });
    const grow = () => layer.writeFile('/workspace/a', Buffer.alloc(10 * KiB), { append: true });
    expect(
      codeOf(() => {
        for (let i = 0; i < 10; i += 1) grow();
      }),
    ).toBe('no_space');
    expect(layer.stat('/workspace/a').size).toBeLessThanOrEqual(64 * KiB);
  });

  it('gives room back when files go', () => {
    const { layer } = openLayer({ mode, maxBytes: 64 * KiB });
    for (let i = 0; i < 30; i += 1) {
      put(layer, `/workspace/d/f${i}`, 'x'.repeat(40 * KiB));
      if (i % 2 === 0) layer.remove('/workspace/d', { recursive: true });
      else layer.remove(`/workspace/d/f${i}`);
    }
    put(layer, '/workspace/again', 'x'.repeat(40 * KiB));
    put(layer, '/workspace/again', 'y'.repeat(40 * KiB));
    expect(text(layer, '/workspace/again')).toHaveLength(40 * KiB);
  });

  it('is shared by two processes', () => {
    const { layer, again } = openLayer({ mode, maxBytes: 256 * KiB });
    const other = again();
    let written = 0;
    const code = codeOf(() => {
      for (; written < 100; written += 1)
        put(written % 2 === 0 ? layer : other, `/workspace/f${written}`, 'x'.repeat(8 * KiB));
    });
    expect(code).toBe('no_space');
    // Each trusts its own sums for a quarter of the room at most.
    expect(written * 8).toBeLessThanOrEqual(256 * 1.25);
    expect(written * 8).toBeGreaterThan(200);
  });
});

import { describe, expect, it } from 'vitest';
import { checkNodeVersion } from '../../../src/sandbox/isolate/node-version.js';

describe('checkNodeVersion', () => {
  it('accepts the versions that the isolate runs under', () => {
    for (const version of [undefined, '24.0.0', '26.10.0']) expect(() => checkNodeVersion(version)).not.toThrow();
  });

  it('names the fix under any other', () => {
    expect(() => checkNodeVersion('20.20.2')).toThrow(/under Node 20\.20\.2: it needs Node 24 or 26.*node@24/);
    expect(() => checkNodeVersion('25.1.0')).toThrow('needs Node 24 or 26');
  });
});

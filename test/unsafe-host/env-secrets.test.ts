import { describe } from 'vitest';
import { createUnsafeHostSandbox } from '../../src/unsafe-host.js';
import { itKeepsSecrets } from '../unit/host/env-secrets-suite.js';

describe.skipIf(process.platform !== 'linux')('secrets in env, on the unsafe host', () => {
  itKeepsSecrets((env) => createUnsafeHostSandbox({ iKnowThatNothingIsIsolated: true, env }));
});

/**
 * Runs the contract suite on a backend: put yours in the place of `createIsolateSandbox`.
 *
 *   npx vitest run --root examples
 */
import { createIsolateSandbox } from 'caisson';
import { describeSandboxContract } from 'caisson/testing';
import { afterAll, describe, expect, it } from 'vitest';

describeSandboxContract(
  { describe, it, expect, afterAll },
  { name: 'mine', create: (options) => createIsolateSandbox(options), workspaceModes: ['memory'] },
);

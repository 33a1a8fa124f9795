/**
 * The sandbox contract as tests: what every backend of Caisson passes, and what a new one is held against.
 * @module
 */

export {
  CONTRACT_PARTS,
  type ContractBackend,
  type ContractCreateOptions,
  type ContractPart,
} from './contract-backend.js';
export { type AdapterContractBackend, describeAdapterContract } from './describe-adapter-contract.js';
export { describeSandboxContract } from './describe-sandbox-contract.js';
export type { Expectation, TestApi } from './test-api.js';

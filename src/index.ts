export * from './sandbox/contract.js';

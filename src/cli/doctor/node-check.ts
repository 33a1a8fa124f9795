import type { Check } from './check.js';

/** The Node version and the machine it was built for. */
export function nodeCheck(): Check {
  const detail = `${process.version} on ${process.platform} ${process.arch}`;
  if (process.platform === 'win32') {
    return {
      name: 'node',
      status: 'problem',
      detail,
      fix: 'Use WSL2: isolated-vm and the file gate need a Unix system',
    };
  }
  if (process.platform === 'darwin' && process.arch === 'x64') {
    return {
      name: 'node',
      status: 'problem',
      detail,
      fix: 'isolated-vm 7 has no build for Intel Macs; use Linux or an arm64 Mac',
    };
  }
  return { name: 'node', status: 'ok', detail };
}

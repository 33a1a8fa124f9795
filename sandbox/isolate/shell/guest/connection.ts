import type { Bridge } from '../bridge.js';

let bridge: Bridge | undefined;

export function connectBridge(to: Bridge): void {
  bridge = to;
}

export function host(): Bridge {
  if (bridge === undefined) throw new Error('The shell is not connected to its worker');
  return bridge;
}

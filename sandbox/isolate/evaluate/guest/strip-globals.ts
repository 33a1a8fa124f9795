import { intrinsics } from './intrinsics.js';

const { apply, defineProperty, deleteProperty } = intrinsics;

/**
 * Takes away what gets around the isolate's limits: WebAssembly's and shared memory, and buffers that grow, are not
 * counted by V8's memory limit; `Atomics.wait` blocks the thread.
 */
export function stripGlobals(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'console']) deleteProperty(globalThis, name);
  fixBufferLength();
}

function fixBufferLength(): void {
  const Plain = ArrayBuffer;
  const { construct } = Reflect;
  const Fixed: ArrayBufferConstructor = new Proxy(Plain, {
    // Without the options a buffer cannot be made resizable.
    construct: (_target, values: unknown[], newTarget): ArrayBuffer =>
      construct(Plain, [values[0]], newTarget === Fixed ? Plain : newTarget) as ArrayBuffer,
  });
  defineProperty(Plain.prototype, 'constructor', {
    value: Fixed,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  defineProperty(globalThis, 'ArrayBuffer', { value: Fixed, writable: true, enumerable: false, configurable: true });
  for (const name of ['resize', 'transfer', 'transferToFixedLength'])
    apply(deleteProperty, undefined, [Plain.prototype, name]);
}

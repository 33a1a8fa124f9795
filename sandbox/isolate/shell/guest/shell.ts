import './platform.js';
import type { ShellGuest } from '../bridge.js';
import { connectBridge } from './connection.js';
import { commandNames, interruptCommand, runCommand } from './run-command.js';
import { fireGuestTimer } from './timers.js';
import { warmUp } from './warm-up.js';

/** The isolate's only global of ours; the worker takes its functions and then removes it. */
const guest: ShellGuest = {
  connect: connectBridge,
  run: (command) => void runCommand(command),
  fireTimer: fireGuestTimer,
  interrupt: interruptCommand,
  warmUp,
  commandNames,
};

Object.defineProperty(globalThis, 'caissonShell', { value: guest, configurable: true });

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { GUEST_HOME, type HostPlace } from './call-path.js';

/** Where calls run that no sandbox holds: in this directory of the host, at the home of this process. */
export function hostPlace(root: string | undefined): HostPlace | undefined {
  return root === undefined || root === '' ? undefined : { root, home: home() };
}

function home(): string {
  try {
    return resolve(homedir());
  } catch {
    // Neither `HOME` nor the system's list of users has one.
    return GUEST_HOME;
  }
}

const ROOT = '/workspace';

/** Where the file layer has what a tree operation names. */
export function treePath(path: string): string {
  return path === '' ? ROOT : `${ROOT}/${path}`;
}

const ON_ITS_WAY = /^\.caisson-incoming-[0-9a-f-]{36}$/;

/** A file that travels in parts has this name until its last part is there; it is beside its place, so that it takes it at once. */
export function incomingPath(path: string, transfer: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}.caisson-incoming-${transfer}`;
}

export function isOnItsWay(name: string): boolean {
  return ON_ITS_WAY.test(name);
}

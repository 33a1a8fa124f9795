const ROOT = '/workspace';

/** Where the file layer has what a tree operation names. */
export function treePath(path: string): string {
  return path === '' ? ROOT : `${ROOT}/${path}`;
}

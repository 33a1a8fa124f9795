import type { Sandbox } from '../sandbox/contract.js';

/** A path as results and messages show it: relative to the workspace where it lies in it, `.` for the workspace itself. */
export function pathLabel(path: string, sandbox: Pick<Sandbox, 'cwd'>): string {
  const inside =
    path === sandbox.cwd ? '' : path.startsWith(`${sandbox.cwd}/`) ? path.slice(sandbox.cwd.length + 1) : path;
  const parts = inside.split('/').filter((part) => part !== '' && part !== '.');
  const label = parts.join('/');
  if (label === '') return inside.startsWith('/') ? '/' : '.';
  return inside.startsWith('/') ? `/${label}` : label;
}

/** The label of something below a directory that was asked for. */
export function joinLabel(directory: string, path: string): string {
  return directory === '.' ? path : `${directory}/${path}`;
}

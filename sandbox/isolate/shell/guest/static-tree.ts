import type { WireEntry, WireStat } from '../bridge.js';

/**
 * What lies outside `/workspace`, `/tmp` and `/home/agent`: a small tree that only exists so that paths everybody
 * knows answer. Nothing in it can be changed.
 */
export class StaticTree {
  readonly #files = new Map<string, string>();
  readonly #directories = new Map<string, Map<string, WireStat['type']>>();

  constructor(commands: readonly string[]) {
    for (const path of ['/', '/bin', '/dev', '/etc', '/home', '/proc', '/usr', '/usr/bin'])
      this.#directories.set(path, new Map());
    for (const path of [
      '/bin',
      '/dev',
      '/etc',
      '/home',
      '/home/agent',
      '/proc',
      '/tmp',
      '/usr',
      '/usr/bin',
      '/workspace',
    ]) {
      this.#enter(path, 'directory');
    }
    for (const name of commands) {
      for (const directory of ['/bin', '/usr/bin'])
        this.#add(`${directory}/${name}`, `#!/bin/bash\n# Built-in command: ${name}\n`);
    }
    for (const name of ['null', 'stdin', 'stdout', 'stderr']) this.#add(`/dev/${name}`, '');
    this.#add('/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/home/agent:/bin/bash\n');
    this.#add('/etc/group', 'root:x:0:\nagent:x:1000:\n');
    this.#add('/etc/hostname', 'sandbox\n');
    this.#add('/proc/version', 'Linux version 6.0.0 (just-bash interpreter)\n');
  }

  read(path: string): string | undefined {
    return this.#files.get(path);
  }

  stat(path: string): WireStat | undefined {
    const content = this.#files.get(path);
    if (content !== undefined) {
      const mode = path.includes('/bin/') ? 0o755 : path.startsWith('/dev/') ? 0o666 : 0o444;
      return { type: path.startsWith('/dev/') ? 'other' : 'file', size: content.length, mode, mtimeMs: 0 };
    }
    return this.#directories.has(path) ? { type: 'directory', size: 4096, mode: 0o755, mtimeMs: 0 } : undefined;
  }

  list(path: string): WireEntry[] | undefined {
    const entries = this.#directories.get(path);
    if (entries === undefined) return undefined;
    return [...entries].map(([name, type]) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #add(path: string, content: string): void {
    this.#files.set(path, content);
    this.#enter(path, path.startsWith('/dev/') ? 'other' : 'file');
  }

  #enter(path: string, type: WireStat['type']): void {
    const slash = path.lastIndexOf('/');
    this.#directories.get(path.slice(0, slash) || '/')?.set(path.slice(slash + 1), type);
  }
}

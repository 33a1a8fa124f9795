/** Removes what the build made, so that a package never carries chunks of an older one. */
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });

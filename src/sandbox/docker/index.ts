export type { SetupOptions } from './container/setup.js';
export { createDockerSandbox } from './create-docker-sandbox.js';
export { DEFAULT_IMAGE } from './default-image.js';
export {
  type EngineReport,
  inspectEngine,
  listCaches,
  listSandboxes,
  type RunningSandbox,
  reapSandboxes,
  removeCaches,
  type SharedCache,
} from './manage.js';
export type { DockerSandboxOptions } from './options.js';
export type { Reaped } from './reaper.js';
export type { DockerMount } from './workspace/mounts.js';

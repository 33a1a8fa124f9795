/** What every command starts with; a call's own `env` is laid over it. */
export const BASE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/agent',
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/bash',
  TMPDIR: '/tmp',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  CI: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  EDITOR: 'true',
};

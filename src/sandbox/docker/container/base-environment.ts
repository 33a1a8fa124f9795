/** How often npm and pip try: where there is a network, as often as they would by themselves. */
export const ONLINE_RETRIES = { NPM_CONFIG_FETCH_RETRIES: '2', PIP_RETRIES: '5' };
/** Without one npm would take over a minute to say so; pip does not say why unless it tries twice. */
const OFFLINE_RETRIES = { NPM_CONFIG_FETCH_RETRIES: '0', PIP_RETRIES: '1' };

/** Every command's environment before the caller's own: nothing of the host's, and nothing that waits for a person. */
export function baseEnvironment(imagePath: string | undefined, network: 'none' | 'full'): Record<string, string> {
  const path = imagePath ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return {
    PATH: `/home/agent/.venv/bin:/home/agent/.npm-global/bin:/home/agent/.local/bin:${path}`,
    HOME: '/home/agent',
    USER: 'agent',
    LOGNAME: 'agent',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    // The workspace's owner need not be the session's user. Of this, unlike of a name, git takes no other source.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    EMAIL: 'agent@caisson.invalid',
    DEBIAN_FRONTEND: 'noninteractive',
    NPM_CONFIG_PREFIX: '/home/agent/.npm-global',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    NPM_CONFIG_FUND: 'false',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    VIRTUAL_ENV: '/home/agent/.venv',
    ...(network === 'none' ? OFFLINE_RETRIES : {}),
  };
}

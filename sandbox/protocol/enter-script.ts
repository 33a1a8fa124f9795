/** Why a command's directory is refused: it is not there, it is not in the workspace, or its mode keeps the user out. */
export const REFUSED_DIRECTORY = ['missing', 'outside', 'closed'] as const;
export type RefusedDirectory = (typeof REFUSED_DIRECTORY)[number];

/**
 * A command owns the workspace and may take its own right to enter it away: that must not keep others out, so this gives it
 * back.
 */
export function reopenScript(workspace: string): string {
  return `[ -x ${workspace} ] || PATH=/usr/bin:/bin:/usr/sbin:/sbin chmod u+rwx ${workspace} >/dev/null 2>&1`;
}

/**
 * Shell lines that enter a directory of the workspace as the commands' user, or say why not and end.
 * @param say prints one of the words
 */
export function enterScript(
  say: (word: string) => string,
  { cwd, workspace }: { cwd: string; workspace: string },
): string {
  return [
    reopenScript(workspace),
    `cd -P -- ${cwd} 2>/dev/null || { if [ -d ${cwd} ]; then ${say('closed')}; else ${say('missing')}; fi; exit 125; }`,
    `case $PWD/ in ${workspace}/*) ;; *) ${say('outside')}; exit 125;; esac`,
  ].join('\n');
}

/** For people and models. */
export function refusedDirectoryText(cwd: string, refused: RefusedDirectory): string {
  return `Cannot run in '${cwd}': ${WHY[refused]}. Give a directory in /workspace`;
}

const WHY: Record<RefusedDirectory, string> = {
  missing: 'there is no such directory',
  outside: 'it is outside /workspace',
  closed: 'its mode does not let the user in',
};

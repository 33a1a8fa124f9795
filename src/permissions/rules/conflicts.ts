import { WORKSPACE } from '../paths/call-path.js';
import { askedPath } from '../paths/path-pattern.js';
import { matchesAllowing } from './command-pattern.js';
import type { CompiledRule } from './compiled-rule.js';
import { PolicyError } from './policy-error.js';

/** Commands that cannot work without changing these files, whatever their arguments. */
const NEEDS: readonly { commands: readonly string[]; writes: readonly string[] }[] = [
  {
    commands: ['git commit', 'git merge', 'git rebase', 'git cherry-pick', 'git revert', 'git pull', 'git am'],
    writes: ['.git/index', '.git/objects/00', '.git/refs/heads/main', '.git/HEAD', '.git/logs/HEAD'],
  },
  { commands: ['git add', 'git rm', 'git mv'], writes: ['.git/index', '.git/objects/00'] },
  { commands: ['git checkout', 'git switch', 'git reset'], writes: ['.git/index', '.git/HEAD'] },
  { commands: ['git stash'], writes: ['.git/index', '.git/objects/00', '.git/refs/stash'] },
  { commands: ['git fetch'], writes: ['.git/objects/00', '.git/FETCH_HEAD'] },
  { commands: ['git tag', 'git branch'], writes: ['.git/refs/tags/x'] },
  {
    commands: ['npm install', 'npm uninstall', 'npm update'],
    writes: ['package-lock.json', 'node_modules/.package-lock.json'],
  },
  { commands: ['npm ci'], writes: ['node_modules/.package-lock.json'] },
  { commands: ['pnpm install', 'pnpm add'], writes: ['pnpm-lock.yaml', 'node_modules/.modules.yaml'] },
  { commands: ['yarn install', 'yarn add'], writes: ['yarn.lock'] },
  { commands: ['cargo add'], writes: ['Cargo.toml'] },
];

/**
 * A path rule that is enforced would make a command fail that another rule allows by name: better said at load than
 * met in the middle of a commit.
 * @throws PolicyError naming both rules
 */
export function refuseConflicts(rules: readonly CompiledRule[]): void {
  const denies = rules.filter(({ rule, paths }) => rule.effect === 'deny' && paths.length > 0 && isWrite(rule.tool));
  const allows = rules.filter(({ rule, commands }) => rule.effect === 'allow' && commands.length > 0);
  if (denies.length === 0 || allows.length === 0) return;
  for (const { commands, writes } of NEEDS) {
    for (const command of commands) {
      const allow = allows.find((rule) => namesCommand(rule, command));
      if (allow === undefined) continue;
      for (const file of writes) {
        const asked = askedPath(`${WORKSPACE}/${file}`);
        const deny = denies.find(({ paths }) => paths.some((pattern) => pattern.matches(asked) === 'yes'));
        if (deny !== undefined) throw conflict(deny, { allow, command, file });
      }
    }
  }
}

function conflict(
  deny: CompiledRule,
  { allow, command, file }: { allow: CompiledRule; command: string; file: string },
): PolicyError {
  const shown = file.startsWith('.git/') ? '.git' : file;
  return new PolicyError(
    `Cannot use ${deny.text} of ${deny.source} together with ${allow.text} of ${allow.source}: '${command}' has to write in ${shown}. ` +
      `Narrow the deny rule${shown === '.git' ? ', for example to .git/hooks/** and .git/config' : ''}, or do not allow the command`,
  );
}

/** By this command's own name: a rule that allows all of `git`, or of the shell, did not mean it in particular. */
function namesCommand({ commands, rule }: CompiledRule, command: string): boolean {
  const words = command.split(' ');
  if (typeof rule.command === 'string' && /^\*|^\S+(?::\*|\s\*)?$/.test(rule.command)) return false;
  return commands.some((pattern) => matchesAllowing(pattern, { words }));
}

function isWrite(tool: string): boolean {
  return tool === 'write_file' || tool === 'edit_file';
}

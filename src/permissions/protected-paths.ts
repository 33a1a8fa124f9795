import type { PathRule } from '../sandbox/plan.js';

/**
 * Files that make something run later, on the person's own machine: written once by an agent, they are trusted by a
 * tool that is not sandboxed. Never written from inside unless `protectedPaths: false`, whether they exist or not.
 */
const PROTECTED: readonly (readonly [what: string, globs: readonly string[]])[] = [
  [
    'git runs it on the host',
    [
      // The entry itself: as a file or a link it names another directory whose configuration git then trusts.
      '**/.git',
      '**/.git/hooks',
      '**/.git/hooks/**',
      '**/.git/config',
      '**/.git/config.worktree',
      '**/.git/commondir',
      '**/.git/modules/**/hooks/**',
      '**/.git/modules/**/config',
      '**/.git/worktrees/**',
      '.gitmodules',
      '**/.husky/**',
    ],
  ],
  [
    'package managers take commands and registries from it',
    ['**/.npmrc', '**/.yarnrc', '**/.yarnrc.yml', '**/.pnpmfile.cjs', '**/.pypirc', '**/pip.conf'],
  ],
  [
    'a shell runs it at start',
    [
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_logout',
      '.profile',
      '.zshrc',
      '.zshenv',
      '.zprofile',
      '.zlogin',
      '.envrc',
      '.inputrc',
      '.config/fish/**',
    ].map((name) => `**/${name}`),
  ],
  [
    'an editor runs what it says',
    [
      '**/.vscode',
      '**/.vscode/**',
      '**/.idea',
      '**/.idea/**',
      '**/.vimrc',
      '**/.exrc',
      '**/.nvimrc',
      '**/.zed/**',
      '**/*.code-workspace',
    ],
  ],
  [
    'an agent takes orders from it',
    [
      '**/.mcp.json',
      '**/.claude',
      '**/.claude/**',
      '**/.cursor',
      '**/.cursor/**',
      '**/.codex/**',
      '**/.gemini/**',
      '**/.windsurf/**',
      '**/.roo/**',
      '**/.cline/**',
    ],
  ],
  ['other tools run what it says', ['**/.ripgreprc', '**/.gitconfig', '**/.ssh', '**/.ssh/**', '**/.devcontainer/**']],
  ['it is the permission policy', ['caisson.policy.json', 'caisson.policy.jsonc', '.caisson', '.caisson/**']],
];

/** The rules as a sandbox enforces them; `policyFiles` are the policy files in the workspace, relative to it. */
export function protectedPathRules(policyFiles: readonly string[] = []): readonly PathRule[] {
  const rules = PROTECTED.flatMap(([why, globs]) => globs.map((glob) => toRule(glob, why)));
  return [...rules, ...policyFiles.map((file) => toRule(file, 'it is the permission policy'))];
}

function toRule(glob: string, why: string): PathRule {
  return {
    glob,
    rule: `protected path ${glob}`,
    reason: `Protected path: ${why}. Ask a person to change it, or set protectedPaths: false`,
    sparesInstalled: true,
  };
}

import type { DemoChapter } from './demo-step.js';

/** The agent's ordinary work. Paths are those of the copied package (zod). */
const WORK: DemoChapter = {
  heading: "An agent's turn on a copy of zod's sources",
  steps: [
    { title: 'looks around', tool: 'list_dir', args: { path: '.' }, expect: { is: 'ok', shows: /src/ } },
    {
      title: 'finds files',
      tool: 'glob',
      args: { pattern: 'src/v4/core/*.ts' },
      expect: { is: 'ok', shows: /src\/v4\/core\/versions\.ts/ },
    },
    {
      title: 'searches them',
      tool: 'grep',
      args: { pattern: 'class \\w+ extends', path: 'src/v4' },
      expect: { is: 'ok', shows: /extends/ },
    },
    {
      title: 'reads one',
      tool: 'read_file',
      args: { path: 'src/v4/core/versions.ts' },
      expect: { is: 'ok', shows: /major: 4/ },
    },
    {
      title: 'edits it',
      tool: 'edit_file',
      args: { path: 'src/v4/core/versions.ts', old_string: 'major: 4', new_string: 'major: 5' },
      expect: { is: 'ok' },
    },
    {
      title: 'runs a pipeline',
      tool: 'shell',
      args: {
        command: "grep -rhoE '^export (function|const|class|interface|type)' src/v4/core | sort | uniq -c | sort -rn",
      },
      expect: { is: 'ok', shows: /export interface/ },
    },
    {
      title: 'sees its edit there',
      tool: 'shell',
      args: { command: 'cat src/v4/core/versions.ts | grep -c "major: 5"' },
      expect: { is: 'ok', shows: /1/ },
    },
    {
      title: 'evaluates JavaScript',
      tool: 'run_javascript',
      args: { code: '[1, 2, 3, 4].map((n) => n ** 2).reduce((a, b) => a + b)' },
      expect: { is: 'ok', shows: /30/ },
    },
    {
      title: 'writes a note',
      tool: 'write_file',
      args: { path: 'NOTES.md', content: '# Release\n\nBumped the major version.\n' },
      expect: { is: 'ok' },
    },
  ],
};

const SECRETS: DemoChapter = {
  heading: 'What the rule deny read_file(**/.env) keeps closed, whatever the way',
  steps: [
    { title: 'reads .env by tool', tool: 'read_file', args: { path: '.env' }, expect: { is: 'error', kind: 'denied' } },
    { title: 'reads .env by cat', tool: 'shell', args: { command: 'cat .env' }, expect: { is: 'refused' } },
    {
      title: 'hides the name',
      tool: 'shell',
      args: { command: 'f=.e; f="$f"nv; cat "$f"' },
      expect: { is: 'refused' },
    },
    {
      title: 'reads it by a planted link',
      tool: 'read_file',
      args: { path: 'config/current' },
      expect: { is: 'refused' },
    },
    {
      title: 'makes a link of its own',
      tool: 'shell',
      args: { command: 'ln -s .env peek && cat peek' },
      expect: { is: 'refused' },
    },
    {
      title: 'greps for it',
      tool: 'shell',
      args: { command: 'grep -r DEMO_SECRET . > found || cat found && test -s found' },
      expect: { is: 'refused' },
    },
  ],
};

const ESCAPES: DemoChapter = {
  heading: 'What must not get out, or take the machine with it',
  steps: [
    {
      title: 'climbs out by tool',
      tool: 'read_file',
      args: { path: '../outside.txt' },
      expect: { is: 'error', kind: 'execution', code: 'path_escape' },
    },
    {
      title: 'climbs out by shell',
      tool: 'shell',
      args: { command: 'cat ../outside.txt || cat ../../outside.txt' },
      expect: { is: 'refused' },
    },
    {
      title: 'loops in the shell',
      tool: 'shell',
      args: { command: 'while true; do :; done', timeout_ms: 1000 },
      expect: { is: 'stopped', cause: 'timeout' },
    },
    {
      title: 'loops in JavaScript',
      tool: 'run_javascript',
      args: { code: 'for (;;);', timeout_ms: 1000 },
      expect: { is: 'error', kind: 'execution', code: 'timeout' },
    },
    {
      title: 'eats all memory',
      tool: 'run_javascript',
      args: { code: 'const hoard = []; for (;;) hoard.push(new Array(1e5).fill(hoard.length))', timeout_ms: 20_000 },
      expect: { is: 'error', kind: 'execution', code: 'oom' },
    },
    {
      title: 'still works after that',
      tool: 'shell',
      args: { command: 'echo alive; cat NOTES.md | wc -l' },
      expect: { is: 'ok', shows: /alive/ },
    },
  ],
};

const MISTAKES: DemoChapter = {
  heading: 'What is answered before anything runs',
  steps: [
    {
      title: 'a denied command',
      tool: 'shell',
      args: { command: 'rm -rf src' },
      expect: { is: 'error', kind: 'denied' },
    },
    {
      title: 'one that needs a person',
      tool: 'shell',
      args: { command: 'git push origin main' },
      expect: { is: 'awaiting-approval' },
    },
    { title: 'an unknown tool', tool: 'launch_rocket', args: {}, expect: { is: 'error', kind: 'not-found' } },
    { title: 'bad arguments', tool: 'read_file', args: { path: 42 }, expect: { is: 'error', kind: 'validation' } },
    { title: 'a tool with no sandboxed form', tool: 'deploy', args: {}, expect: { is: 'error', kind: 'sandbox' } },
  ],
};

/** The whole demo, in order. */
export const CHAPTERS: readonly DemoChapter[] = [WORK, SECRETS, ESCAPES, MISTAKES];

/** Programs worth naming to a model, where an image has them. */
export const KNOWN_TOOLS: readonly string[] = [
  'git',
  'node',
  'npm',
  'python3',
  'pip3',
  'rg',
  'curl',
  'make',
  'gcc',
  'g++',
  'jq',
  'go',
  'cargo',
  'java',
  'ruby',
  'perl',
];

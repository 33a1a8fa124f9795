/** The import direction of the design: every arrow not listed here is an error. */
const may = (folder, targets) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  severity: 'error',
  comment: `${folder} may import only ${targets.join(', ') || 'itself'}`,
  from: { path: `^${folder}/` },
  to: { path: '^(src|sandbox)/', pathNot: [folder, ...targets].map((target) => `^${target}(/|\\.ts$)`) },
});

/** Within the permissions, from the words of a text up to the decision on a call. */
const permissions = (folder, targets, beside = []) =>
  may(`src/permissions/${folder}`, [...targets.map((target) => `src/permissions/${target}`), ...beside]);
const inPermissions = [
  permissions('text', []),
  permissions('paths', ['text']),
  permissions('shell/programs', ['text'], ['src/sandbox']),
  permissions('shell/syntax', ['text', 'shell/programs']),
  permissions('shell/layers', ['text', 'paths', 'shell/programs', 'shell/syntax']),
  permissions('shell/touches', ['text', 'shell/programs', 'shell/syntax', 'shell/layers']),
  permissions('shell', ['text', 'paths'], ['src/sandbox']),
  permissions('rules', ['text', 'paths', 'shell/programs', 'shell/syntax'], ['src/sandbox', 'src/checks']),
  permissions('decision', ['text', 'paths', 'shell', 'rules']),
  permissions('policy-files', ['rules', 'policy']),
];

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    may('sandbox/protocol', []),
    may('src/checks', []),
    may('sandbox/files', ['sandbox/protocol']),
    may('sandbox/isolate', ['sandbox/protocol', 'sandbox/files']),
    may('sandbox/container', ['sandbox/protocol', 'sandbox/files']),
    may('sandbox/exec-files', ['sandbox/protocol', 'sandbox/files', 'sandbox/container']),
    may('src/sandbox', ['sandbox/protocol', 'src/checks']),
    may('src/permissions', ['src/sandbox', 'src/checks']),
    ...inPermissions,
    may('src/tool', ['src/sandbox', 'src/checks']),
    may('src/tools', ['src/tool', 'src/sandbox', 'src/checks']),
    may('src/host', ['src/tool', 'src/permissions', 'src/sandbox', 'src/checks']),
    may('src/testing', ['src/sandbox']),
    may('src/interop', ['src/host', 'src/tool', 'src/tools', 'src/permissions', 'src/sandbox', 'src/checks']),
    may('src/cli', ['src/host', 'src/tool', 'src/tools', 'src/permissions', 'src/sandbox', 'src/interop']),
    {
      name: 'unsafe-host-entry-imports',
      severity: 'error',
      comment: 'src/unsafe-host.ts is the entry of src/sandbox/unsafe-host and of nothing else',
      from: { path: '^src/unsafe-host\\.ts$' },
      to: { path: '^(src|sandbox)/', pathNot: '^src/sandbox/unsafe-host/' },
    },
    {
      name: 'unsafe-host-only-by-name',
      severity: 'error',
      comment: 'nothing but its own entry leads to a session that isolates nothing',
      from: { path: '^(src|sandbox)/', pathNot: '^src/(unsafe-host\\.ts$|sandbox/unsafe-host/)' },
      to: { path: '^src/(unsafe-host\\.ts$|sandbox/unsafe-host/)' },
    },
    {
      name: 'sources-never-import-tests',
      severity: 'error',
      from: { path: '^(src|sandbox)/' },
      to: { path: '^(test|bench|examples)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node'] },
  },
};

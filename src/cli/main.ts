#!/usr/bin/env node
// Nothing is imported before the version is known: another Node fails inside a native module, with a message that
// helps nobody. Syntax stays plain for the same reason.
const major = Number.parseInt(process.versions.node, 10);

if (major === 24 || major === 26) {
  import('./compile-cache.js')
    .then(({ useCompileCache }) => {
      useCompileCache();
      return import('./program.js');
    })
    .then((program) => program.main(process.argv));
} else {
  process.stderr.write(
    `Caisson needs Node.js 24 or 26, and this is ${process.versions.node}: its sandbox has no build for other versions.\n` +
      'Run it with another Node: npx --package=node@24 --package=caisson -- caisson doctor\n' +
      'Or install Node.js 24 from https://nodejs.org\n',
  );
  process.exitCode = 4;
}

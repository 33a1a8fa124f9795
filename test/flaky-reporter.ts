import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Names, at the end of a run, each test that passed only when it was tried again: that is a bug nobody saw fail. */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests()].filter(isFlaky));
    for (const test of flaky)
      process.stdout.write(`FLAKY: ${test.module.relativeModuleId} > ${test.fullName}${causeOf(test)}\n`);
  }
}

function isFlaky(test: TestCase): boolean {
  return test.diagnostic()?.flaky === true;
}

function causeOf(test: TestCase): string {
  const message = test.result().errors?.[0]?.message.split('\n', 1)[0];
  return message === undefined ? '' : ` (failed first: ${message})`;
}

// Vitest reporter that lists flaky tests. CI retries a failed test once; this list keeps such tests visible in a green
// run.

import type { Reporter, TestModule } from 'vitest/node';

export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    console.log(`${flaky.length} of ${tests.length} tests passed only on retry`);
    for (const { module, fullName } of flaky) console.log(`  ${module.relativeModuleId}: ${fullName}`);
  }
}

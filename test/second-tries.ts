// On a shared machine a test may need a second try; it is given one in CI, and named here, so that none hides in a green run.

import type { Reporter, TestModule } from 'vitest/node';

export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    console.log(`${flaky.length} of ${tests.length} tests passed at a second try only`);
    for (const { module, fullName } of flaky) console.log(`  ${module.relativeModuleId}: ${fullName}`);
  }
}

import { defineConfig } from 'vitest/config';
import LongestFirst from './test/longest-first.ts';
import { toldForks } from './test/told-forks.ts';

// Slow suites (`*.slow.test.ts`) run only with `npm run test:slow`.
const slow = process.env.SVC_SLOW === '1';

export default defineConfig({
  test: {
    setupFiles: ['test/cpu-time-setup.ts', 'test/fast-check-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', 'test/judges/**', ...(slow ? [] : ['test/**/*.slow.test.ts'])],
    testTimeout: slow ? 600_000 : 120_000,
    hookTimeout: 120_000,
    // The default of 1 s is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    pool: toldForks,
    // Three of ten seconds of a file are spent waiting: for browsers, databases, timers of contracts.
    maxWorkers: 3,
    // The files of a worker share its modules: evaluating them anew for each file took half of the run. Mocks are
    // restored between files; each file has a database of its own.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // test/flaky-reporter.ts lists the tests that passed only on retry.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});

import { defineConfig } from 'vitest/config';

// Slow suites (`*.slow.test.ts`) run only with `npm run test:slow`.
const slow = process.env.SVC_SLOW === '1';

export default defineConfig({
  test: {
    setupFiles: ['test/fast-check-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', 'test/judges/**', ...(slow ? [] : ['test/**/*.slow.test.ts'])],
    testTimeout: slow ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // The default of 1 s is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // test/flaky-reporter.ts lists the tests that passed only on retry.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});

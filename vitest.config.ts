import { defineConfig } from 'vitest/config';

// Slow suites (`*.slow.test.ts`) run only behind `npm run test:slow`.
const slow = process.env.SVC_SLOW === '1';

export default defineConfig({
  test: {
    setupFiles: ['test/properties.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', 'test/judges/**', ...(slow ? [] : ['test/**/*.slow.test.ts'])],
    testTimeout: slow ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // On a busy machine a second is nothing.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Those that need it are named by test/second-tries.ts.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});

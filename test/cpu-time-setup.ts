// Vitest setup that measures the processor time of a test file in its worker: imports, tests and hooks, but not the
// processes that the tests start.

import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: processor time of the worker, in milliseconds. */
    cpuMs?: number;
  }
}

const before = process.cpuUsage();

// Hooks run in reverse order of their registration, so this one runs after those of the file.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern
afterAll(({}, { file }) => {
  const { user, system } = process.cpuUsage(before);
  file.meta.cpuMs = Math.round((user + system) / 1000);
});

// Statements of the hot path on a database of some size; hot-path.slow.test.ts has the full one.

import { testDatabases } from './databases.ts';
import { describeHotPath } from './plans/hot-path.ts';

for (const database of testDatabases())
  describeHotPath(database, { machines: 4_000, rows: 40_000, instances: 12_000, runs: 8_000, keys: 4_000 }, 120_000);

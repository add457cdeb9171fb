// Statements of the hot path at 10⁶ rows and 10⁵ machines.

import { testDatabases } from './databases.ts';
import { describeHotPath } from './plans/hot-path.ts';

for (const database of testDatabases())
  describeHotPath(
    database,
    { machines: 100_000, rows: 1_000_000, instances: 400_000, runs: 100_000, keys: 100_000 },
    1_200_000,
  );

// Each defence against a threat that was once met, taken out by itself: some test of the file that docs/security.md names
// for it fails.

import { expect, test } from 'vitest';
import { databaseUrl } from '../storage/databases.ts';
import { outcomesWith } from './holes/planted-project.ts';
import { THREATS } from './holes/threats.ts';

const possible = THREATS.filter(({ isShared = false }) => !isShared || databaseUrl !== undefined);

test.each(possible)('$threat if $file allows it', { timeout: 600_000 }, async (threat) => {
  const outcomes = await outcomesWith([threat], [threat.test]);
  expect(outcomes.size).toBeGreaterThan(0);
  expect([...outcomes.values()]).toContain('failed');
});

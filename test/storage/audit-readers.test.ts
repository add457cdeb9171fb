// Every statement that reads the table `audit` is known: a new one would miss the rows that are in the archive.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';

/**
 * Statements by file. Whoever adds one reads archived rows as well, or needs only rows that are never archived: those
 * that no checkpoint covers, and the newest of each machine (LIMITS.archive.keptRows).
 */
const KNOWN: Readonly<Record<string, number>> = {
  'src/storage/anchors/anchors.ts': 5,
  'src/storage/contracts/settled-rows.ts': 1,
  'src/storage/fsck/anchors.ts': 1,
  'src/storage/fsck/archive.ts': 1,
  'src/storage/fsck/machines.ts': 2,
  'src/storage/fsck/node.ts': 3,
  'src/storage/fsck/outbox.ts': 1,
  'src/storage/fsck/sealed.ts': 1,
  'src/storage/fsck/sent-events.ts': 3,
  'src/storage/machines/archive/move.ts': 3,
  'src/storage/machines/audit.ts': 14,
  'src/storage/machines/overview.ts': 4,
  'src/storage/machines/tally.ts': 3,
  'src/storage/machines/trees.ts': 1,
};

const readsOf = (text: string) => [...text.matchAll(/\b(?:from|join) audit\b(?! as )|\bfrom audit as\b/g)].length;

test('every statement that reads rows of chains is known', () => {
  const found = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((path): [string, number][] => {
    const count = readsOf(readFileSync(join(ROOT, path), 'utf8'));
    return count === 0 ? [] : [[path, count]];
  });
  expect(Object.fromEntries(found)).toEqual(KNOWN);
});

test('a statement in any form is counted', () => {
  expect(readsOf('select 1 from audit where x; left join audit on y; from audit as a; from audit_archive')).toBe(3);
});

// Child process of the crash test of the archive: moves ranges of a machine one after the other, printing each, until it
// is killed or none is left.
//
// argv: DatabaseOptions as JSON, folder of the archive, slug.

import { writeSync } from 'node:fs';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { moveRange, nextRange } from '../../src/storage/machines/archive/move.ts';
import { SHORT_RANGE_ROWS } from '../../src/storage/machines/archive/range-file.ts';
import { openStorage } from '../../src/storage/storage.ts';

const [json = '{}', archiveFolder = '', slug = ''] = process.argv.slice(2);
const storage = await openStorage({ ...(JSON.parse(json) as DatabaseOptions), archiveFolder });
const machine = await storage.machines.bySlug(slug);
if (machine === undefined) throw new Error(`${slug} is missing.`);
const { archive, trees, transaction, database } = storage;
const options = { archive, trees, transaction, on: database.knex, rangeRows: SHORT_RANGE_ROWS };
const movable = { id: machine.id, slug, end: machine.head.seq + 1, beforeSvcond: Number.MAX_SAFE_INTEGER };
writeSync(1, 'open\n');
for (let range = await nextRange(movable, options); range !== undefined; range = await nextRange(movable, options)) {
  await moveRange(movable, range, options);
  writeSync(1, `${range.first}\n`);
}
await storage.close();

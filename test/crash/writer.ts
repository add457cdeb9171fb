// Child process of the crash tests: opens the database, then stores runs, fields and idempotent answers in sequence,
// printing the id of each acknowledged row, until it is killed.
//
// argv: DatabaseOptions as JSON, account id.

import { createHash, randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { uuidV7 } from '../../src/core/ids.ts';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { openStorage } from '../../src/storage/storage.ts';

const [json = '{}', accountId = ''] = process.argv.slice(2);
const storage = await openStorage(JSON.parse(json) as DatabaseOptions);
if ((await storage.accounts.get(accountId)) === undefined) {
  await storage.accounts.insert({ id: accountId, kind: 'full', createdSvcond: 0, createdMs: 0 });
}

// Synchronous, so that the line is written before the next row starts.
function print(line: string): void {
  writeSync(1, `${line}\n`);
}

for (let turn = 1; ; turn++) {
  const id = uuidV7(turn, randomBytes(10));
  const bytes = createHash('sha512').update(id).digest();
  const request = {
    principal: accountId,
    key: id,
    route: 'POST /x',
    bodySha256: createHash('sha256').update(id).digest(),
  };
  const claim = await storage.idempotency.claim(request, id, 0);
  if (claim.kind !== 'claimed') throw new Error(`The new key ${id} is already claimed.`);
  await storage.transaction(async (on) => {
    const sha256 = await storage.fields.put(bytes, 1, undefined, on);
    const run = { id, folder: 'crash', solver: 'heat', valueText: '1', unit: 'K', svcond: turn, createdMs: turn };
    await storage.runs.insert(accountId, { ...run, envelope: sha256 }, on);
    await storage.idempotency.complete(claim.lease, { status: 200, headers: {}, body: Buffer.from(id) }, on);
  });
  print(id);
}

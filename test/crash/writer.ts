// The child of the crash tests: opens the database, then files runs, fields and idempotent answers one after the other,
// and prints the id of each when it was acknowledged, until it is killed.
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

// Synchronously, so that the line is out before the next row is begun.
function say(line: string): void {
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
  if (claim.kind !== 'claimed') throw new Error(`The new key ${id} was not free.`);
  await storage.transaction(async (on) => {
    const sha256 = await storage.fields.put(bytes, 1, on);
    const run = { id, folder: 'crash', solver: 'heat', valueText: '1', unit: 'K', svcond: turn, createdMs: turn };
    await storage.runs.insert(accountId, { ...run, envelope: sha256 }, on);
    await storage.idempotency.complete(claim.lease, { status: 200, headers: {}, body: Buffer.from(id) }, on);
  });
  say(id);
}

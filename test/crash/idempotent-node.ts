// Child process of the idempotency crash tests: a node that serves HTTP and kills itself at a given moment of the next
// call with an Idempotency-Key. Prints its URL, a key and the slug of a machine.
//
// argv: databaseUrl and schema, or dataFolder, as JSON; `before` or `after` the effect of the call is committed.

import { writeSync } from 'node:fs';
import { openLog } from '../../src/log.ts';
import { listen } from '../../src/server.ts';
import { RunRepository } from '../../src/storage/compute/runs.ts';
import { migratedDump } from '../storage/migrated-database.ts';
import { configurationOf } from './idempotent-configuration.ts';

const [json = '{}', moment] = process.argv.slice(2);
const { configuration, schema } = configurationOf(json);
const { url, services, storage } = await listen({
  configuration,
  log: openLog('error'),
  ...(schema === undefined ? { template: await migratedDump() } : { schema }),
});
const account = await services.keys.openAccount({ name: 'crash', scope: 'admin', rate_limit_tier: 'high' });
const by = await services.access.authenticate(account.key);
const { machine } = await services.machines.create(by, {}, 'crash');

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
};
// The answer is stored after the effects are committed, and rows before.
if (moment === 'after') storage.idempotency.complete = die;
else {
  storage.audit.insert = die;
  RunRepository.prototype.insert = die;
}
writeSync(1, `${JSON.stringify({ url, key: account.key, slug: machine.head.slug })}\n`);

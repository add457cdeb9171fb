// Child process of the crash test of events between machines: a node whose contracts pass calls to each other's machine,
// printing the number of each acknowledged call, until it is killed.
//
// argv: dataFolder, or databaseUrl and schema, as JSON; the first number.

import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { openLog } from '../../src/log.ts';
import { caller } from '../contracts/sends/caller.ts';
import { by, MASTER_KEY } from './crash-owner.ts';

const [json = '{}', first = '0'] = process.argv.slice(2);
const { schema, ...location } = JSON.parse(json) as { schema?: string; databaseUrl?: string; dataFolder?: string };
const { services, storage } = await compose({
  configuration: { ...readConfiguration({ SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' }), ...location },
  log: openLog('error'),
  leaseMs: 600,
  ...(schema === undefined ? {} : { schema }),
});
const machineOf = async (slug: string) =>
  (await storage.machines.bySlug(slug)) ?? (await services.machines.create(by, { slug }, 'crash')).machine;

const [shop, depot] = [await machineOf('shop'), await machineOf('depot')];
// The depot takes all calls; nobody takes those to the shop, which hears of each refusal.
if (depot.settings.events_from === undefined) {
  await services.machines.patch(depot, by, { settings: { events_from: ['shop'] } });
  for (const to of ['depot', 'nobody'])
    await services.contracts.deploy(shop, by, { definition: caller(to), name: `to ${to}` });
}
for (let n = Number(first); ; n++) {
  await services.machineLog.event(shop, by, { name: 'call', payload: { n }, key: String(n) });
  writeSync(1, `${n}\n`);
  if (n % 3 === 0) await setImmediate();
}

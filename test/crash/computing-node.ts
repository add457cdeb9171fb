// Child process of the crash test of activities: a node whose contract has laws computed and reads a web page, printing the
// number of each acknowledged event, until it is killed.
//
// argv: dataFolder and the address of the page, as JSON; the first number.

import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { openLog } from '../../src/log.ts';
import { meter, rated } from '../contracts/calls/meter.ts';
import { by, MASTER_KEY } from './crash-owner.ts';

const [json = '{}', first = '0'] = process.argv.slice(2);
const { url, ...location } = JSON.parse(json) as { url: string; dataFolder: string };
const environment = { SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1', SVC_OUTBOUND_ALLOW: '127.0.0.0/8' };
const { services, storage } = await compose({
  configuration: { ...readConfiguration(environment), ...location },
  log: openLog('error'),
  leaseMs: 600,
});
const known = await storage.machines.bySlug('meters');
const machine = known ?? (await services.machines.create(by, { slug: 'meters' }, 'crash')).machine;
if (known === undefined) {
  await services.machines.patch(machine, by, { settings: { http_allow: ['127.0.0.1'] } });
  const allowed = (await storage.machines.bySlug('meters')) ?? machine;
  await services.contracts.deploy(allowed, by, { definition: meter(), name: 'meter' });
  const patient = { retry: { tries: 10, backoff: 1 } };
  await services.contracts.deploy(allowed, by, { definition: rated({ url }, {}, patient), name: 'rated' });
}
for (let n = Number(first); ; n++) {
  await services.machineLog.event(machine, by, { name: 'body', payload: { m: 2, v: n }, key: `body ${n}` });
  await services.machineLog.event(machine, by, { name: 'ask', payload: { currency: String(n) }, key: `ask ${n}` });
  writeSync(1, `${n}\n`);
  if (n % 3 === 0) await setImmediate();
}

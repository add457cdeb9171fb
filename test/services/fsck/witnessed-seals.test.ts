// Seals that witnesses hold: their cosignatures show that the newest ones were deleted.

import { expect, test } from 'vitest';
import { readConfiguration } from '../../../src/configuration.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { ownMachines } from '../../http/machine-fixture.ts';
import { startService } from '../../http/service-fixture.ts';
import { CONNECTIONS_ENVIRONMENT, startWitness } from './connections-fixture.ts';
import { faultsAfter, truncateTo } from './planted-faults.ts';

const { witness, close } = await startWitness();
const environment = { ...CONNECTIONS_ENVIRONMENT, SVC_WITNESSES: `${witness.url} ${witness.verifier_key}` };
const service = await startService({}, environment);

test('a seal is given to the witnesses of the node, and cannot be deleted unnoticed afterwards', async () => {
  const { services } = service.running;
  const { witnesses } = readConfiguration(environment);
  expect(witnesses).toEqual([witness]);
  const own = ownMachines(service, 'witnessed');
  await own.machine();
  await services.seals.sealWhenDue();
  await services.sealLog.record();
  const set = () => services.anchorConfig.setWitnessesOfNode(witnesses);
  await set();
  await set();
  await services.anchorConfig.sweep(10);
  await services.anchorConfig.settled();
  await close();
  const node = await services.machines.getNodeMachine();
  expect(await services.anchorConfig.get(node)).toMatchObject({ version: 1, last_witnessed: [{ size: 3, ok: true }] });
  expect(await faultsAfter(service, async () => {})).toEqual([]);

  const found = await faultsAfter(service, async (on) => {
    await truncateTo(on, 'node', 0);
    for (const table of ['node_seal', 'sealed_head', 'anchor_config']) await rows(on, `delete from ${table}`);
  });
  expect(found).toMatchObject([{ machine: 'node', table: 'anchor_witness', code: 'CHECKPOINT', column: 'size' }]);

  await services.anchorConfig.setWitnessesOfNode([]);
  expect(await services.anchorConfig.get(node)).toMatchObject({ version: 2, witnesses: [] });
});

// Checkpoints of one node cosigned by another, over HTTP.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cosignatureTime } from '../../../src/chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey, verifierKey } from '../../../src/chain/note.ts';
import { readConfiguration } from '../../../src/configuration.ts';
import { openLog } from '../../../src/log.ts';
import { listen, type RunningService } from '../../../src/server.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { testSigner } from '../../chain/signer.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { type Composed, composed } from '../composition-fixture.ts';

let node: Composed;
let owner: Principal;
let machine: Machine;
let witness: RunningService;
let own: { url: string; verifier_key: string };

beforeAll(async () => {
  node = await composed({ SVC_OUTBOUND_ALLOW: '127.0.0.0/8' }, await inMemory());
  owner = await node.createOwner();
  machine = await node.machine(owner);
  const SVC_WITNESS_LOGS = node.services.trees.verifierKeyOf(machine);
  const configuration = readConfiguration({
    PORT: '0',
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_WITNESS_LOGS,
  });
  witness = await listen({ configuration, log: openLog('silent'), ...(await inMemory()) });
  own = { url: `${witness.url}/api/witness`, verifier_key: witness.services.witness.verifierKey };
});
afterAll(async () => {
  await witness.close();
  await node.close();
});

const submit = async (to: { url: string; verifier_key: string }, of = machine) => {
  const settings = { mothers: [], every_ticks: 60, witnesses: [to] };
  await node.services.anchorConfig.set(await node.reload(of), owner, settings);
  await node.appendEvent(of, owner);
  node.wait(60);
  await node.services.anchorConfig.sweep(10);
  await node.services.anchorConfig.settled();
  return (await node.services.anchorConfig.get(await node.reload(of))).last_witnessed[0];
};

test('each newer checkpoint is cosigned, also if this node has lost the size that the witness has', async () => {
  const key = parseVerifierKey(own.verifier_key);
  let size = 0;
  for (const isLost of [false, false, true]) {
    if (isLost) await node.storage.database.knex.raw('update anchor_witness set size = 1');
    const state = await submit(own);
    expect(state).toMatchObject({ url: own.url, ok: true, code: null, failures: 0 });
    expect(Number(state?.size)).toBeGreaterThan(size);
    size = Number(state?.size);
    const { note } = await node.services.trees.checkpoint(await node.reload(machine));
    const parsed = parseCheckpoint(`${note}${state?.cosignature}`);
    expect(key && parsed && cosignatureTime(parsed, key.name, key.publicKey)).toBeDefined();
  }
});

test('a response not signed by the configured key is refused', async () => {
  const another = verifierKey('witness.example', testSigner(9).publicKey, 'cosignature');
  const { failures = 0, cosignature } = (await submit(own)) ?? {};
  expect(await submit({ ...own, verifier_key: another })).toMatchObject({
    ok: false,
    code: 'WITNESS_REFUSED',
    failures: failures + 1,
    cosignature,
  });
});

test('a witness that rejects the log or cannot be reached is listed with the reason', async () => {
  const unknown = await node.machine(owner);
  expect(await submit(own, unknown)).toMatchObject({ ok: false, code: 'WITNESS_REFUSED', size: 0, cosignature: null });
  const unreachable = { ...own, url: 'http://127.0.0.1:9/api/witness' };
  expect(await submit(unreachable, unknown)).toMatchObject({ ok: false, code: 'ADDRESS_UNREACHABLE' });
  const internal = { ...own, url: 'http://10.0.0.1/api/witness' };
  expect(await submit(internal, unknown)).toMatchObject({ ok: false, code: 'ADDRESS_BLOCKED' });
});

test('a witness that never responds delays nothing, and is aborted when the node stops', async () => {
  const unresponsive = createServer(() => {});
  await new Promise<void>((resolve) => unresponsive.listen(0, '127.0.0.1', resolve));
  const stopping = await composed({ SVC_OUTBOUND_ALLOW: '127.0.0.0/8' }, await inMemory());
  const by = await stopping.createOwner();
  const [one, mother] = [await stopping.machine(by), await stopping.machine(by)];
  const requested = new Promise((resolve) => unresponsive.once('request', resolve));
  const url = `http://127.0.0.1:${(unresponsive.address() as AddressInfo).port}/w`;
  const settings = { mothers: [mother.head.slug], every_ticks: 60, witnesses: [{ ...own, url }] };
  await stopping.services.anchorConfig.set(one, by, settings);
  expect(await stopping.services.anchorConfig.sweep(10)).toBe(1);
  await requested;
  expect((await stopping.services.anchorConfig.get(one)).last).toMatchObject([{ ok: true }]);
  await stopping.close();
  unresponsive.closeAllConnections();
  await new Promise((resolve) => unresponsive.close(resolve));
});

// A node that has its checkpoints cosigned by another one, over HTTP.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cosignedAt } from '../../../src/chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey, verifierKey } from '../../../src/chain/note.ts';
import { readConfiguration } from '../../../src/configuration.ts';
import { openLog } from '../../../src/log.ts';
import { listen, type RunningService } from '../../../src/server.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { testSigner } from '../../chain/signer.ts';
import { type Composed, composed } from '../composed.ts';

let node: Composed;
let owner: Principal;
let machine: Machine;
let witness: RunningService;
let own: { url: string; verifier_key: string };

beforeAll(async () => {
  node = await composed({ SVC_OUTBOUND_ALLOW: '127.0.0.0/8' }, { inMemory: true });
  owner = await node.somebody();
  machine = await node.machine(owner);
  const SVC_WITNESS_LOGS = node.services.trees.verifierKeyOf(machine);
  const configuration = readConfiguration({
    PORT: '0',
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_WITNESS_LOGS,
  });
  witness = await listen({ configuration, log: openLog('silent'), inMemory: true });
  own = { url: `${witness.url}/api/witness`, verifier_key: witness.services.witness.verifierKey };
});
afterAll(async () => {
  await witness.close();
  await node.close();
});

const show = async (to: { url: string; verifier_key: string }, of = machine) => {
  const settings = { mothers: [], every_ticks: 60, witnesses: [to] };
  await node.services.anchorConfig.set(await node.now(of), owner, settings);
  await node.move(of, owner);
  node.wait(60);
  await node.services.anchorConfig.sweep(10);
  await node.services.anchorConfig.witnessed();
  return (await node.services.anchorConfig.get(await node.now(of))).last_witnessed[0];
};

test('each newer checkpoint is cosigned, also where we have forgotten what the witness remembers', async () => {
  const key = parseVerifierKey(own.verifier_key);
  let size = 0;
  for (const isForgotten of [false, false, true]) {
    if (isForgotten) await node.storage.database.knex.raw('update anchor_witness set size = 1');
    const state = await show(own);
    expect(state).toMatchObject({ url: own.url, ok: true, code: null, failures: 0 });
    expect(Number(state?.size)).toBeGreaterThan(size);
    size = Number(state?.size);
    const { note } = await node.services.trees.checkpoint(await node.now(machine));
    const parsed = parseCheckpoint(`${note}${state?.cosignature}`);
    expect(key && parsed && cosignedAt(parsed, key.name, key.publicKey)).toBeDefined();
  }
});

test('an answer that is not signed by the key that was named counts as none', async () => {
  const another = verifierKey('witness.example', testSigner(9).publicKey, 'cosignature');
  const { failures = 0, cosignature } = (await show(own)) ?? {};
  expect(await show({ ...own, verifier_key: another })).toMatchObject({
    ok: false,
    code: 'WITNESS_REFUSED',
    failures: failures + 1,
    cosignature,
  });
});

test('a witness that does not know the log, or is not there, is shown with the reason', async () => {
  const stranger = await node.machine(owner);
  expect(await show(own, stranger)).toMatchObject({ ok: false, code: 'WITNESS_REFUSED', size: 0, cosignature: null });
  const gone = { ...own, url: 'http://127.0.0.1:9/api/witness' };
  expect(await show(gone, stranger)).toMatchObject({ ok: false, code: 'ADDRESS_UNREACHABLE' });
  const inside = { ...own, url: 'http://10.0.0.1/api/witness' };
  expect(await show(inside, stranger)).toMatchObject({ ok: false, code: 'ADDRESS_BLOCKED' });
});

test('a witness that never answers keeps nobody waiting, and is called off when the node stops', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const stopping = await composed({ SVC_OUTBOUND_ALLOW: '127.0.0.0/8' }, { inMemory: true });
  const by = await stopping.somebody();
  const [one, mother] = [await stopping.machine(by), await stopping.machine(by)];
  const asked = new Promise((resolve) => silent.once('request', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/w`;
  const settings = { mothers: [mother.head.slug], every_ticks: 60, witnesses: [{ ...own, url }] };
  await stopping.services.anchorConfig.set(one, by, settings);
  expect(await stopping.services.anchorConfig.sweep(10)).toBe(1);
  await asked;
  expect((await stopping.services.anchorConfig.get(one)).last).toMatchObject([{ ok: true }]);
  await stopping.close();
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

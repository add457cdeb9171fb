// Fixture: connects machines to each other and to other nodes, by anchors, witnesses, oracles and seals; and issues
// tokens.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { cosignatureLine, parseSubmission } from '../../../src/chain/cosignature.ts';
import { treeRoot } from '../../../src/chain/merkle.ts';
import { signCheckpoint, type VerifierKey, verifierKey } from '../../../src/chain/note.ts';
import { TICK_NS } from '../../../src/core/clock.ts';
import type { Witness } from '../../../src/storage/anchors/settings.ts';
import { testSigner } from '../../chain/signer.ts';
import { advanceClock, type OwnMachines } from '../../http/machine-fixture.ts';
import type { Json, TestService } from '../../http/service-fixture.ts';
import { png } from '../machines/tally/image-fixtures.ts';

const logSigner = testSigner(9);
/** A log of another node, which this node witnesses. */
export const WITNESSED_LOG: VerifierKey = {
  name: 'log.example/a',
  publicKey: logSigner.publicKey,
  algorithm: 'ed25519',
};
/** Environment variables that the node needs for the connections. */
export const CONNECTIONS_ENVIRONMENT = {
  SVC_WITNESS_LOGS: verifierKey(WITNESSED_LOG.name, WITNESSED_LOG.publicKey),
  SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
};

/** No other slug differs from it by one bit, so that a bit flip never names another machine. */
const MOTHER = 'mother-of-all';
/** A period longer than any test. */
const LONG_PERIOD = 1_000_000;
const WAIT_MS = 20_000;
const POLL_MS = 50;

const gauge = (oracle?: object) => ({
  name: 'gauge',
  version: '1.0',
  operators: ['KO42'],
  initial: 'calm',
  events: { halt: {} },
  states: { calm: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    {
      id: 'end',
      from: 'calm',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'halt' },
    },
  ],
  ...(oracle === undefined ? {} : { oracle }),
});
const PUSHED = { kind: 'push', field: 'level', fn: 'last', unit: 'm', min: 0, max: 20 };
const FOLLOWING = { kind: 'machine', event: 'sample', field: 'level', fn: 'last', max_age: 10, every: 1_000_000_000 };

/**
 * @param small  an existing machine
 * @returns the slug of the machine that is anchored
 */
export async function connectMachines(service: TestService, own: OwnMachines, small: string): Promise<string> {
  await own.request('POST /api/chain/state-machines', 'admin', { slug: MOTHER, is_public: true }, 201);
  const child = await anchorAll(service, own, small);
  await issueTokens(own);
  await readOracles(service, own, small);
  const root = treeRoot([new Uint8Array(32)]);
  const note = signCheckpoint({ origin: WITNESSED_LOG.name, size: 1, root }, logSigner);
  await service.running.services.witness.addCheckpoint(`old 0\n\n${note}`);
  for (let i = 0; i < 3; i++) {
    await service.running.services.seals.newest();
    advanceClock(service, 100n * TICK_NS);
  }
  return child;
}

/** Creates a child of two mothers that has rotated its key, with a witness that cosigns its checkpoints. */
async function anchorAll(service: TestService, own: OwnMachines, small: string): Promise<string> {
  const child = await own.machine();
  const grow = async (events: number) => {
    for (let i = 0; i < events; i++) await own.event(child, 'grown');
    advanceClock(service, 100n * TICK_NS);
  };
  const anchor = (mother: string) =>
    own.request(`POST /api/chain/${mother}/anchor`, 'admin', { child_slug: child }, 201);
  await grow(2);
  await anchor(MOTHER);
  await anchor(small);
  await grow(5);
  await anchor(MOTHER);
  await grow(0);
  await own.request(`POST /api/chain/state-machines/${child}/anchor-key/rotate`, 'admin', {});
  await grow(6);
  await anchor(MOTHER);
  await grow(1);
  const configure = (slug: string, settings: Json) =>
    own.request(`PUT /api/chain/state-machines/${slug}/anchor-config`, 'admin', settings);
  await configure(small, { mothers: [MOTHER], every_ticks: LONG_PERIOD });
  await configure(small, {});
  const { witness, close } = await startWitness();
  await configure(child, { mothers: [MOTHER], every_ticks: LONG_PERIOD, witnesses: [witness] });
  const { anchorConfig } = service.running.services;
  await anchorConfig.sweep(10);
  await anchorConfig.settled();
  await close();
  return child;
}

/** A witness that cosigns every checkpoint. */
export async function startWitness(): Promise<{ readonly witness: Witness; close(): Promise<void> }> {
  const signer = testSigner(7);
  const server = createServer(async (request, response) => {
    const { parsed } = parseSubmission(await text(request)) ?? {};
    response.end(parsed && cosignatureLine(parsed, 'witness.example', signer, 1_700_000_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`;
  return {
    witness: { url, verifier_key: verifierKey('witness.example', signer.publicKey, 'cosignature') },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function issueTokens(own: OwnMachines): Promise<void> {
  const post = (path: string, json: Json) => own.request(`POST /api/chain/${MOTHER}/tally/${path}`, 'admin', json, 201);
  const mint = { unit: 'row', every: 1, amount: 2 };
  await post('token/genesis', { name: 'Heat', symbol: 'HEAT', max_supply: 100, mint });
  await post('mint-rate', { unit: 'tick', every: 10, amount: 3 });
  await post('mint-rate', { unit: 'row', every: 7, amount: 0 });
  for (const [width, height] of [
    [4, 6],
    [6, 4],
  ] as const)
    await post('token/avatar', { data: Buffer.from(png(width, height)).toString('base64') });
}

/** Deploys oracles with readings of all kinds: push oracles whose versions change, and one that follows a machine. */
async function readOracles(service: TestService, own: OwnMachines, small: string): Promise<void> {
  const at = `/api/chain/${MOTHER}/contracts`;
  const deploy = async (oracle: object) => {
    const answer = await own.request(`POST ${at}/custom`, 'admin', { definition: gauge(oracle) }, 201);
    return (answer.contract as { id: string }).id;
  };
  const push = async (id: string, ...values: number[]) => {
    for (const value of values) await own.request(`POST ${at}/${id}/readings`, 'admin', { value }, 201);
  };
  const change = (id: string, json: Json) => own.request(`PATCH ${at}/${id}`, 'admin', json);
  const [same, other, again] = [await deploy(PUSHED), await deploy(PUSHED), await deploy(PUSHED)];
  await push(same, 3, 30);
  await change(same, { name: 'renamed' });
  await push(same, 4, 31);
  await push(other, 5, 6, 32);
  await change(other, { definition: gauge({ ...PUSHED, unit: 'cm' }) });
  await push(other, 7);
  await push(again, 8, 9);
  await change(again, { definition: gauge() });
  await change(again, { definition: gauge(PUSHED) });
  await push(again, 33, 10);
  await own.event(small, 'sample', { payload: { level: 11 } });
  advanceClock(service, 100n * TICK_NS);
  const follower = await deploy({ ...FOLLOWING, machine: small });
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const { rows } = await own.request(`GET /api/chain/${MOTHER}/oracles`);
    if ((rows as Json[]).some((oracle) => oracle.contract === follower && oracle.stale === 1)) return;
    await sleep(POLL_MS);
    advanceClock(service, TICK_NS);
  }
  throw new Error('Timed out waiting for the oracle that follows a machine.');
}

// Timers through new versions: those with the same trigger continue, whatever else the version changes.

import { afterAll, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from './engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const { contracts, engine } = fixture;

const common = { from: 'open', to: 'open', operator: 'KO42', proof: false } as const;
const mint = (token: string) => ({ token: { op: 'mint', token, amount: '1', to: '"alice"' } });

const MINTING = {
  name: 'minting',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  parameters: { delay: { type: 'ticks', default: 5 }, period: { type: 'ticks', default: 10 } },
  events: { nudge: {}, ping: {}, close: {} },
  states: { open: { role: 'initial' }, closed: { role: 'terminal' } },
  transitions: [
    { ...common, id: 'once', trigger: { kind: 'one_shot', after: 'delay' }, post: [mint('once')] },
    { ...common, id: 'twice', trigger: { kind: 'recurring', every: 'period', max_fires: 2 }, post: [mint('twice')] },
    { ...common, id: 'nudged', trigger: { kind: 'event', event: 'nudge' }, post: [mint('nudge')] },
    {
      ...common,
      id: 'silent',
      trigger: { kind: 'on_aggregate', event: 'ping', fn: 'count', within: 3, evaluate: 'arrival_and_expiry' },
      fires_when: 'agg.count == 0',
      post: [mint('silence')],
    },
    { ...common, id: 'closing', to: 'closed', trigger: { kind: 'event', event: 'close' } },
  ],
} as const;

const definition = Definition.parse(MINTING);

async function deploy(changed: Definition = definition) {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await contracts.deploy(machine, OWNER, { definition: changed });
  const advance = async (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      fixture.setTick(engine.tick + 1);
      await engine.wake(machine.id);
    }
  };
  const minted = async (token: string) => {
    const balances = await storage.tokenBalances.list(machine.id);
    return balances.find((one) => one.token === token)?.amount ?? 0;
  };
  return { machine, id, advance, minted };
}

test('a rename fires neither a spent one-shot again nor a checked silence', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(8);
  for (const name of ['first', 'second']) {
    await contracts.patch(machine, OWNER, id, { name });
    await advance(4);
  }
  expect([await minted('once'), await minted('silence')]).toEqual([1, 1]);
});

test('a rename keeps the fires that count towards max_fires', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(12);
  await contracts.patch(machine, OWNER, id, { name: 'renamed' });
  await advance(40);
  expect(await minted('twice')).toBe(2);
});

test('a rename keeps an accepted skip, of a timer and of a match', async () => {
  const { machine, id, advance, minted } = await deploy();
  await contracts.skipNext(machine, OWNER, id);
  await contracts.patch(machine, OWNER, id, { name: 'renamed' });
  await advance(30);
  expect(await minted('once')).toBe(0);
  await contracts.skipNext(machine, OWNER, id);
  await contracts.patch(machine, OWNER, id, { name: 'renamed again' });
  await engine.ingest(machine.id, '', { name: 'nudge' });
  expect(await minted('nudge')).toBe(0);
  await engine.ingest(machine.id, '', { name: 'nudge' });
  expect(await minted('nudge')).toBe(1);
});

test('a timer continues under another id, and a changed one starts again after this tick', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(6);
  const [once, ...others] = MINTING.transitions;
  const renamed = Definition.parse({ ...MINTING, transitions: [{ ...once, id: 'only_once' }, ...others] });
  await contracts.patch(machine, OWNER, id, { definition: renamed });
  await advance(10);
  expect(await minted('once')).toBe(1);
  await contracts.patch(machine, OWNER, id, { parameters: { delay: 6 } });
  await advance(2);
  expect(await minted('once')).toBe(2);
});

test('a raised max_fires lets a spent timer fire again', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(25);
  const raised = Definition.parse({
    ...MINTING,
    transitions: MINTING.transitions.map((one) =>
      one.id === 'twice' ? { ...one, trigger: { ...one.trigger, max_fires: 3 } } : one,
    ),
  });
  await contracts.patch(machine, OWNER, id, { definition: raised });
  await advance(40);
  expect(await minted('twice')).toBe(3);
});

test('parameters that are none of a timer, a rollback and a pause re-fire nothing', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(7);
  await contracts.patch(machine, OWNER, id, { parameters: { period: 12 } });
  await contracts.pause(machine, OWNER, id);
  await contracts.rollback(machine, OWNER, id, 1, false);
  await contracts.resume(machine, OWNER, id, 'deadline');
  await advance(40);
  expect([await minted('once'), await minted('twice')]).toEqual([1, 2]);
});

test('fires after a reset count as a new entry', async () => {
  const { machine, id, advance, minted } = await deploy();
  await advance(7);
  await contracts.patch(machine, OWNER, id, { name: 'anew' }, { reset: true });
  await advance(6);
  expect(await minted('once')).toBe(2);
  const entries = (await contracts.fires(machine, id, { limit: 50 })).filter(({ transition }) => transition === 'once');
  expect(entries.map(({ entry }) => entry)).toEqual([2, 1]);
});

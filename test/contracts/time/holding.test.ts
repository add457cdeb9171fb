// Deadlines of the second edition cannot be avoided by hand: who may not fire may not skip, pause or freeze either.

import { afterAll, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import type { ErrorCode } from '../../../src/core/errors.ts';
import { DomainError } from '../../../src/core/errors.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());

const common = { operator: 'KO42', proof: false };
const START = 1_000;

/** A release by deadline, which an event can prevent. */
function release(more: object = {}, deadline: object = {}): Definition {
  return Definition.parse({
    name: 'release',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'held',
    events: { dispute: {} },
    states: { held: { role: 'initial' }, released: { role: 'terminal' }, disputed: { role: 'terminal' } },
    transitions: [
      {
        ...common,
        id: 'releasing',
        from: 'held',
        to: 'released',
        trigger: { kind: 'deadline', after: 'PT10M' },
        ...deadline,
      },
      { ...common, id: 'disputing', from: 'held', to: 'disputed', trigger: { kind: 'event', event: 'dispute' } },
    ],
    ...more,
  });
}

const OPERATOR: Principal = { ...OWNER, zid: 'd'.repeat(32) };

async function deployed(definition: Definition) {
  const fixture = await createEngineFixture(storage);
  fixture.roles.set(OPERATOR.zid ?? '', 'operator');
  fixture.setTick(START);
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition });
  return { ...fixture, machine, id };
}

async function codeOf(call: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

test('nobody skips, pauses or freezes a deadline that nobody fires by hand, and it fires', async () => {
  const { contracts, engine, machine, id, setTick } = await deployed(release());
  for (const by of [OPERATOR, OWNER]) {
    expect(await codeOf(contracts.fire(machine, by, id, { transition: 'releasing' }))).toBe('FORBIDDEN');
    expect(await codeOf(contracts.skipNext(machine, by, id))).toBe('FORBIDDEN');
    expect(await codeOf(contracts.pause(machine, by, id))).toBe('FORBIDDEN');
    expect(await codeOf(contracts.freeze(machine, by, id))).toBe('FORBIDDEN');
  }
  setTick(START + 1_000);
  await engine.wake(machine.id);
  expect((await contracts.get(machine, id)).contract).toMatchObject({ currentState: 'released', status: 'completed' });
});

test('the role in manual skips it, and others do not', async () => {
  const { contracts, machine, id } = await deployed(release({}, { manual: 'admin' }));
  expect(await codeOf(contracts.skipNext(machine, OPERATOR, id))).toBe('FORBIDDEN');
  expect(await codeOf(contracts.skipNext(machine, OWNER, id))).toBeUndefined();
});

test('pause says who may pause and freeze; a pause that is allowed may move the deadline', async () => {
  const { contracts, machine, id, setTick } = await deployed(release({ pause: 'operator' }));
  const { next_fire: before } = (await contracts.get(machine, id)).contract;
  expect(await codeOf(contracts.pause(machine, OPERATOR, id))).toBeUndefined();
  setTick(START + 100);
  await contracts.resume(machine, OPERATOR, id, 'remaining');
  expect((await contracts.get(machine, id)).contract.next_fire).toBe((before ?? 0) + 100);
  expect(await codeOf(contracts.skipNext(machine, OWNER, id))).toBe('FORBIDDEN');
  expect(await codeOf(contracts.freeze(machine, OWNER, id))).toBeUndefined();
});

test('only admins pause where pause is admin', async () => {
  const { contracts, machine, id } = await deployed(release({ pause: 'admin' }));
  expect(await codeOf(contracts.pause(machine, OPERATOR, id))).toBe('FORBIDDEN');
  expect(await codeOf(contracts.pause(machine, OWNER, id))).toBeUndefined();
});

test('a contract without such transitions is paused by operators, as before', async () => {
  const { contracts, machine, id } = await deployed(release({}, { manual: 'operator' }));
  expect(await codeOf(contracts.pause(machine, OPERATOR, id))).toBeUndefined();
});

test('a failed contract is resumed with its deadlines where they were', async () => {
  const spending = {
    ...common,
    id: 'spending',
    from: 'held',
    to: 'held',
    trigger: { kind: 'event', event: 'spend' },
    post: [{ token: { op: 'spend', token: 'coin', amount: '1', from: '"alice"' } }],
  };
  const sound = release();
  const definition = Definition.parse({
    ...sound,
    events: { ...sound.events, spend: {} },
    transitions: [...sound.transitions, spending],
  });
  const { contracts, engine, machine, id } = await deployed(definition);
  for (let i = 0; i < 5; i++) await engine.ingest(machine.id, OWNER.zid ?? '', { name: 'spend' });
  expect((await contracts.get(machine, id)).contract.status).toBe('failed');
  expect(await codeOf(contracts.resume(machine, OWNER, id, 'remaining'))).toBe('FORBIDDEN');
  expect(await codeOf(contracts.resume(machine, OWNER, id, 'restart'))).toBe('FORBIDDEN');
  expect(await codeOf(contracts.resume(machine, OWNER, id, 'deadline'))).toBeUndefined();
});

test('a match of an event is skipped only by those who may fire each of the transitions on events', async () => {
  const base = release();
  const [, disputing] = base.transitions;
  const waiting = (manual: string) =>
    Definition.parse({
      ...base,
      states: { held: { role: 'initial' }, disputed: { role: 'terminal' } },
      transitions: [{ ...disputing, manual }],
    });
  const strict = await deployed(waiting('never'));
  expect(await codeOf(strict.contracts.skipNext(strict.machine, OWNER, strict.id))).toBe('FORBIDDEN');
  const open = await deployed(waiting('operator'));
  expect(await codeOf(open.contracts.skipNext(open.machine, OPERATOR, open.id))).toBeUndefined();
});

test('the first edition keeps its rules', async () => {
  const first = Definition.parse({
    ...release(),
    edition: undefined,
    transitions: release().transitions.map((one) =>
      one.id === 'releasing' ? { ...one, trigger: { kind: 'one_shot', after: 10 } } : one,
    ),
  });
  const { contracts, machine, id } = await deployed(first);
  expect(await codeOf(contracts.pause(machine, OPERATOR, id))).toBeUndefined();
  expect(await codeOf(contracts.resume(machine, OPERATOR, id, 'restart'))).toBeUndefined();
  expect(await codeOf(contracts.skipNext(machine, OPERATOR, id))).toBeUndefined();
});

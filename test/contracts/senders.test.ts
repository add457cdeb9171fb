// Senders: deadlines are not fired by hand, the engine names the sender, and a name in a payload is no identity.

import { afterAll, describe, expect, test } from 'vitest';
import { Definition } from '../../src/contracts/definition.ts';
import type { Principal } from '../../src/services/access/access.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';
import escrow from './first-edition/escrow-dispute-window.json' with { type: 'json' };
import twoPersons from './first-edition/two-person-approval.json' with { type: 'json' };
import { createEngineFixture, OWNER } from './lifecycle/engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const { contracts, engine, roles } = fixture;

const zid = (letter: string) => letter.repeat(32);
const as = (letter: string): Principal => ({ ...OWNER, zid: zid(letter) });
roles.set(zid('0'), 'operator').set(zid('a'), 'admin');
const OPERATOR = as('0');
const ADMIN = as('a');

async function deploy(definition: unknown) {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await contracts.deploy(machine, OWNER, { definition: Definition.parse(definition) });
  const send = (letter: string, name: string, payload: Readonly<Record<string, unknown>> = {}) =>
    engine.ingest(machine.id, zid(letter), { name, payload });
  const state = async () => (await contracts.get(machine, id)).contract.currentState;
  return { machine, id, send, state };
}

const common = { operator: 'KO42', proof: false } as const;
const base = { name: 'door', version: '1.0', operators: ['KO42'], initial: 'closed' } as const;
const states = { closed: { role: 'initial' }, open: { role: 'terminal' } } as const;

describe('firing by hand', () => {
  test('an operator cannot pay the seller of the escrow before its window closes; an admin can', async () => {
    const { machine, id, send, state } = await deploy(escrow);
    await send('b', 'deposit', { amount: 1_000 });
    await send('c', 'delivered', { carrier: 'x' });
    expect(await state()).toBe('inspection');
    const named = { transition: 'window_closed' };
    await expect(contracts.fire(machine, OPERATOR, id, named)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await contracts.fire(machine, OPERATOR, id)).fired).toBe(false);
    expect(await state()).toBe('inspection');
    expect((await contracts.fire(machine, ADMIN, id, named)).fired).toBe(true);
  });

  test.each([
    ['never', 'open', false, false],
    ['operator', 'deadline', true, true],
    ['admin', 'open', false, true],
  ])('the role %s of %s decides', async (manual, transition, isOperatorAllowed, isAdminAllowed) => {
    const rule = (id: string) => (id === transition ? { manual } : {});
    const definition = {
      ...base,
      events: { push: {} },
      states,
      transitions: [
        {
          ...common,
          ...rule('open'),
          id: 'open',
          from: 'closed',
          to: 'open',
          trigger: { kind: 'event', event: 'push' },
        },
        {
          ...common,
          ...rule('deadline'),
          id: 'deadline',
          from: 'closed',
          to: 'open',
          trigger: { kind: 'one_shot', after: 9 },
        },
      ],
    };
    for (const [by, isAllowed] of [
      [OPERATOR, isOperatorAllowed],
      [ADMIN, isAdminAllowed],
    ] as const) {
      const { machine, id } = await deploy(definition);
      const fired = contracts.fire(machine, by, id, { transition }).then((answer) => answer.fired);
      if (isAllowed) expect(await fired).toBe(true);
      else await expect(fired).rejects.toMatchObject({ code: 'FORBIDDEN', facts: { transition, manual } });
    }
  });
});

describe('the sender', () => {
  test('one key is one person, whatever names it gives', async () => {
    const { send, state } = await deploy(twoPersons);
    await send('c', 'request_change', { by: 'carol', actor: 'carol' });
    await send('b', 'approve', { by: 'ann', actor: 'ann' });
    await send('b', 'approve', { by: 'bob', actor: 'bob' });
    expect(await state()).toBe('half_approved');
    await send('d', 'approve');
    expect(await state()).toBe('approved');
  });

  test('a requester cannot approve by hand with the name of another', async () => {
    const { machine, id, send, state } = await deploy(twoPersons);
    await send('c', 'request_change');
    await contracts.fire(machine, as('c'), id, { transition: 'first', payload: { actor: zid('d') } });
    expect(await state()).toBe('requested');
    await send('d', 'approve');
    expect(await state()).toBe('half_approved');
  });

  const VOTES = {
    ...base,
    context: { by: { type: 'string', initial: '' } },
    events: { vote: {}, relay: {}, relayed: {} },
    emits: ['relayed'],
    states,
    transitions: [
      {
        ...common,
        id: 'elect',
        from: 'closed',
        to: 'open',
        trigger: { kind: 'on_aggregate', event: 'vote', fn: 'distinct', field: 'actor', within: 100 },
        fires_when: 'agg.value >= 2',
        post: [{ set: { by: 'event.actor' } }],
      },
      {
        ...common,
        id: 'relay',
        from: 'closed',
        to: 'closed',
        trigger: { kind: 'event', event: 'relay' },
        post: [{ emit: 'relayed' }],
      },
      {
        ...common,
        id: 'hear',
        from: 'closed',
        to: 'open',
        trigger: { kind: 'event', event: 'relayed', self: true },
        fires_when: 'event.actor != by',
        post: [{ set: { by: 'event.actor' } }],
      },
    ],
  };

  test('windows count distinct senders, also after a restart', async () => {
    const { machine, id, send, state } = await deploy(VOTES);
    await send('b', 'vote', { actor: 'x' });
    await send('b', 'vote', { actor: 'y' });
    engine.runtimes.evict(machine.id);
    await send('b', 'vote');
    expect(await state()).toBe('closed');
    await send('c', 'vote');
    expect((await contracts.get(machine, id)).contract).toMatchObject({
      currentState: 'open',
      context: { by: zid('c') },
    });
  });

  test('a contract that emits an event is its sender', async () => {
    const { machine, id, send } = await deploy(VOTES);
    await send('b', 'relay');
    expect((await contracts.get(machine, id)).contract).toMatchObject({ currentState: 'open', context: { by: id } });
  });

  test('callers cannot send what a contract emits, unless it is declared open', async () => {
    const { send, state } = await deploy(VOTES);
    const answer = await send('b', 'relayed');
    expect(answer.fired).toEqual([]);
    expect(answer.ignored).toMatchObject([{ code: 'RESERVED_NAME' }]);
    expect(await state()).toBe('closed');
    const open = await deploy({ ...VOTES, events: { ...VOTES.events, relayed: { open: true } } });
    await open.send('b', 'relayed');
    expect(await open.state()).toBe('open');
  });
});

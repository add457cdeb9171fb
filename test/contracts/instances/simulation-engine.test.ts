// Simulation and live engine: random events of several keys, and time, lead to the same fires, refusals and states.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import type { Definition } from '../../../src/contracts/definition.ts';
import { type ScenarioStep, simulate } from '../../../src/contracts/simulate.ts';
import { isoFromNs, startOfTick } from '../../../src/core/clock.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { environment } from '../authoring/authoring-fixture.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { CARDS } from './cards.ts';
import { OWN_LOANS } from './loans.ts';
import { ORDERS, TILLS } from './orders.ts';
import { randomOf } from './random.ts';

let storage: Storage;
let fixture: EngineFixture;

beforeAll(async () => {
  storage = await openStorage(await inMemory());
  fixture = await createEngineFixture(storage);
});
afterAll(() => storage.close());

/** Its instant is a whole number of milliseconds. */
const START = 2_000_000_000;
const STEPS = 60;

interface Kind {
  readonly definition: Definition;
  readonly keys: readonly unknown[];
  readonly events: Readonly<Record<string, (key: unknown, amount: unknown) => Record<string, unknown>>>;
  /** ZIDs of senders; those of the contract's parties are bound to them in a simulation, too. */
  readonly senders?: readonly string[];
}

/** Parties that only instances bind, so that both bind the same accounts. */
const { bank: _, auditors: __, ...OWN_PARTIES } = OWN_LOANS.parties ?? {};
const LENT: Definition = {
  ...OWN_LOANS,
  parties: { ...OWN_PARTIES, lender: { bind: 'event.lender' } },
  events: {
    ...OWN_LOANS.events,
    ask: { payload: { loan: 'string', amount: 'integer', lender: 'string' }, from: 'borrower' },
    grant: { payload: { loan: 'string' }, from: 'lender' },
  },
  transitions: OWN_LOANS.transitions.map((one) => {
    const by = one.by === undefined ? {} : { by: ['lender', 'borrower'] };
    const { trigger } = one;
    return trigger.kind === 'quorum'
      ? { ...one, trigger: { ...trigger, of: ['lender', 'borrower'] } }
      : { ...one, ...by };
  }),
};
const [CARL, DORA, ERIC] = ['7', '8', '9'].map((digit) => digit.repeat(32)) as [string, string, string];
const lentEvents: Kind['events'] = {
  ask: (loan, amount) => ({ loan, amount, lender: amount === 5 ? 'nobody' : DORA }),
  grant: (loan) => ({ loan }),
  repay: (loan, amount) => ({ loan, amount }),
  check: (loan, amount) => ({ loan, ok: amount !== 3 }),
  note: (loan) => ({ loan, text: 'x' }),
};

const orderEvents: Kind['events'] = {
  order: (order_id, amount) => ({ order_id, amount }),
  item: (order_id) => ({ order_id, name: 'x' }),
  pay: (order_id, amount) => ({ order_id, amount }),
  ship: (order_id) => ({ order_id }),
};
const tillEvents: Kind['events'] = {
  open_till: (till, amount) => ({ till, amount }),
  take: (till, amount) => ({ till, amount }),
  close: (till, amount) => ({ till, amount }),
};

const KINDS: Readonly<Record<string, Kind>> = {
  orders: { definition: ORDERS, keys: ['a', 'b/c', '2026 №7', '..', undefined], events: orderEvents },
  'orders that return': { definition: { ...ORDERS, respawn: true }, keys: ['a', 'b', 'c'], events: orderEvents },
  'loans with parties': {
    definition: LENT,
    keys: ['a', 'b', 'c', 'd', 'e'],
    events: lentEvents,
    senders: [CARL, DORA, DORA, ERIC],
  },
  'cards with windows': {
    definition: CARDS,
    keys: ['a', 'b', 'c'],
    events: {
      issue: (card, amount) => ({ card, amount }),
      ...Object.fromEntries(
        ['paid', 'paid ', 'paid  ', 'least'].map((name) => [
          name,
          (card: unknown, amount: unknown) => ({ card, amount }),
        ]),
      ),
    },
  },
  'tills with one purse': { definition: TILLS, keys: [3, 1, 20, 1.5], events: tillEvents },
};

/** Events at random times; sometimes with a value of the wrong type. */
function randomSteps(seed: number, { keys, events, senders }: Kind): ScenarioStep[] {
  const random = randomOf(seed);
  const below = (n: number) => Math.floor(random() * n);
  const names = Object.keys(events);
  const length = senders === undefined ? STEPS : 4 * STEPS;
  const steps = Array.from({ length }, (): ScenarioStep => {
    const send = names[below(names.length)] as string;
    const amount = below(12) === 0 ? 'many' : below(6);
    const payload = events[send]?.(keys[below(keys.length)], amount) ?? {};
    const by = senders?.[below(senders.length)];
    return { after: below(5), send: send.trim(), payload, ...(by === undefined ? {} : { by }) };
  });
  return [...steps, { after: 30 }];
}

interface Outcome {
  readonly fires: readonly object[];
  readonly refused: readonly object[];
  readonly emitted: readonly object[];
  readonly states: Readonly<Record<string, object>>;
  readonly balances: readonly string[];
}

const refusalOf = (one: {
  readonly code: string;
  readonly reason: string;
  readonly instance?: string | undefined;
}) => ({
  code: one.code,
  reason: one.reason,
  instance: one.instance ?? null,
});

async function onNode(definition: Definition, steps: readonly ScenarioStep[]): Promise<Outcome> {
  fixture.setTick(START);
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition });
  let tick = START;
  const refused: object[] = [];
  const wake = async () => {
    for (let i = 0; i < 20; i++) {
      const timers = await storage.contracts.ofMachine(machine.id);
      if (!timers.some(({ nextFire }) => nextFire !== undefined && nextFire <= tick)) return;
      await fixture.engine.wake(machine.id);
    }
    throw new Error('It is due for ever.');
  };
  for (const { after = 0, send, payload = {}, by } of steps) {
    for (let i = 0; i < Number(after); i++) {
      await wake();
      fixture.setTick(++tick);
    }
    if (send === undefined) continue;
    const sender = by === undefined ? undefined : { zid: by };
    try {
      const sent = await fixture.engine.ingest(machine.id, by ?? OWNER.zid ?? '', { name: send, payload, sender });
      refused.push(...sent.refused.map(refusalOf));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN_PARTY') throw error;
      refused.push({ code: error.code, reason: error.message, instance: payload.loan ?? null });
    }
  }
  await wake();
  const page = { types: ['transition', 'emit'], limit: 500, maxBytes: 1e7, order: 'oldest first' } as const;
  const { rows: written } = await storage.audit.page(machine.id, machine.head.slug, page);
  const parsed = written.map(({ payload_text: text = '{}', type, svcond }) => ({ type, svcond, ...JSON.parse(text) }));
  const { rows: instances } = await storage.contractInstances.page(machine.id, id, { limit: 50, maxBytes: 1e6 });
  return {
    fires: parsed
      .filter(({ type }) => type === 'transition')
      .map((row) => fireOf({ ...row, tick: row.svcond, collectionsHash: row.collections })),
    refused,
    emitted: parsed
      .filter(({ type }) => type === 'emit')
      .map(({ instance, name, payload }) => ({ instance, name, payload })),
    states: Object.fromEntries(
      instances.map(({ key, state: { state, lifecycle, context, collections }, nextFire }) => [
        key,
        { state, lifecycle, context, collections: collections ?? {}, due: nextFire },
      ]),
    ),
    balances: (await storage.tokenBalances.list(machine.id))
      .filter(({ amount }) => amount !== 0)
      .map(({ token, holder, amount }) => `${token} ${holder} ${amount}`)
      .sort(),
  };
}

const fireOf = ({ instance, transition, from, to, entry, tick, collectionsHash }: Record<string, unknown>) => ({
  ...{ instance, transition, from, to, entry, tick },
  collectionsHash: collectionsHash ?? null,
});

function inSimulation(definition: Definition, steps: readonly ScenarioStep[]): Outcome {
  const scenario = { name: 'x', start: isoFromNs(startOfTick(START)), steps };
  const reports = simulate(compileContract(definition, {}), scenario, environment);
  const fired = reports.flatMap((report) => report.fired);
  const balances = new Map<string, number>();
  for (const { token, holder, amount } of fired.flatMap(({ tokens }) => tokens))
    balances.set(`${token} ${holder}`, (balances.get(`${token} ${holder}`) ?? 0) + amount);
  const last = new Map(reports.flatMap(({ instances = [] }) => instances.map((one) => [one.instance, one] as const)));
  return {
    fires: fired.map((fire) => fireOf({ ...fire })),
    // A node answers what its caller caused; what timers could not do stands in its rows.
    // What its parties alone may send, it refuses once for all transitions.
    refused: reports.flatMap(({ refusals }) => {
      const [first] = refusals.filter(({ code }) => code === 'FORBIDDEN_PARTY');
      return refusals.filter((one) => one.code !== 'FORBIDDEN_PARTY' || one === first).map(refusalOf);
    }),
    emitted: fired.flatMap(({ instance, emitted }) =>
      emitted.map(({ event, payload }) => ({ instance, name: event, payload })),
    ),
    states: Object.fromEntries([...last].map(([key, { instance: _, ...state }]) => [key, state])),
    balances: [...balances]
      .filter(([, amount]) => amount !== 0)
      .map(([name, amount]) => `${name} ${amount}`)
      .sort(),
  };
}

describe.each(Object.entries(KINDS))('%s', (name, kind) => {
  test.each([1, 2, 3, 4, 5, 6])('seed %i', { timeout: 120_000 }, async (seed) => {
    const steps = randomSteps(seed, kind);
    const live = await onNode(kind.definition, steps);
    const simulated = inSimulation(kind.definition, steps);
    // What a check of a window does not fire, a node answers to nobody.
    const isTold = ({ code }: { readonly code?: string }) =>
      kind.definition.windows === undefined || code !== 'CONDITION';
    const told = (outcome: Outcome) => ({ ...outcome, refused: outcome.refused.filter(isTold) });
    expect(told(simulated), `${name}, seed ${seed}`).toEqual(told(live));
    expect(live.fires.length).toBeGreaterThan(5);
    expect(Object.keys(live.states).length).toBeGreaterThan(1);
  });
});

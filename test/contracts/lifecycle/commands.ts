// Commands applied to the model and to the engine; after each, both must be in the same visible state.

import fc from 'fast-check';
import { expect } from 'vitest';
import { DomainError, type ErrorCode } from '../../../src/core/errors.ts';
import type { ContractRecord } from '../../../src/services/contracts/contracts.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { type EngineFixture, OWNER } from './engine-fixture.ts';
import type { Model, Payload } from './model.ts';

export interface Real extends EngineFixture {
  readonly machine: Machine;
  readonly contract: string;
}

type Command = fc.AsyncCommand<Model, Real>;

async function expectSameState(model: Model, { contracts, machine, contract }: Real): Promise<void> {
  const { contract: record } = await contracts.get(machine, contract);
  const names = Object.keys(model.visibleState) as (keyof ContractRecord)[];
  expect(Object.fromEntries(names.map((name) => [name, record[name]]))).toEqual(model.visibleState);
}

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await expectSameState(model, real);
    },
    toString: () => name,
  };
}

/** The error code of a refused call; undefined for a successful one. */
async function codeOf(call: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

const errorUnless = (isAllowed: boolean) => (isAllowed ? undefined : 'CONFLICT');

const sendEvent = (name: string, payload: Payload = {}) =>
  command(`event ${name} ${JSON.stringify(payload)}`, async (model, { engine, machine }) => {
    model.event(name, payload);
    await engine.ingest(machine.id, OWNER.zid ?? '', { name, payload });
  });

const advanceTicks = (ticks: number) =>
  command(`advance ${ticks} ticks`, async (model, { engine, machine, setTick }) => {
    for (let i = 0; i < ticks; i++) {
      model.now++;
      model.wake();
      setTick(model.now);
      await engine.wake(machine.id);
    }
  });

const outage = (ticks: number, hasEnded: boolean) =>
  command(`${ticks} ticks without a scheduler${hasEnded ? '' : ', which continues'}`, async (model, real) => {
    model.now += ticks;
    real.setTick(model.now);
    if (!hasEnded) return;
    model.wake();
    await real.engine.wake(real.machine.id);
  });

const restart = command('restart', async (_, { engine, machine }) => engine.runtimes.evict(machine.id));

const pause = command('pause', async (model, { contracts, machine, contract }) => {
  const isAllowed = model.pause();
  expect(await codeOf(contracts.pause(machine, OWNER, contract))).toBe(errorUnless(isAllowed));
});

const resume = (mode: 'deadline' | 'remaining' | 'restart') =>
  command(`resume ${mode}`, async (model, { contracts, machine, contract }) => {
    const isAllowed = model.resume(mode);
    expect(await codeOf(contracts.resume(machine, OWNER, contract, mode))).toBe(errorUnless(isAllowed));
  });

const skipNext = (guess: 'none' | 'right' | 'wrong') =>
  command(`skip next, expecting ${guess}`, async (model, { contracts, machine, contract }) => {
    const next = model.nextTimer;
    const expected = guess === 'none' ? undefined : guess === 'right' ? next : (next ?? 0) + 1;
    const isAllowed = model.skipNext(expected);
    expect(await codeOf(contracts.skipNext(machine, OWNER, contract, expected))).toBe(errorUnless(isAllowed));
  });

const fireNext = command('fire next', async (model, { contracts, machine, contract }) => {
  const { fired } = await contracts.fire(machine, OWNER, contract);
  expect(fired).toBe(model.fireNext());
});

const fireTransition = (transition: string, payload?: Payload) =>
  command(`transition ${transition} ${JSON.stringify(payload)}`, async (model, { contracts, machine, contract }) => {
    const isEnabled = model.status !== 'active' || model.transitionsOut.some(([id]) => id === transition);
    const call = contracts.fire(machine, OWNER, contract, { transition, payload });
    if (isEnabled) expect((await call).fired).toBe(model.fireManually(transition, payload));
    else expect(await codeOf(call)).toBe('TRANSITION_NOT_ENABLED');
  });

const freeze = command('freeze', async (model, { contracts, machine, contract }) => {
  model.freeze();
  await contracts.freeze(machine, OWNER, contract);
});

const patch = (limit: number, isStale: boolean) =>
  command(`patch to ${limit}${isStale ? ', stale' : ''}`, async (model, { contracts, machine, contract }) => {
    const ifVersion = model.version - (isStale ? 1 : 0);
    const isAllowed = model.patch(limit, ifVersion);
    const call = contracts.patch(machine, OWNER, contract, { parameters: { limit } }, { ifVersion });
    expect(await codeOf(call)).toBe(errorUnless(isAllowed));
  });

const weight = fc.integer({ min: -1, max: 2 });
const TRANSITIONS = [
  'opening',
  'closing',
  'idling',
  'voting',
  'paying',
  'reminding',
  'chiming',
  'expiring',
  'nothing',
] as const;

/** Repetitions are weights, chosen so that contracts stay active long enough for every command to matter. */
export const commands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    ...Array.from({ length: 4 }, () => fc.constant(sendEvent('open'))),
    weight.map((value) => sendEvent('vote', { weight: value })),
    fc.constant(sendEvent('vote')),
    fc.integer({ min: 0, max: 3 }).map((amount) => sendEvent('pay', { amount })),
    fc.constant(sendEvent('pay', { amount: 1 })),
    fc.constant(sendEvent('ping')),
    fc.constant(sendEvent('ping')),
    fc.constant(sendEvent('close')),
    fc.constant(sendEvent('unknown')),
    fc.integer({ min: 1, max: 4 }).map(advanceTicks),
    fc.integer({ min: 1, max: 9 }).map(advanceTicks),
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()).map(([ticks, hasEnded]) => outage(ticks, hasEnded)),
    fc.constant(restart),
    fc.constant(pause),
    fc.constantFrom('deadline', 'remaining', 'restart').map(resume),
    fc.constantFrom('deadline', 'remaining', 'restart').map(resume),
    fc.constantFrom('none', 'right', 'wrong').map(skipNext),
    fc.constant(fireNext),
    fc
      .tuple(fc.constantFrom(...TRANSITIONS), weight)
      .map(([id, value]) => fireTransition(id, { weight: value, amount: value })),
    fc.constantFrom(...TRANSITIONS).map((id) => fireTransition(id)),
    fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()).map(([limit, isStale]) => patch(limit, isStale)),
    fc.constant(freeze),
  ],
  { maxCommands: 40, size: 'max' },
);

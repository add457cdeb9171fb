// What may happen to a contract, done to the model and to the engine; after each, both must look alike.

import fc from 'fast-check';
import { expect } from 'vitest';
import { DomainError, type ErrorCode } from '../../../src/core/errors.ts';
import type { ContractRecord } from '../../../src/services/contracts/contracts.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { type EngineAtHand, OWNER } from './engine-at-hand.ts';
import type { Model, Payload } from './model.ts';

export interface Real extends EngineAtHand {
  readonly machine: Machine;
  readonly contract: string;
}

type Command = fc.AsyncCommand<Model, Real>;

async function expectAlike(model: Model, { contracts, machine, contract }: Real): Promise<void> {
  const { contract: record } = await contracts.get(machine, contract);
  const names = Object.keys(model.seen) as (keyof ContractRecord)[];
  expect(Object.fromEntries(names.map((name) => [name, record[name]]))).toEqual(model.seen);
}

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await expectAlike(model, real);
    },
    toString: () => name,
  };
}

/** The code of the refusal, or undefined where it was done. */
async function codeOf(call: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

const refusedUnless = (isAllowed: boolean) => (isAllowed ? undefined : 'CONFLICT');

const sent = (name: string, payload: Payload = {}) =>
  command(`event ${name} ${JSON.stringify(payload)}`, async (model, { engine, machine }) => {
    model.event(name, payload);
    await engine.ingest(machine.id, OWNER.zid ?? '', { name, payload });
  });

const passed = (ticks: number) =>
  command(`${ticks} ticks pass`, async (model, { engine, machine, setTick }) => {
    for (let i = 0; i < ticks; i++) {
      model.now++;
      model.wake();
      setTick(model.now);
      await engine.wake(machine.id);
    }
  });

const outage = (ticks: number, isSeen: boolean) =>
  command(`${ticks} ticks without a scheduler${isSeen ? '' : ', and it is still away'}`, async (model, real) => {
    model.now += ticks;
    real.setTick(model.now);
    if (!isSeen) return;
    model.wake();
    await real.engine.wake(real.machine.id);
  });

const restarted = command('restart', async (_, { engine, machine }) => engine.runtimes.forget(machine.id));

const paused = command('pause', async (model, { contracts, machine, contract }) => {
  const isAllowed = model.pause();
  expect(await codeOf(contracts.pause(machine, OWNER, contract))).toBe(refusedUnless(isAllowed));
});

const resumed = (mode: 'deadline' | 'remaining' | 'restart') =>
  command(`resume ${mode}`, async (model, { contracts, machine, contract }) => {
    const isAllowed = model.resume(mode);
    expect(await codeOf(contracts.resume(machine, OWNER, contract, mode))).toBe(refusedUnless(isAllowed));
  });

const skipped = (guess: 'none' | 'right' | 'wrong') =>
  command(`skip next, expecting ${guess}`, async (model, { contracts, machine, contract }) => {
    const next = model.nextTimer;
    const expected = guess === 'none' ? undefined : guess === 'right' ? next : (next ?? 0) + 1;
    const isAllowed = model.skipNext(expected);
    expect(await codeOf(contracts.skipNext(machine, OWNER, contract, expected))).toBe(refusedUnless(isAllowed));
  });

const firedNow = command('fire now', async (model, { contracts, machine, contract }) => {
  const { fired } = await contracts.fire(machine, OWNER, contract);
  expect(fired).toBe(model.fireNow());
});

const moved = (transition: string, payload?: Payload) =>
  command(`transition ${transition} ${JSON.stringify(payload)}`, async (model, { contracts, machine, contract }) => {
    const isEnabled = model.status !== 'active' || model.leaving.some(([id]) => id === transition);
    const call = contracts.fire(machine, OWNER, contract, { transition, payload });
    if (isEnabled) expect((await call).fired).toBe(model.byHand(transition, payload));
    else expect(await codeOf(call)).toBe('TRANSITION_NOT_ENABLED');
  });

const frozen = command('freeze', async (model, { contracts, machine, contract }) => {
  model.freeze();
  await contracts.freeze(machine, OWNER, contract);
});

const patched = (limit: number, isStale: boolean) =>
  command(`patch to ${limit}${isStale ? ', stale' : ''}`, async (model, { contracts, machine, contract }) => {
    const ifVersion = model.version - (isStale ? 1 : 0);
    const isAllowed = model.patch(limit, ifVersion);
    const call = contracts.patch(machine, OWNER, contract, { parameters: { limit } }, { ifVersion });
    expect(await codeOf(call)).toBe(refusedUnless(isAllowed));
  });

const weight = fc.integer({ min: -1, max: 2 });
const TRANSITIONS = [
  'opening',
  'closing',
  'hush',
  'voting',
  'paying',
  'reminding',
  'chiming',
  'expiring',
  'nothing',
] as const;

/** Weights chosen so that contracts live long enough for something to happen to them. */
export const commands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    ...Array.from({ length: 4 }, () => fc.constant(sent('open'))),
    weight.map((value) => sent('vote', { weight: value })),
    fc.constant(sent('vote')),
    fc.integer({ min: 0, max: 3 }).map((amount) => sent('pay', { amount })),
    fc.constant(sent('pay', { amount: 1 })),
    fc.constant(sent('ping')),
    fc.constant(sent('ping')),
    fc.constant(sent('close')),
    fc.constant(sent('unheard')),
    fc.integer({ min: 1, max: 4 }).map(passed),
    fc.integer({ min: 1, max: 9 }).map(passed),
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()).map(([ticks, isSeen]) => outage(ticks, isSeen)),
    fc.constant(restarted),
    fc.constant(paused),
    fc.constantFrom('deadline', 'remaining', 'restart').map(resumed),
    fc.constantFrom('deadline', 'remaining', 'restart').map(resumed),
    fc.constantFrom('none', 'right', 'wrong').map(skipped),
    fc.constant(firedNow),
    fc.tuple(fc.constantFrom(...TRANSITIONS), weight).map(([id, value]) => moved(id, { weight: value, amount: value })),
    fc.constantFrom(...TRANSITIONS).map((id) => moved(id)),
    fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()).map(([limit, isStale]) => patched(limit, isStale)),
    fc.constant(frozen),
  ],
  { maxCommands: 40, size: 'max' },
);

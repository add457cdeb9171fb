// Commands applied to the model and to the engine; after each, both must be in the same visible state.

import fc from 'fast-check';
import { expect } from 'vitest';
import { DomainError, type ErrorCode } from '../../../src/core/errors.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { ContractRecord } from '../../../src/services/contracts/contracts.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { DEADLINES, otherNames } from './definition.ts';
import { type EngineFixture, OWNER } from './engine-fixture.ts';
import type { Model, Outcome, Payload } from './model.ts';

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

const errorUnless = (outcome: Outcome) => (outcome === 'past' ? 'VALIDATION_FAILED' : outcome ? undefined : 'CONFLICT');

const sendEvent = (name: string, payload: Payload = {}, by: Principal = OWNER) =>
  command(`event ${name} ${JSON.stringify(payload)} by ${nameOf(by)}`, async (model, { engine, machine }) => {
    model.event(name, payload, by.zid ?? '');
    await engine.ingest(machine.id, by.zid ?? '', { name, payload });
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

const pause = (by: Principal) =>
  command(`pause by ${nameOf(by)}`, async (model, { contracts, machine, contract }) => {
    const call = codeOf(contracts.pause(machine, by, contract));
    if (model.isSecond && by !== OWNER) expect(await call).toBe('FORBIDDEN');
    else expect(await call).toBe(errorUnless(model.pause()));
  });

const resume = (mode: 'deadline' | 'remaining' | 'restart', by: Principal) =>
  command(`resume ${mode} by ${nameOf(by)}`, async (model, { contracts, machine, contract }) => {
    const call = codeOf(contracts.resume(machine, by, contract, mode));
    const isHeld = model.status === 'paused' || model.status === 'failed';
    if (model.isSecond && by !== OWNER && mode !== 'deadline' && isHeld) expect(await call).toBe('FORBIDDEN');
    else expect(await call).toBe(errorUnless(model.resume(mode)));
  });

const skipNext = (guess: 'none' | 'right' | 'wrong', by: Principal) =>
  command(`skip next, expecting ${guess}, by ${nameOf(by)}`, async (model, { contracts, machine, contract }) => {
    const next = model.nextTimer;
    const expected = guess === 'none' ? undefined : guess === 'right' ? next : (next ?? 0) + 1;
    const call = codeOf(contracts.skipNext(machine, by, contract, expected));
    const isTimer = model.status === 'active' && next !== undefined;
    if (model.isSecond && by !== OWNER && isTimer) expect(await call).toBe('FORBIDDEN');
    else expect(await call).toBe(errorUnless(model.skipNext(expected)));
  });

const fireNext = (by: Principal) =>
  command(`fire next by ${nameOf(by)}`, async (model, { contracts, machine, contract }) => {
    const { fired } = await contracts.fire(machine, by, contract);
    expect(fired).toBe(model.fireNext(by.zid ?? '', by === OWNER));
  });

const fireTransition = (transition: string, by: Principal, payload?: Payload) =>
  command(`transition ${transition} ${JSON.stringify(payload)} by ${nameOf(by)}`, async (model, real) => {
    const { contracts, machine, contract } = real;
    const isActive = model.status === 'active';
    const isEnabled = !isActive || model.transitionsOut.some(([id]) => id === transition);
    const call = contracts.fire(machine, by, contract, { transition, payload });
    if (!isEnabled) expect(await codeOf(call)).toBe('TRANSITION_NOT_ENABLED');
    else if (isActive && by !== OWNER && DEADLINES.has(transition)) expect(await codeOf(call)).toBe('FORBIDDEN');
    else expect((await call).fired).toBe(model.fireManually(transition, payload, by.zid ?? ''));
  });

const freeze = command('freeze', async (model, { contracts, machine, contract }) => {
  model.freeze();
  await contracts.freeze(machine, OWNER, contract);
});

const patch = (changed: { readonly limit?: number; readonly period?: number }, isStale: boolean) =>
  command(`patch ${JSON.stringify(changed)}${isStale ? ', stale' : ''}`, async (model, real) => {
    const { contracts, machine, contract } = real;
    const parameters = { ...model.parameters, ...changed };
    const ifVersion = model.version - (isStale ? 1 : 0);
    const isAllowed = model.patch(parameters, ifVersion);
    const call = contracts.patch(machine, OWNER, contract, { parameters }, { ifVersion });
    expect(await codeOf(call)).toBe(errorUnless(isAllowed));
  });

const rename = (name: string) =>
  command(`rename to ${name}`, async (model, { contracts, machine, contract }) => {
    const isAllowed = model.patch(model.parameters);
    expect(await codeOf(contracts.patch(machine, OWNER, contract, { name }))).toBe(errorUnless(isAllowed));
  });

const migrate = command('migrate to the other names', async (model, { contracts, machine, contract }) => {
  const change = { ...otherNames(model.isSecond, model.isRenamed), parameters: { ...model.parameters } };
  const isAllowed = model.migrate();
  expect(await codeOf(contracts.patch(machine, OWNER, contract, change))).toBe(errorUnless(isAllowed));
});

const rollback = (age: number) =>
  command(`roll back by ${age}`, async (model, { contracts, machine, contract }) => {
    const no = Math.max(1, model.version - age);
    const isAllowed = model.rollback(no);
    const call = contracts.rollback(machine, OWNER, contract, no, false);
    expect(await codeOf(call)).toBe(errorUnless(isAllowed));
  });

/** A member who may not fire deadlines by hand. */
export const OPERATOR: Principal = { ...OWNER, zid: 'd'.repeat(32) };
const nameOf = (by: Principal) => (by === OWNER ? 'the owner' : 'an operator');
const sender = fc.constantFrom(OWNER, OPERATOR);

const weight = fc.integer({ min: -1, max: 2 });
const who = fc.constantFrom('10', '9', '__proto__', 'ann', 'bob');
const enlisted = fc.record({ who, amount: fc.integer({ min: 0, max: 99 }) });
const opened = fc.integer({ min: -25, max: 40 }).map((grace) => sendEvent('open', { grace }));
const TRANSITIONS = [
  'opening',
  'closing',
  'idling',
  'voting',
  'paying',
  'spoiling',
  'reminding',
  'chiming',
  'expiring',
  'enlisting',
  'striking',
  'serving',
  'nothing',
] as const;

/** Repetitions are weights, chosen so that contracts stay active long enough for every command to matter. */
const COMMANDS = [
  ...Array.from({ length: 4 }, () => opened),
  fc.tuple(weight, sender).map(([value, by]) => sendEvent('vote', { weight: value }, by)),
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
  sender.map(pause),
  ...Array.from({ length: 2 }, () =>
    fc.tuple(fc.constantFrom('deadline', 'remaining', 'restart'), sender).map(([mode, by]) => resume(mode, by)),
  ),
  fc.tuple(fc.constantFrom('none', 'right', 'wrong'), sender).map(([guess, by]) => skipNext(guess, by)),
  sender.map(fireNext),
  fc
    .tuple(fc.constantFrom(...TRANSITIONS), sender, weight)
    .map(([id, by, value]) => fireTransition(id, by, { weight: value, amount: value, grace: value, who: 'ann' })),
  fc.tuple(fc.constantFrom(...TRANSITIONS), sender).map(([id, by]) => fireTransition(id, by)),
  fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()).map(([limit, isStale]) => patch({ limit }, isStale)),
  fc.integer({ min: 2, max: 9 }).map((period) => patch({ period }, false)),
  fc.constantFrom('one', 'other').map(rename),
  fc.constant(migrate),
  fc.constant(migrate),
  fc.integer({ min: 1, max: 3 }).map(rollback),
  fc.constant(sendEvent('spoil')),
  fc.constant(sendEvent('spoil')),
  fc.constant(freeze),
];

/** Commands on collections, often enough that they fill. */
const DATA_COMMANDS = [
  ...Array.from({ length: 3 }, () => opened),
  ...Array.from({ length: 12 }, () => enlisted.map((payload) => sendEvent('enlist', payload))),
  ...Array.from({ length: 3 }, () => fc.record({ who }).map((payload) => sendEvent('strike', payload))),
  ...Array.from({ length: 3 }, () => fc.constant(sendEvent('serve'))),
];

/** @param isSecond  with the commands of the second edition */
export const commandsFor = (isSecond: boolean): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(isSecond ? [...COMMANDS, ...DATA_COMMANDS] : COMMANDS, { maxCommands: 40, size: 'max' });

// Seeded random histories of a contract: events, late wakes, pauses, skips, manual fires, new versions.

import type { Definition, Scalar, ScalarType } from '../../../src/contracts/definition.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { changeContract } from '../../../src/services/contracts/change-contract.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { accept, propose } from '../../../src/services/contracts/proposals.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { type EngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';

/** Mulberry32. @returns a function that draws an integer below its argument */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export interface RandomHistory {
  readonly machine: Machine;
  readonly id: string;
  readonly deployed: number;
  readonly tick: number;
}

export interface RandomHistoryOptions {
  readonly definition: Definition;
  readonly parameters?: Readonly<Record<string, Scalar>>;
  readonly seed: number;
  readonly steps: number;
  /** Only events and time; no pauses, skips, manual fires, patches or restarts. */
  readonly isEventsOnly?: boolean;
}

const NAMES = ['ann', 'bob', 'cid', ''];
const CHOICES = ['yes', 'no', 'yes', ''];
const START = 1_000;

/** Runs one history on a new machine, in half of the cases beside a contract that replies to its events. */
export async function runRandomHistory(fixture: EngineFixture, options: RandomHistoryOptions): Promise<RandomHistory> {
  const { definition, parameters, seed, steps, isEventsOnly = false } = options;
  const random = seededRandom(seed);
  const contracts = new ContractService({
    ...fixture.storage,
    engine: fixture.engine,
    operators: OPERATORS,
    roleOf: async () => 'owner',
  });
  let tick = START + random(50);
  fixture.setTick(tick);
  const machine = await insertMachine(fixture.storage);
  const names = Object.keys(definition.events ?? {});
  const bindings = keysOf(definition, random);
  const voters = Object.values(bindings).flat();
  let nonce = 0;
  const signed = (ed25519: string) => ({ public_key: ed25519, nonce: ++nonce, signature: '' });
  let id = '';
  const send = () => {
    const name = names[random(names.length)] ?? '';
    const payload = payloadOf(definition, name, random);
    const voter = voters[random(voters.length + 1)];
    if (voter === undefined || id === '') return fixture.engine.ingest(machine.id, OWNER.zid ?? '', { name, payload });
    const by = { to: id, sender: voter, signed: signed(voter.ed25519) };
    return fixture.engine.ingest(machine.id, OWNER.zid ?? '', { name, payload, ...by });
  };
  // Some voter proposes a name or another key of its own, or accepts what is proposed.
  const amend = () =>
    changeContract(
      { engine: fixture.engine, contracts: fixture.storage.contracts },
      machine,
      ACTOR,
      id,
      (session, live) => {
        const voter = voters[random(voters.length)];
        const { parties } = live.running.state;
        if (voter === undefined || parties === undefined) return;
        const change = { session, live, runtimes: fixture.engine.runtimes, actor: ACTOR };
        const open = parties.proposals[random(parties.proposals.length + 1)];
        if (open !== undefined) {
          accept(change, { no: open.no, termsHash: open.termsHash, sender: voter, signed: signed(voter.ed25519) });
          return;
        }
        const { versionNo: base, definitionHash, parameters } = live.stored;
        const terms = { base, definitionHash, parameters, name: `renamed ${random(100)}`, reset: random(4) === 0 };
        const [party = '', bound = []] = Object.entries(parties.bindings)[random(Object.keys(bindings).length)] ?? [];
        const fresh = { ed25519: newKey(random) };
        if (random(2) === 0) propose(change, { ...terms, kind: 'version', act: 'patched' }, voter);
        else {
          const after = { ...parties.bindings, [party]: [fresh, ...bound.slice(1)] };
          propose(change, { ...terms, kind: 'binding', reset: false, bindings: after, act: 'rebound' }, voter);
          voters.push(fresh);
        }
      },
    );
  // Events from before the deployment must not count in its windows.
  for (let i = 0; i < random(3); i++) await send();
  tick += 1 + random(3);
  fixture.setTick(tick);
  const deployed = tick;
  if (random(2) === 0) await contracts.deploy(machine, OWNER, { definition: echoContract(definition) });
  const given = voters.length === 0 ? {} : { bindings };
  ({ id } = await contracts.deploy(machine, OWNER, { definition, ...(parameters ? { parameters } : {}), ...given }));
  const advance = (ticks: number) => {
    tick += ticks;
    fixture.setTick(tick);
  };
  const manual = async () => {
    const { id: transition } = definition.transitions[random(definition.transitions.length)] ?? { id: '' };
    const trigger = definition.transitions.find(({ id: other }) => other === transition)?.trigger;
    const payload = trigger && 'event' in trigger ? payloadOf(definition, trigger.event, random) : undefined;
    await contracts.fire(machine, OWNER, id, random(2) === 0 ? { transition, payload } : undefined);
  };
  const actions: readonly [weight: number, action: () => Promise<unknown>][] = [
    [40, send],
    [25, async () => advance(1 + random(4))],
    [6, async () => advance(random(60))],
    [2, async () => advance(random(20_000))],
    [20, () => fixture.engine.wake(machine.id)],
    ...(isEventsOnly
      ? []
      : ([
          [2, () => contracts.pause(machine, OWNER, id)],
          [
            3,
            () =>
              contracts.resume(
                machine,
                OWNER,
                id,
                (['deadline', 'remaining', 'restart'] as const)[random(3)] ?? 'deadline',
              ),
          ],
          [2, () => contracts.skipNext(machine, OWNER, id)],
          [4, manual],
          [
            1,
            () => contracts.patch(machine, OWNER, id, { name: `renamed ${random(100)}` }, { reset: random(4) === 0 }),
          ],
          [1, async () => fixture.engine.runtimes.evict(machine.id)],
          ...(voters.length === 0 ? [] : [[6, amend] as [number, () => Promise<unknown>]]),
        ] as [number, () => Promise<unknown>][])),
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  for (let i = 0; i < steps; i++) {
    const pick = random(total);
    const chosen = actions.find((_, n) => actions.slice(0, n + 1).reduce((sum, [weight]) => sum + weight, 0) > pick);
    await (chosen?.[1] ?? send)().catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
    // One wake in four is late.
    if (random(4) > 0) await fixture.engine.wake(machine.id);
  }
  return { machine, id, deployed, tick };
}

const ACTOR = OWNER.zid ?? '';

const newKey = (random: (limit: number) => number) =>
  Array.from({ length: 64 }, () => random(16).toString(16)).join('');

/** Keys for each party of a definition; signatures are not checked below the services. */
function keysOf({ parties = {} }: Definition, random: (limit: number) => number) {
  const bound = Object.entries(parties).map(([name, { count }]) => {
    const length = (count?.min ?? 1) + random(Math.min(3, (count?.max ?? 1) - (count?.min ?? 1) + 1));
    return [name, Array.from({ length }, () => ({ ed25519: newKey(random) }))] as const;
  });
  return Object.fromEntries(bound);
}

function payloadOf(definition: Definition, name: string, random: (limit: number) => number) {
  const fields = Object.entries(definition.events?.[name]?.payload ?? {});
  return Object.fromEntries(fields.map(([field, type]) => [field, scalarOf(type, random, definition.edition)]));
}

function scalarOf(type: ScalarType, random: (limit: number) => number, edition?: 2): Scalar {
  switch (type) {
    case 'string':
      return (edition === 2 ? CHOICES : NAMES)[random(NAMES.length)] ?? '';
    case 'boolean':
      return random(2) === 0;
    case 'number': {
      // Half of them are whole, as amounts of tokens must be.
      const tenths = random(1_200) - 300;
      return tenths % 2 === 0 ? Math.floor(tenths / 10) : tenths / 10;
    }
    default:
      return random(2) === 0 ? random(40) : 480 + random(60);
  }
}

/** Listens to an event that the contract emits, and replies with one that it listens to. */
function echoContract(definition: Definition): Definition {
  const [emitted = 'nothing'] = definition.emits ?? [];
  const withoutPayload = Object.entries(definition.events ?? {}).find(
    ([, { payload }]) => Object.keys(payload ?? {}).length === 0,
  );
  const reply = withoutPayload?.[0] ?? 'nothing_at_all';
  return {
    name: 'echo',
    version: '1.0',
    operators: ['KO42'],
    initial: 'a',
    events: { [emitted]: {} },
    emits: [reply],
    states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
    transitions: [
      {
        id: 'reply',
        from: 'a',
        to: 'b',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: emitted },
        post: [{ emit: reply }],
      },
      {
        id: 'rest',
        from: 'b',
        to: 'a',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'one_shot', after: 7 },
        post: [{ emit: reply }],
      },
    ],
  };
}

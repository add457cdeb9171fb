// Contracts that live through whatever a seed says: events, late looks, pauses, skips, fires by hand, other versions.

import type { Definition, Scalar, ScalarType } from '../../../src/contracts/definition.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { plantMachine } from '../../services/machines/machines-fixture.ts';
import { type EngineAtHand, OWNER } from '../lifecycle/engine-at-hand.ts';

/** Mulberry32: small, seeded, the same everywhere. */
function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export interface Life {
  readonly machine: Machine;
  readonly id: string;
  readonly deployed: number;
  readonly tick: number;
}

export interface LifeOptions {
  readonly definition: Definition;
  readonly parameters?: Readonly<Record<string, Scalar>>;
  readonly seed: number;
  readonly steps: number;
  /** Nobody patches, and nothing is done by hand. */
  readonly isPlain?: boolean;
}

const NAMES = ['ann', 'bob', 'cid', ''];
const START = 1_000;

/** Lives one life on a machine of its own, beside a contract that answers its events. */
export async function live(at: EngineAtHand, options: LifeOptions): Promise<Life> {
  const { definition, parameters, seed, steps, isPlain = false } = options;
  const roll = dice(seed);
  const contracts = new ContractService({
    engine: at.engine,
    contracts: at.storage.contracts,
    operators: new Set(OPERATORS.keys()),
  });
  let tick = START + roll(50);
  at.setTick(tick);
  const machine = await plantMachine(at.storage);
  const names = Object.keys(definition.events ?? {});
  const send = () => {
    const name = names[roll(names.length)] ?? '';
    return at.engine.ingest(machine.id, OWNER.zid ?? '', { name, payload: payloadOf(definition, name, roll) });
  };
  // What a window held before the contract was there does not count.
  for (let i = 0; i < roll(3); i++) await send();
  tick += 1 + roll(3);
  at.setTick(tick);
  const deployed = tick;
  if (roll(2) === 0) await contracts.deploy(machine, OWNER, { definition: echo(definition) });
  const { id } = await contracts.deploy(machine, OWNER, { definition, ...(parameters ? { parameters } : {}) });
  const pass = (ticks: number) => {
    tick += ticks;
    at.setTick(tick);
  };
  const manual = async () => {
    const { id: transition } = definition.transitions[roll(definition.transitions.length)] ?? { id: '' };
    const heard = definition.transitions.find((one) => one.id === transition)?.trigger;
    const payload = heard && 'event' in heard ? payloadOf(definition, heard.event, roll) : undefined;
    await contracts.fire(machine, OWNER, id, roll(2) === 0 ? { transition, payload } : undefined);
  };
  const acts: readonly [weight: number, act: () => Promise<unknown>][] = [
    [40, send],
    [25, async () => pass(1 + roll(4))],
    [6, async () => pass(roll(60))],
    [2, async () => pass(roll(20_000))],
    [20, () => at.engine.wake(machine.id)],
    ...(isPlain
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
                (['deadline', 'remaining', 'restart'] as const)[roll(3)] ?? 'deadline',
              ),
          ],
          [2, () => contracts.skipNext(machine, OWNER, id)],
          [4, manual],
          [1, () => contracts.patch(machine, OWNER, id, { name: `again ${roll(100)}` }, { reset: roll(4) === 0 })],
          [1, async () => at.engine.runtimes.forget(machine.id)],
        ] as [number, () => Promise<unknown>][])),
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  for (let i = 0; i < steps; i++) {
    const pick = roll(total);
    const chosen = acts.find((_, n) => acts.slice(0, n + 1).reduce((sum, [weight]) => sum + weight, 0) > pick);
    await (chosen?.[1] ?? send)().catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
    // A node that is up looks at what is due; one in four looks comes late.
    if (roll(4) > 0) await at.engine.wake(machine.id);
  }
  return { machine, id, deployed, tick };
}

function payloadOf(definition: Definition, name: string, roll: (sides: number) => number) {
  const fields = Object.entries(definition.events?.[name]?.payload ?? {});
  return Object.fromEntries(fields.map(([field, type]) => [field, scalarOf(type, roll)]));
}

function scalarOf(type: ScalarType, roll: (sides: number) => number): Scalar {
  switch (type) {
    case 'string':
      return NAMES[roll(NAMES.length)] ?? '';
    case 'boolean':
      return roll(2) === 0;
    case 'number':
      return (roll(1_200) - 300) / 10;
    default:
      return roll(2) === 0 ? roll(40) : 480 + roll(60);
  }
}

/** Hears what the contract emits, and answers with an event that it listens to. */
function echo(definition: Definition): Definition {
  const [emitted = 'nothing'] = definition.emits ?? [];
  const heard = Object.entries(definition.events ?? {}).find(
    ([, { payload }]) => Object.keys(payload ?? {}).length === 0,
  );
  const answer = heard?.[0] ?? 'nothing_at_all';
  return {
    name: 'echo',
    version: '1.0',
    operators: ['KO42'],
    initial: 'a',
    events: { [emitted]: {} },
    emits: [answer],
    states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
    transitions: [
      {
        id: 'say',
        from: 'a',
        to: 'b',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: emitted },
        post: [{ emit: answer }],
      },
      {
        id: 'rest',
        from: 'b',
        to: 'a',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'one_shot', after: 7 },
        post: [{ emit: answer }],
      },
    ],
  };
}

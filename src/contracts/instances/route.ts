// Decides which instance of a contract an event is for. The live engine and simulations route by these rules.

import { LIMITS } from '../../core/limits.ts';
import type { CompiledContract } from '../compiled.ts';
import type { ContractState, RefusedTransition } from '../contract-state.ts';
import { payloadFault, reasonOf } from '../transition-attempt.ts';
import { type KeyRule, keyOfEvent } from './keys.ts';

/** Why an event changed nothing: in a transition, or before any was tried. */
export type Refusal = Omit<RefusedTransition, 'transition' | 'code'> & {
  readonly transition: string | null;
  readonly code: string;
};

/** An event to be routed. */
export interface Routed {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The instance that emitted it; only of an event of the contract itself. */
  readonly emitter?: string | undefined;
}

/** What routing reads of an instance. */
interface Known {
  readonly contract: CompiledContract;
  readonly state: ContractState;
}

/** What an event does: it reaches an instance, creates one, or does nothing. */
export type Route<Instance> =
  | { readonly kind: 'instance'; readonly key: string; readonly found: Instance }
  | { readonly kind: 'spawn'; readonly key: string; readonly former: Instance | undefined }
  | { readonly kind: 'none'; readonly key?: string; readonly refusal?: Refusal };

/**
 * @param find  the instance with a key, or undefined
 * @param runningOf  its contract and state
 */
export function routeOf<Instance>(
  rule: KeyRule,
  { name, payload, emitter }: Routed,
  find: (key: string) => Instance | undefined,
  runningOf: (instance: Instance) => Known,
): Route<Instance> {
  const key = emitter ?? keyOfEvent(rule, payload);
  if (typeof key !== 'string') {
    const reason = `${name} names no instance: ${key.path} is ${JSON.stringify(key.got) ?? 'missing'}; expected ${key.expected}.`;
    return { kind: 'none', refusal: { transition: null, code: 'BAD_KEY', reason, field: key } };
  }
  const refused = (code: string, reason: string) => refusalOf(rule, key, code, reason);
  const found = find(key);
  const isSpawn = rule.spawn.has(name);
  if (found === undefined) {
    if (isSpawn) return { kind: 'spawn', key, former: undefined };
    return refused('UNKNOWN_KEY', `There is no instance ${key}; ${[...rule.spawn].join(' or ')} creates one.`);
  }
  const running = runningOf(found);
  const { lifecycle, state } = running.state;
  if (lifecycle !== 'active') {
    if (emitter !== undefined) return { kind: 'none', key };
    if (isSpawn && rule.respawns) return { kind: 'spawn', key, former: found };
    return refused('KEY_FINISHED', `The instance ${key} is ${lifecycle}.`);
  }
  if (isSpawn && !isHeard(running, name))
    return refused('KEY_EXISTS', `The instance ${key} is there already, in ${state}.`);
  return { kind: 'instance', key, found };
}

/** Why an event cannot create an instance, before it is tried. @param active  instances of the machine */
export function spawnRefusal(
  rule: KeyRule,
  contract: CompiledContract,
  { name, payload }: Routed,
  key: string,
  active: number,
): Refusal | undefined {
  const field = payloadFault(contract, name, payload);
  if (field !== undefined) return { transition: null, code: 'PAYLOAD', reason: reasonOf(name, field), field };
  const { perMachine } = LIMITS.contracts.instances;
  if (active < perMachine) return undefined;
  const reason = `The machine has ${perMachine} active instances, which is its limit.`;
  return { transition: null, code: 'INSTANCES_FULL', reason, field: keyField(rule, key, `a key for ${name}`) };
}

/** The refusal of a spawn whose initial state has no value for a deadline, or one that has passed. */
export const notSpawned = (rule: KeyRule, { name }: Routed, key: string, reason: string): Refusal => ({
  transition: null,
  code: 'NOT_SPAWNED',
  reason,
  field: keyField(rule, key, `a key for ${name}`),
});

/** Whether a transition out of the present state listens to an event. */
export const isHeard = ({ contract, state }: Known, name: string): boolean =>
  contract.transitions.some(
    ({ from, trigger }) => from.has(state.state) && trigger.kind === 'event' && trigger.event === name,
  );

interface Due {
  readonly key: string;
  readonly due: number;
}

/** The order in which due instances are woken: by their timers, then by their keys. */
export const byDue = (a: Due, b: Due): number => a.due - b.due || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

const EXPECTED: Readonly<Record<string, string>> = {
  UNKNOWN_KEY: 'the key of an instance',
  KEY_FINISHED: 'the key of an active instance',
  KEY_EXISTS: 'a new key',
};

const keyField = ({ field }: KeyRule, got: string, expected: string) => ({ path: `payload.${field}`, got, expected });

function refusalOf(rule: KeyRule, key: string, code: string, reason: string) {
  const field = keyField(rule, key, EXPECTED[code] ?? 'a key');
  return { kind: 'none', key, refusal: { transition: null, code, reason, field } } as const;
}

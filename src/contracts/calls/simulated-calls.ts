// Activities of a simulation: laws are computed with the kernel of the simulation, solvers and requests are answered by
// the scenario, which also says when.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Environment, FiredTransition, StartedCall } from '../contract-state.ts';
import type { Definition } from '../definition.ts';
import { keyFields, keyOfValue } from '../instances/keys.ts';
import { keyFieldOf } from '../raised-events.ts';
import { nameOfCall } from './compile.ts';

/** An activity that waits for its answer. */
export interface WaitingCall {
  readonly call: StartedCall;
  /** Key of the instance that started it. */
  readonly instance?: string | undefined;
}

type Payload = Readonly<Record<string, unknown>>;

export class SimulatedCalls {
  readonly #definition: Definition;
  readonly #environment: Pick<Environment, 'compute'>;
  readonly #waiting: WaitingCall[] = [];

  constructor(definition: Definition, environment: Pick<Environment, 'compute'>) {
    this.#definition = definition;
    this.#environment = environment;
  }

  /** The oldest first. */
  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting];
  }

  start({ calls = [] }: Pick<FiredTransition, 'calls'>, instance: string | undefined): void {
    for (const call of calls) {
      // Beyond the limit it would fail at once.
      if (this.#waiting.length >= LIMITS.contracts.calls.perContract) return;
      this.#waiting.push(instance === undefined ? { call } : { call, instance });
    }
  }

  /**
   * Answers the oldest activity that this event tells of, of the instance that the payload names if it names one.
   *
   * @param given  what the scenario says of the result; the rest is computed, or as of an activity that went well
   * @returns the payload of the event, or a sentence why there is none
   */
  answer(name: string, given: Payload): { readonly payload: Payload } | { readonly mismatch: string } {
    const field = keyFieldOf(this.#definition);
    const key = field === undefined ? undefined : keyOfValue(given[field]);
    const index = this.#waiting.findIndex(
      ({ call, instance }) => (call.into === name || call.on_error === name) && (key === undefined || key === instance),
    );
    const found = this.#waiting[index];
    if (found === undefined) return { mismatch: `no activity waits for ${name}` };
    const { call, instance } = found;
    const result = call.into === name ? this.#result(call, given) : { payload: failure(call) };
    if ('mismatch' in result) return result;
    this.#waiting.splice(index, 1);
    return { payload: { ...result.payload, ...given, ...keyFields(this.#definition, name, instance) } };
  }

  #result(call: StartedCall, given: Payload): { readonly payload: Payload } | { readonly mismatch: string } {
    const { operator, http, inputs = {}, unit } = call;
    if (http !== undefined) {
      const missing = Object.keys(http.fields ?? {}).filter((name) => given[name] === undefined);
      if (missing.length === 0) return { payload: { status: 200, body: '' } };
      return { mismatch: `the response to ${nameOfCall(call)} lacks ${missing.join(', ')}` };
    }
    const computed = { unit, uncertainty: 0, receipt: '' };
    if (given.value !== undefined) return { payload: computed };
    if (operator === undefined) return { mismatch: `the result of ${nameOfCall(call)} lacks value` };
    try {
      return { payload: { ...computed, value: this.#environment.compute({ operator, inputs }) } };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { mismatch: `${operator} gives no value: ${error.message}` };
    }
  }
}

const failure = ({ tries }: StartedCall) => ({ code: 'FAILED', tries });

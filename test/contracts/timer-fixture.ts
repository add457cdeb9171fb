// Fixtures: a contract in memory with one timer or a few, moved by the clock alone.

import { type CompiledContract, compileContract } from '../../src/contracts/compiled.ts';
import type { Environment } from '../../src/contracts/contract-state.ts';
import { Definition } from '../../src/contracts/definition.ts';
import type { RunningContract } from '../../src/contracts/execution.ts';
import { createWindows, initialState } from '../../src/contracts/transition-function.ts';

/** An environment without expressions, operators or balances. */
export const EMPTY_WORLD: Environment = {
  evaluate: () => Number.NaN,
  compute: () => Number.NaN,
  balance: () => 0,
};

interface TransitionOptions {
  readonly id: string;
  readonly trigger: object;
  readonly to?: string;
  readonly fires_when?: string;
}

/**
 * All transitions leave the state `on` and return to it unless they name another target.
 *
 * @param hasEvent  adds a transition to `off` on the event `end`
 */
export function timerContract(transitions: readonly TransitionOptions[], hasEvent: boolean): CompiledContract {
  const defaults = { from: 'on', to: 'on', operator: 'KO42', proof: false };
  const ending = { ...defaults, id: 'ending', to: 'off', trigger: { kind: 'event', event: 'end' } };
  return compileContract(
    Definition.parse({
      name: 'timed',
      version: '1.0',
      operators: ['KO42'],
      initial: 'on',
      events: hasEvent ? { end: {} } : {},
      states: { on: { role: 'initial' }, off: { role: 'terminal' } },
      transitions: [...transitions.map((options) => ({ ...defaults, ...options })), ...(hasEvent ? [ending] : [])],
    }),
    {},
  );
}

export function startRunning(
  transitions: readonly TransitionOptions[],
  tick: number,
  hasEvent = true,
): RunningContract {
  const contract = timerContract(transitions, hasEvent);
  return { contract, state: initialState(contract, tick, 1), windows: createWindows(contract) };
}

// A contract in memory with one timer, or a few, and nobody but the clock to move it.

import { type CompiledContract, compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import type { Running } from '../../src/contracts/progress.ts';
import { deploy, emptyWindows } from '../../src/contracts/react.ts';
import type { World } from '../../src/contracts/reaction.ts';

/** Nothing is evaluated, computed or held. */
export const NO_WORLD: World = {
  evaluate: () => Number.NaN,
  compute: () => Number.NaN,
  balance: () => 0,
};

interface Given {
  readonly id: string;
  readonly trigger: object;
  readonly to?: string;
  readonly fires_when?: string;
}

/** All leave the state `on`, into which they lead back where they do not say another one. */
export function contractOf(transitions: readonly Given[], isHeard: boolean): CompiledContract {
  const plain = { from: 'on', to: 'on', operator: 'KO42', proof: false };
  const ending = { ...plain, id: 'ending', to: 'off', trigger: { kind: 'event', event: 'end' } };
  return compileContract(
    Definition.parse({
      name: 'timed',
      version: '1.0',
      operators: ['KO42'],
      initial: 'on',
      events: isHeard ? { end: {} } : {},
      states: { on: { role: 'initial' }, off: { role: 'terminal' } },
      transitions: [...transitions.map((one) => ({ ...plain, ...one })), ...(isHeard ? [ending] : [])],
    }),
    {},
  );
}

export function begun(transitions: readonly Given[], tick: number, isHeard = true): Running {
  const contract = contractOf(transitions, isHeard);
  return { contract, state: deploy(contract, tick, 1), windows: emptyWindows(contract) };
}

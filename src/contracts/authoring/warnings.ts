// Warns about the structure of a contract: what is legal, but hardly meant.
//
// Each warning is a proof under the rules of the engine: of a window that is not looked at again, of a timer that another
// one always precedes, of a state that only such transitions enter, of a party that nothing names. That of a spawn event is a proof but for
// its guard, which may be false for another reason.

import type { ErrorDetail } from '../../core/errors.ts';
import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import { symbolsIn } from '../data/lets.ts';
import { listOf } from '../definition.ts';
import { canHoldWith, constantGuard } from '../guard-warnings.ts';
import { sampleWarnings } from '../instances/sample-warnings.ts';
import { spawnWarnings } from '../instances/spawn-warnings.ts';

export function structureWarnings(contract: CompiledContract): ErrorDetail[] {
  const late = lateTimers(contract);
  return [
    ...silenceWarnings(contract),
    ...late.map(({ transition, first, from }) =>
      warning(
        `transitions.${transition.id}.trigger`,
        'TOO_LATE',
        `never fires in ${from}: ${first.id} is due before it, and leaves the state`,
      ),
    ),
    ...endWarnings(contract, late),
    ...partyWarnings(contract),
    ...spawnWarnings(contract),
    ...sampleWarnings(contract),
  ];
}

const warning = (path: string, code: string, text: string): ErrorDetail => ({
  path,
  code,
  message: `${path} ${text}.`,
});

/** Windows whose guards become true when samples expire, but are evaluated only when a further one arrives. */
function silenceWarnings(contract: CompiledContract): ErrorDetail[] {
  return contract.transitions.flatMap((transition) => {
    const { id, trigger } = transition;
    if (trigger.kind !== 'on_aggregate' || trigger.onExpiry || trigger.minCount > 0) return [];
    const empty = { 'agg.count': 0, ...(trigger.fn === 'count' ? { 'agg.value': 0 } : {}) };
    const read = symbolsIn(transition.condition?.text ?? '');
    if (!read.some((name) => Object.hasOwn(empty, name)) || !canHoldWith(contract, transition, empty)) return [];
    const text = `can hold when the window is empty, but is evaluated only when ${trigger.event} arrives; silence does not fire it`;
    return [warning(`transitions.${id}.trigger`, 'SILENCE_STAYS', text)];
  });
}

interface LateTimer {
  readonly transition: CompiledTransition;
  readonly first: CompiledTransition;
  readonly from: string;
}

/** One-shots counted from the entry, of which an earlier one without a condition always leaves the state. */
function lateTimers({ transitions }: CompiledContract): LateTimer[] {
  const timers = transitions.flatMap((transition) => {
    const { trigger } = transition;
    return trigger.kind === 'one_shot' && trigger.anchor === 'entry' ? [{ transition, after: trigger.after }] : [];
  });
  return timers.flatMap(({ transition, after }) =>
    [...transition.from].flatMap((from) => {
      const first = timers.find(
        (other) =>
          other.transition !== transition &&
          // Of two that are due in one tick the first in the order of trial leaves the state.
          (other.after < after ||
            (other.after === after && transitions.indexOf(other.transition) < transitions.indexOf(transition))) &&
          isCertain(other.transition) &&
          other.transition.from.has(from) &&
          other.transition.to !== from,
      );
      return first === undefined ? [] : [{ transition, first: first.transition, from }];
    }),
  );
}

/** Whether nothing can keep it from firing once it is due: an action may fail, a condition may be false. */
const isCertain = ({ condition, pre, post, trigger }: CompiledTransition) =>
  condition === undefined &&
  pre.length === 0 &&
  post.every(({ kind }) => kind === 'emit' || kind === 'log') &&
  trigger.kind === 'one_shot' &&
  trigger.catchUp.mode !== 'skip';

/** Terminal states that the graph reaches, but only by transitions that never fire. */
function endWarnings(contract: CompiledContract, late: readonly LateTimer[]): ErrorDetail[] {
  const { definition, transitions } = contract;
  const isLate = (transition: CompiledTransition, from: string) =>
    late.some((one) => one.transition === transition && one.from === from);
  const possible = transitions.filter((transition) => constantGuard(contract, transition) !== false);
  const reached = new Set([definition.initial]);
  for (const state of reached) {
    for (const transition of possible) {
      if (transition.from.has(state) && !isLate(transition, state)) reached.add(transition.to);
    }
  }
  return Object.entries(definition.states).flatMap(([name, { role }]) =>
    role !== 'terminal' || reached.has(name)
      ? []
      : [warning(`states.${name}`, 'UNREACHABLE_END', 'is reached only by transitions that never fire')],
  );
}

/** Parties that nothing lets act. */
function partyWarnings({ definition }: CompiledContract): ErrorDetail[] {
  const { parties = {}, events = {}, transitions, pause } = definition;
  const acting = new Set([
    ...(pause === undefined ? [] : [pause]),
    ...Object.values(events).flatMap(({ from }) => listOf(from ?? [])),
    ...transitions.flatMap(({ by, manual, trigger }) => [
      ...listOf(by ?? []),
      ...(manual === undefined ? [] : [manual]),
      ...(trigger.kind === 'quorum' ? listOf(trigger.of) : []),
    ]),
  ]);
  return Object.keys(parties)
    .filter((name) => !acting.has(name))
    .map((name) =>
      warning(`parties.${name}`, 'IDLE_PARTY', 'can do nothing that others cannot: no event or transition names it'),
    );
}

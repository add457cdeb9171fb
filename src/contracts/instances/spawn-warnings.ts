// Warns of spawn events that write over an instance that is open: a second one with the key of the first reaches it, as
// any event does that its state listens to.

import type { ErrorDetail } from '../../core/errors.ts';
import type { CompiledAction, CompiledContract, CompiledTransition } from '../compiled.ts';
import { symbolsIn } from '../data/lets.ts';
import { keyRuleOf } from './keys.ts';

export function spawnWarnings(contract: CompiledContract): ErrorDetail[] {
  const rule = keyRuleOf(contract.definition);
  if (rule === undefined) return [];
  const isSpawn = ({ trigger }: CompiledTransition) => trigger.kind === 'event' && rule.spawn.has(trigger.event);
  const open = statesAfterSpawn(contract, isSpawn);
  return contract.transitions.filter(isSpawn).flatMap((transition) => {
    const states = [...transition.from].filter((state) => open.has(state));
    const names = [...new Set(transition.post.flatMap(overwrittenBy))];
    if (states.length === 0 || names.length === 0 || readsInstance(contract, transition)) return [];
    const event = 'event' in transition.trigger ? transition.trigger.event : '';
    const path = `transitions.${transition.id}`;
    const message = `${path} writes over ${names.join(', ')} of an open instance in ${states.join(', ')}: a second ${event} with its key fires it again.`;
    return [{ path, code: 'SPAWN_OVERWRITES', message }];
  });
}

/** States in which an instance may be once its first event is over. */
function statesAfterSpawn(
  { definition: { initial }, transitions }: CompiledContract,
  isSpawn: (transition: CompiledTransition) => boolean,
): ReadonlySet<string> {
  // If transitions out of the initial state listen to the first event, one of them fires.
  const first = transitions.filter((transition) => isSpawn(transition) && transition.from.has(initial));
  const reached = new Set(first.length === 0 ? [initial] : first.map(({ to }) => to));
  for (const state of reached) for (const { from, to } of transitions) if (from.has(state)) reached.add(to);
  return reached;
}

/** Variables that an action gives a value without their former one, and collections that it empties. */
function overwrittenBy(action: CompiledAction): readonly string[] {
  if (action.kind === 'set')
    return action.bindings.flatMap(({ name, expression }) => (symbolsIn(expression.text).includes(name) ? [] : [name]));
  return action.kind === 'clear' ? [action.shape.name] : [];
}

/** Whether the guard reads anything by which a first event differs from a second: then it is taken to tell them apart. */
function readsInstance({ definition }: CompiledContract, { condition, lets, pre }: CompiledTransition): boolean {
  const { context = {}, collections = {} } = definition;
  const texts = [condition?.text ?? '', ...pre.flatMap(textsOfPre)];
  const names = new Set(texts.flatMap(symbolsIn));
  for (const name of names) for (const other of symbolsIn(lets.get(name)?.text ?? '')) names.add(other);
  return [...names].some(
    (name) => Object.hasOwn(context, name) || Object.hasOwn(collections, name) || name.startsWith('state.'),
  );
}

const textsOfPre = (action: CompiledAction): readonly string[] =>
  action.kind === 'set'
    ? action.bindings.map(({ expression }) => expression.text)
    : action.kind === 'compute'
      ? action.inputs.map(({ expression }) => expression.text)
      : [];

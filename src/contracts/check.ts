// What is wrong with a definition as a whole: states that nobody reaches or leaves, names that nobody uses, branches that
// never come up. Types and names inside expressions are the compiler's business (compiled.ts).

import type { ErrorDetail } from '../core/errors.ts';
import { CONDITION_SYNTAX, parseExpression } from '../expressions/parse.ts';
import { symbolsOf } from '../expressions/tree.ts';
import { type Action, type Definition, sourcesOf, type Transition } from './definition.ts';

/** Every fault of the graph and of what is declared; empty for a definition that may be deployed. */
export function checkDefinition(definition: Definition): ErrorDetail[] {
  return [
    ...operatorFaults(definition),
    ...graphFaults(definition),
    ...emitFaults(definition),
    ...usageFaults(definition),
    ...shadowFaults(definition),
    ...cascadeFaults(definition),
    ...timerLoopFaults(definition),
  ];
}

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

function operatorFaults({ operators, transitions, oracle }: Definition): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (operators[0] !== 'KO42')
    faults.push(fault('operators', 'KO42_FIRST', `begin with ${operators[0]}; KO42 comes first`));
  if (new Set(operators).size !== operators.length) faults.push(fault('operators', 'REPEATED', 'name one twice'));
  const used = new Set([
    'KO42',
    ...(oracle?.operator === undefined ? [] : [oracle.operator]),
    ...transitions.flatMap(({ operator, pre = [], post = [] }) => [operator, ...computed([...pre, ...post])]),
  ]);
  for (const id of operators)
    if (!used.has(id)) faults.push(fault('operators', 'UNUSED', `name ${id}, which nothing uses`));
  const ids = transitions.map(({ id }) => id);
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i))) {
    faults.push(fault(`transitions.${id}`, 'REPEATED', 'stands there twice'));
  }
  return faults;
}

const computed = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    'compute' in action && action.compute.operator !== undefined ? [action.compute.operator] : [],
  );

function graphFaults({ initial, states, transitions }: Definition): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const roles = Object.entries(states);
  const initials = roles.filter(([, { role }]) => role === 'initial').map(([name]) => name);
  if (initials.length !== 1 || initials[0] !== initial) {
    faults.push(
      fault('initial', 'INITIAL', `is ${initial}; exactly one state has the role initial, and it is this one`),
    );
  }
  const isTerminal = (name: string) => states[name]?.role === 'terminal';
  for (const [name, { role, outcome }] of roles) {
    if (role !== 'terminal' && outcome !== undefined) {
      faults.push(fault(`states.${name}.outcome`, 'NOT_TERMINAL', 'is for terminal states only'));
    }
  }
  const reached = closure([initial], (name) =>
    transitions.filter((one) => sourcesOf(one).includes(name)).map(({ to }) => to),
  );
  const ends = roles.filter(([, { role }]) => role === 'terminal').map(([name]) => name);
  const goals = ends.length === 0 ? [initial] : [...ends, initial];
  const leading = closure(goals, (name) => transitions.filter(({ to }) => to === name).flatMap(sourcesOf));
  for (const [name] of roles) {
    const leaves = transitions.some((one) => sourcesOf(one).includes(name) && one.to !== name);
    if (!reached.has(name)) faults.push(fault(`states.${name}`, 'UNREACHABLE', 'is never reached'));
    else if (isTerminal(name) && transitions.some((one) => sourcesOf(one).includes(name))) {
      faults.push(fault(`states.${name}`, 'TERMINAL_EXIT', 'is terminal and has a way out'));
    } else if (!isTerminal(name) && !leaves) {
      faults.push(fault(`states.${name}`, 'NO_EXIT', 'has no way out and is not terminal'));
    } else if (!isTerminal(name) && !leading.has(name)) {
      faults.push(fault(`states.${name}`, 'NO_END', 'leads to no terminal state and not back to the initial one'));
    }
  }
  for (const { id, from, to, reenter } of transitions) {
    if (reenter === true && !(typeof from === 'string' ? [from] : from).includes(to)) {
      faults.push(
        fault(`transitions.${id}.reenter`, 'NOT_SELF', 'is for transitions that lead back to their own state'),
      );
    }
  }
  return faults;
}

function closure(start: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const found = new Set(start);
  for (const name of found) for (const other of next(name)) found.add(other);
  return found;
}

function emitFaults({ emits = [], transitions }: Definition): ErrorDetail[] {
  const emitted = new Set(transitions.flatMap(({ post = [] }) => emittedBy(post)));
  return [
    ...[...emitted]
      .filter((name) => !emits.includes(name))
      .map((name) => fault('emits', 'UNDECLARED', `lack ${name}, which an action emits`)),
    ...emits
      .filter((name) => !emitted.has(name))
      .map((name) => fault('emits', 'UNUSED', `name ${name}, which no action emits`)),
  ];
}

const emittedBy = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    'emit' in action ? [typeof action.emit === 'string' ? action.emit : action.emit.event] : [],
  );

function usageFaults(definition: Definition): ErrorDetail[] {
  const { parameters = {}, context = {}, events = {}, transitions, oracle } = definition;
  const used = new Set(transitions.flatMap(namesOf));
  for (const name of [oracle?.every, oracle?.within, oracle?.max_age]) if (typeof name === 'string') used.add(name);
  // An operator is asked with the numbers that have the names of its inputs; which these are, the registry knows.
  if (oracle?.kind === 'operator') for (const name of Object.keys({ ...parameters, ...context })) used.add(name);
  const heard = new Set(transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : [])));
  if (oracle?.event !== undefined) heard.add(oracle.event);
  const unused = (path: string, names: Iterable<string>, isUsed: (name: string) => boolean) =>
    [...names].filter((name) => !isUsed(name)).map((name) => fault(`${path}.${name}`, 'UNUSED', 'is used by nothing'));
  return [
    ...unused('parameters', Object.keys(parameters), (name) => used.has(name)),
    ...unused('context', Object.keys(context), (name) => used.has(name)),
    ...unused('events', Object.keys(events), (name) => heard.has(name)),
  ];
}

/** Every name that a transition reads, and every context name that it writes. */
export function namesOf({ trigger, fires_when, pre = [], post = [] }: Transition): string[] {
  const texts = [fires_when, ...[...pre, ...post].flatMap(textsOf)].filter((text) => text !== undefined);
  const written = [...pre, ...post].flatMap((action) => {
    if ('set' in action) return Object.keys(action.set);
    return 'compute' in action ? [action.compute.into] : [];
  });
  const plain = Object.values(trigger).filter((value) => typeof value === 'string');
  const filter = 'filter' in trigger && trigger.filter !== undefined ? symbolsIn(trigger.filter) : [];
  return [...texts.flatMap(symbolsIn), ...written, ...plain, ...filter];
}

function textsOf(action: Action): string[] {
  if ('set' in action) return Object.values(action.set);
  if ('emit' in action) return typeof action.emit === 'string' ? [] : Object.values(action.emit.payload ?? {});
  if ('compute' in action) return Object.values(action.compute.inputs);
  if ('webhook' in action) return Object.values(action.webhook.payload ?? {});
  if ('token' in action)
    return [action.token.amount, action.token.to, action.token.from].filter((one) => one !== undefined);
  return [...action.log.matchAll(/\{([^{}]*)\}/g)].map(([, text = '']) => text);
}

function symbolsIn(text: string): string[] {
  try {
    return [...symbolsOf(parseExpression(text, CONDITION_SYNTAX))];
  } catch {
    return []; // the compiler says what is wrong with it
  }
}

/** A transition without a condition leaves nothing for those behind it on the same stimulus. */
function shadowFaults({ transitions }: Definition): ErrorDetail[] {
  const ordered = transitions
    .map((transition, order) => ({ transition, order }))
    .sort((a, b) => (b.transition.priority ?? 0) - (a.transition.priority ?? 0) || a.order - b.order);
  const faults: ErrorDetail[] = [];
  for (const [i, { transition: first }] of ordered.entries()) {
    if (first.trigger.kind !== 'event' || first.fires_when !== undefined) continue;
    for (const { transition: second } of ordered.slice(i + 1)) {
      if (!('event' in second.trigger) || second.trigger.event !== first.trigger.event) continue;
      const shared = sourcesOf(second).filter((state) => sourcesOf(first).includes(state));
      if (shared.length > 0) {
        faults.push(
          fault(
            `transitions.${second.id}`,
            'SHADOWED',
            `never fires in ${shared.join(', ')}: ${first.id} takes ${first.trigger.event} first`,
          ),
        );
      }
    }
  }
  return faults;
}

/** A contract that hears its own events must not be able to go round for ever without anything from outside. */
function cascadeFaults({ transitions }: Definition): ErrorDetail[] {
  const own = transitions.filter(({ trigger }) => trigger.kind === 'event' && trigger.self === true);
  const follows = (transition: Transition) => {
    const emitted = new Set(emittedBy(transition.post ?? []));
    return own.filter(
      (next) => 'event' in next.trigger && emitted.has(next.trigger.event) && sourcesOf(next).includes(transition.to),
    );
  };
  return own
    .filter((start) => start.fires_when === undefined && closureOf(start, follows).has(start))
    .map(({ id }) => fault(`transitions.${id}`, 'CASCADE', 'sets itself off again by the events that follow from it'));
}

/**
 * A timer from the deployment is due at once in a state that is entered after its time: where such timers alone lead round,
 * they would go round for ever, within one tick.
 */
function timerLoopFaults({ transitions }: Definition): ErrorDetail[] {
  const timed = transitions.filter(({ trigger }) => trigger.kind === 'one_shot' && trigger.anchor === 'deploy');
  // What leads back to its own state without entering it anew arms no timer.
  const arming = (one: Transition) => sourcesOf(one).filter((state) => state !== one.to || one.reenter === true);
  const next = (state: string) => timed.filter((one) => arming(one).includes(state)).map(({ to }) => to);
  return timed
    .filter((one) => arming(one).some((state) => closure([one.to], next).has(state)))
    .map(({ id }) =>
      fault(
        `transitions.${id}`,
        'TIMER_LOOP',
        'leads round to itself by timers from the deployment alone, without a wait',
      ),
    );
}

function closureOf(start: Transition, next: (one: Transition) => readonly Transition[]): Set<Transition> {
  const found = new Set(next(start));
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

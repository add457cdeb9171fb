// Checks a definition as a whole: unreachable states, states without an exit, unused names, transitions that never fire.
// Types and names inside expressions are checked by the compiler (compiled.ts).

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { activityFaults } from './calls/check.ts';
import { compileContract } from './compiled.ts';
import { collectionOf, isDataAction, textsOfDataAction } from './data/action-shapes.ts';
import { dataFaults } from './data/check.ts';
import { symbolsIn } from './data/lets.ts';
import { type Action, type Definition, listOf, type Scalars, sourcesOf, type Transition } from './definition.ts';
import { keyFaults } from './instances/check.ts';
import { partyFaults } from './parties/check.ts';
import { sendFaults } from './sends/check.ts';
import { accrualName } from './time/accruals.ts';
import { timeFaults, timeTexts } from './time/check.ts';
import { clockName } from './time/clocks.ts';
import { namesOfWindows, windowFaults } from './windows/check.ts';
import { WINDOW_FIELDS } from './windows/declared-windows.ts';

/** Every fault of a definition with these parameters: first those of its parts, which may cause those of the whole. */
export function definitionFaults(definition: Definition, parameters: Scalars = {}): ErrorDetail[] {
  const whole = checkDefinition(definition);
  try {
    compileContract(definition, parameters);
    return whole;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [...error.details, ...whole];
  }
}

/**
 * Transfers that name no payer, which would create tokens. Contracts that were deployed with one keep it: their rows
 * were decided by it (docs/decisions/0024).
 */
export function payerFaults({ transitions }: Definition): ErrorDetail[] {
  return transitions.flatMap(({ id, post = [] }) =>
    post.flatMap((action, i) =>
      'token' in action && action.token.op === 'transfer' && action.token.from === undefined
        ? [
            fault(
              `transitions.${id}.post.${i}.token.from`,
              'MISSING',
              'is missing; a transfer names its payer, and mint creates tokens',
            ),
          ]
        : [],
    ),
  );
}

/** Every fault of the state graph and of the declarations; empty for a definition that may be deployed. */
export function checkDefinition(definition: Definition): ErrorDetail[] {
  return [
    ...partyFaults(definition),
    ...dataFaults(definition),
    ...timeFaults(definition),
    ...windowFaults(definition),
    ...keyFaults(definition),
    ...sendFaults(definition),
    ...activityFaults(definition),
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
    faults.push(fault('operators', 'KO42_FIRST', `begin with ${operators[0]}; KO42 must come first`));
  if (new Set(operators).size !== operators.length)
    faults.push(fault('operators', 'REPEATED', 'name an operator twice'));
  const used = new Set([
    'KO42',
    ...(oracle?.operator === undefined ? [] : [oracle.operator]),
    ...transitions.flatMap(({ operator, pre = [], post = [] }) => [operator, ...computed([...pre, ...post])]),
  ]);
  for (const id of operators)
    if (!used.has(id)) faults.push(fault('operators', 'UNUSED', `name ${id}, which is unused`));
  const ids = transitions.map(({ id }) => id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) {
    faults.push(fault(`transitions.${id}`, 'REPEATED', 'is declared twice'));
  }
  return faults;
}

const computed = (actions: readonly Action[]) =>
  actions.flatMap((action) =>
    'compute' in action ? (action.compute.operator ?? []) : 'call' in action ? (action.call.operator ?? []) : [],
  );

function graphFaults({ initial, states, transitions }: Definition): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const roles = Object.entries(states);
  const initials = roles.filter(([, { role }]) => role === 'initial').map(([name]) => name);
  if (initials.length !== 1 || initials[0] !== initial) {
    faults.push(
      fault(
        'initial',
        'INITIAL',
        `is ${initial}; exactly one state must have the role initial, and initial must name it`,
      ),
    );
  }
  const isTerminal = (name: string) => states[name]?.role === 'terminal';
  for (const [name, { role, outcome }] of roles) {
    if (role !== 'terminal' && outcome !== undefined) {
      faults.push(fault(`states.${name}.outcome`, 'NOT_TERMINAL', 'is allowed only for terminal states'));
    }
  }
  const reached = closure([initial], (name) =>
    transitions.filter((transition) => sourcesOf(transition).includes(name)).map(({ to }) => to),
  );
  const terminals = roles.filter(([, { role }]) => role === 'terminal').map(([name]) => name);
  const goals = terminals.length === 0 ? [initial] : [...terminals, initial];
  const reachesGoal = closure(goals, (name) => transitions.filter(({ to }) => to === name).flatMap(sourcesOf));
  for (const [name] of roles) {
    const hasExit = transitions.some((transition) => sourcesOf(transition).includes(name) && transition.to !== name);
    if (!reached.has(name)) faults.push(fault(`states.${name}`, 'UNREACHABLE', 'is never reached'));
    else if (isTerminal(name) && transitions.some((transition) => sourcesOf(transition).includes(name))) {
      faults.push(fault(`states.${name}`, 'TERMINAL_EXIT', 'is terminal and must not have an outgoing transition'));
    } else if (!isTerminal(name) && !hasExit) {
      faults.push(fault(`states.${name}`, 'NO_EXIT', 'has no outgoing transition and is not terminal'));
    } else if (!isTerminal(name) && !reachesGoal.has(name)) {
      faults.push(fault(`states.${name}`, 'NO_END', 'leads neither to a terminal state nor back to the initial one'));
    }
  }
  for (const { id, from, to, reenter } of transitions) {
    if (reenter === true && !(typeof from === 'string' ? [from] : from).includes(to)) {
      faults.push(
        fault(`transitions.${id}.reenter`, 'NOT_SELF', 'is allowed only for transitions back into their own state'),
      );
    }
  }
  return faults;
}

function closure(start: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const reached = new Set(start);
  for (const name of reached) for (const other of next(name)) reached.add(other);
  return reached;
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
  const { parameters = {}, context = {}, events = {}, calendars = {}, clocks = {}, accruals = {} } = definition;
  const { collections = {}, let: lets = {}, windows = {}, transitions, oracle } = definition;
  const read = [...transitions.flatMap(namesOf), ...Object.values(lets).flatMap(symbolsIn)];
  const used = new Set([...read, ...namesOfWindows(definition)]);
  for (const { tz } of Object.values(calendars)) if (tz !== undefined) used.add(tz);
  for (const { from, to, tz } of Object.values(accruals)) for (const name of [from, to ?? '', tz]) used.add(name);
  for (const name of [oracle?.every, oracle?.within, oracle?.max_age]) if (typeof name === 'string') used.add(name);
  // An operator oracle reads the parameters and context variables named like its inputs, which only the registry knows.
  if (oracle?.kind === 'operator') for (const name of Object.keys({ ...parameters, ...context })) used.add(name);
  const subscribed = new Set(transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : [])));
  for (const { event } of Object.values(windows)) subscribed.add(event);
  if (oracle?.event !== undefined) subscribed.add(oracle.event);
  for (const name of listOf(definition.spawn ?? [])) subscribed.add(name);
  const unused = (path: string, names: Iterable<string>, isUsed: (name: string) => boolean) =>
    [...names].filter((name) => !isUsed(name)).map((name) => fault(`${path}.${name}`, 'UNUSED', 'is unused'));
  return [
    ...unused('parameters', Object.keys(parameters), (name) => used.has(name)),
    ...unused('context', Object.keys(context), (name) => used.has(name)),
    ...unused('collections', Object.keys(collections), (name) => used.has(name)),
    ...unused('windows', Object.keys(windows), (name) =>
      Object.keys(WINDOW_FIELDS).some((part) => used.has(`${name}.${part}`)),
    ),
    ...unused('let', Object.keys(lets), (name) => used.has(name)),
    ...transitions.flatMap((one) => {
      const own = new Set(namesOf(one));
      return unused(`transitions.${one.id}.let`, Object.keys(one.let ?? {}), (name) => own.has(name));
    }),
    ...unused('accruals', Object.keys(accruals), (name) => used.has(accrualName(name))),
    ...unused('clocks', Object.keys(clocks), (name) => used.has(clockName(name))),
    ...unused('events', Object.keys(events), (name) => subscribed.has(name)),
  ];
}

/** Every name that a transition reads, and every context variable that it writes. */
export function namesOf({ trigger, fires_when, let: lets = {}, pre = [], post = [] }: Transition): string[] {
  const actions = [...pre, ...post];
  const texts = [fires_when, ...Object.values(lets), ...actions.flatMap(textsOf)].filter((text) => text !== undefined);
  const written = actions.flatMap((action) => {
    if (isDataAction(action)) return [collectionOf(action), ...('take' in action ? [action.take.into] : [])];
    if ('set' in action) return Object.keys(action.set);
    if ('send' in action) return [action.send.to];
    if ('call' in action) return [action.call.retry?.backoff].filter((given) => typeof given === 'string');
    return 'compute' in action ? [action.compute.into] : [];
  });
  const plain = Object.values(trigger).filter((value) => typeof value === 'string');
  const { filter, veto, at_least: atLeast } = { filter: undefined, veto: undefined, at_least: undefined, ...trigger };
  const read = [filter, veto, atLeast, ...timeTexts(trigger)].flatMap((text) =>
    typeof text === 'string' ? symbolsIn(text) : [],
  );
  return [...texts.flatMap(symbolsIn), ...written, ...plain, ...read];
}

function textsOf(action: Action): string[] {
  if (isDataAction(action)) return textsOfDataAction(action);
  if ('set' in action) return Object.values(action.set);
  if ('emit' in action) return typeof action.emit === 'string' ? [] : Object.values(action.emit.payload ?? {});
  if ('compute' in action) return Object.values(action.compute.inputs);
  if ('webhook' in action) return Object.values(action.webhook.payload ?? {});
  if ('send' in action) return Object.values(action.send.payload ?? {});
  if ('call' in action) return Object.values({ ...action.call.inputs, ...action.call.http?.payload });
  if ('token' in action)
    return [action.token.amount, action.token.to, action.token.from].filter((text) => text !== undefined);
  if ('rearm' in action) return [];
  return [...action.log.matchAll(/\{([^{}]*)\}/g)].map(([, text = '']) => text);
}

/** A transition without a condition shadows all later ones on the same event. */
function shadowFaults({ transitions }: Definition): ErrorDetail[] {
  const ordered = transitions
    .map((transition, order) => ({ transition, order }))
    .sort((a, b) => (b.transition.priority ?? 0) - (a.transition.priority ?? 0) || a.order - b.order);
  const faults: ErrorDetail[] = [];
  for (const [i, { transition: first }] of ordered.entries()) {
    if (first.trigger.kind !== 'event' || first.fires_when !== undefined) continue;
    for (const { transition: second } of ordered.slice(i + 1)) {
      if (!('event' in second.trigger) || second.trigger.event !== first.trigger.event) continue;
      if (!takesAllSendersOf(first, second)) continue;
      const shared = sourcesOf(second).filter((state) => sourcesOf(first).includes(state));
      if (shared.length > 0) {
        faults.push(
          fault(
            `transitions.${second.id}`,
            'SHADOWED',
            `never fires in ${shared.join(', ')}: ${first.id} handles ${first.trigger.event} first`,
          ),
        );
      }
    }
  }
  return faults;
}

/** Whether every sender of the second transition's event is one of the first's. */
function takesAllSendersOf({ by: first }: Transition, { by, trigger }: Transition): boolean {
  if (first === undefined) return true;
  const second = trigger.kind === 'quorum' ? trigger.of : by;
  return second !== undefined && listOf(second).every((name) => listOf(first).includes(name));
}

/** Rejects unconditional cycles of transitions that trigger one another by the contract's own events. */
function cascadeFaults({ transitions }: Definition): ErrorDetail[] {
  const selfTriggered = transitions.filter(({ trigger }) => trigger.kind === 'event' && trigger.self === true);
  const follows = (transition: Transition) => {
    const emitted = new Set(emittedBy(transition.post ?? []));
    return selfTriggered.filter(
      (next) => 'event' in next.trigger && emitted.has(next.trigger.event) && sourcesOf(next).includes(transition.to),
    );
  };
  return selfTriggered
    .filter((start) => start.fires_when === undefined && closureOf(start, follows).has(start))
    .map(({ id }) => fault(`transitions.${id}`, 'CASCADE', 'triggers itself again through the events that it causes'));
}

/**
 * A timer anchored at the deployment, or a deadline that fires once it has passed, is due immediately in a state entered
 * after its time. A cycle of such timers would loop for ever within one tick.
 */
function timerLoopFaults({ transitions }: Definition): ErrorDetail[] {
  const timed = transitions.filter(
    ({ trigger }) =>
      (trigger.kind === 'one_shot' && trigger.anchor === 'deploy') ||
      (trigger.kind === 'deadline' && trigger.past === 'fire'),
  );
  // A transition back into its own state arms no timer unless it re-enters the state.
  const armingStates = (transition: Transition) =>
    sourcesOf(transition).filter((state) => state !== transition.to || transition.reenter === true);
  const next = (state: string) =>
    timed.filter((transition) => armingStates(transition).includes(state)).map(({ to }) => to);
  return timed
    .filter((transition) => armingStates(transition).some((state) => closure([transition.to], next).has(state)))
    .map(({ id }) =>
      fault(
        `transitions.${id}`,
        'TIMER_LOOP',
        'is in a cycle of timers that may have passed when they are set, which would fire without a wait',
      ),
    );
}

function closureOf(start: Transition, next: (transition: Transition) => readonly Transition[]): Set<Transition> {
  const reached = new Set(next(start));
  for (const transition of reached) for (const other of next(transition)) reached.add(other);
  return reached;
}

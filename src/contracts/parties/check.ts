// Checks what a definition says of its parties: names, numbers, and who may do what.

import type { ErrorDetail } from '../../core/errors.ts';
import { type Definition, listOf, type PartyNames, type Transition } from '../definition.ts';
import { unknownName } from '../parameters.ts';
import { windowsInGuard } from '../windows/declared-windows.ts';

/** Words that mean something else where a party is named, and first words of names in expressions. */
const RESERVED = new Set(
  'never operator admin owner viewer reader member all quorum event state agg op oracle clock accrual window node'.split(
    ' ',
  ),
);
/** The most accounts and keys that one contract binds. */
const MAX_SEATS = 64;

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

export function partyFaults(definition: Definition): ErrorDetail[] {
  if (definition.edition !== 2) return editionFaults(definition);
  return [
    ...nameFaults(definition),
    ...countFaults(definition),
    ...senderFaults(definition),
    ...manualFaults(definition),
    ...pauseFaults(definition),
    ...quorumFaults(definition),
    ...amendFaults(definition),
  ];
}

const EDITION = 'needs "edition": 2 in the definition';

/** What the first edition does not have. */
function editionFaults({ parties, amend, pause, events = {}, transitions }: Definition): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const unless = (isAbsent: boolean, path: string) => {
    if (!isAbsent) faults.push(fault(path, 'EDITION', EDITION));
  };
  unless(parties === undefined, 'parties');
  unless(amend === undefined, 'amend');
  unless(pause === undefined, 'pause');
  for (const [name, { from, signed }] of Object.entries(events)) {
    unless(from === undefined, `events.${name}.from`);
    unless(signed === undefined, `events.${name}.signed`);
  }
  for (const { id, by, manual, trigger } of transitions) {
    unless(by === undefined, `transitions.${id}.by`);
    unless(trigger.kind !== 'quorum', `transitions.${id}.trigger`);
    if (manual !== undefined && !ROLES_BY_HAND.has(manual)) {
      const text = `is ${manual}; never, operator or admin is expected, or with "edition": 2 a party`;
      faults.push(fault(`transitions.${id}.manual`, 'NOT_ALLOWED', text));
    }
  }
  return faults;
}

const ROLES_BY_HAND: ReadonlySet<string> = new Set(['never', 'operator', 'admin']);

function nameFaults({ parties = {}, parameters = {}, context = {}, events = {} }: Definition): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  for (const name of Object.keys(parties)) {
    const taken = Object.hasOwn(parameters, name)
      ? 'a parameter'
      : Object.hasOwn(context, name)
        ? 'context'
        : undefined;
    if (RESERVED.has(name)) faults.push(fault(`parties.${name}`, 'RESERVED', 'is a name with another meaning'));
    else if (taken) faults.push(fault(`parties.${name}`, 'TAKEN', `is already the name of ${taken}`));
  }
  for (const [name, { payload = {} }] of Object.entries(events)) {
    for (const field of ['actor', 'sender']) {
      if (!Object.hasOwn(payload, field)) continue;
      faults.push(fault(`events.${name}.payload.${field}`, 'RESERVED', 'is set by the engine and cannot be declared'));
    }
  }
  return faults;
}

function countFaults({ parties }: Definition): ErrorDetail[] {
  if (parties === undefined) return [];
  const faults: ErrorDetail[] = [];
  if (Object.keys(parties).length === 0) faults.push(fault('parties', 'MISSING', 'is empty; name at least one'));
  for (const [name, { count }] of Object.entries(parties)) {
    if (count !== undefined && count.min > count.max) {
      const text = `has min ${count.min} above max ${count.max}`;
      faults.push(fault(`parties.${name}.count`, 'OUT_OF_RANGE', text));
    }
  }
  const seats = seatsOf(parties, Object.keys(parties));
  if (seats > MAX_SEATS)
    faults.push(fault('parties', 'COUNT', `may bind ${seats} in all; at most ${MAX_SEATS} are allowed`));
  return faults;
}

const seatsOf = (parties: NonNullable<Definition['parties']>, names: readonly string[]) =>
  names.reduce((sum, name) => sum + (parties[name]?.count?.max ?? 1), 0);

function unknownParties({ parties = {} }: Definition, path: string, names: PartyNames | undefined): ErrorDetail[] {
  const known = Object.keys(parties);
  return listOf(names ?? [])
    .filter((name) => !known.includes(name))
    .map((name) => unknownName(path, 'party', name, known));
}

function senderFaults(definition: Definition): ErrorDetail[] {
  const { events = {}, transitions, oracle, parties } = definition;
  const faults: ErrorDetail[] = [];
  for (const [name, { from, signed }] of Object.entries(events)) {
    faults.push(...unknownParties(definition, `events.${name}.from`, from));
    if (signed === true && parties === undefined)
      faults.push(fault(`events.${name}.signed`, 'NO_PARTY', 'needs parties, whose keys sign'));
    const isRestricted = from !== undefined || signed === true;
    if (isRestricted && oracle?.event === name && oracle.kind !== 'event')
      faults.push(fault(`events.${name}`, 'NOT_ALLOWED', 'is raised by the oracle, which is no party'));
  }
  for (const { id, by, trigger } of transitions) {
    faults.push(...unknownParties(definition, `transitions.${id}.by`, by));
    if (by !== undefined && trigger.kind !== 'event') {
      const fix = trigger.kind === 'quorum' ? 'of names who votes' : 'only events have a sender';
      faults.push(fault(`transitions.${id}.by`, 'NOT_ALLOWED', `is not allowed for ${trigger.kind}: ${fix}`));
    }
    const from = 'event' in trigger ? events[trigger.event]?.from : undefined;
    const excluded = from === undefined ? [] : listOf(by ?? []).filter((name) => !listOf(from).includes(name));
    for (const name of excluded) {
      const text = `names ${name}, which cannot send ${'event' in trigger ? trigger.event : ''}`;
      faults.push(fault(`transitions.${id}.by`, 'CONTRADICTION', text));
    }
  }
  return faults;
}

/** The events that the windows of a transition count, if they trigger it. */
function windowEvents({ windows = {}, let: shared = {} }: Definition, transition: Transition): string[] {
  if (transition.trigger.kind !== 'windows') return [];
  return windowsInGuard(transition, shared, Object.keys(windows)).map((name) => windows[name]?.event ?? '');
}

function manualFaults(definition: Definition): ErrorDetail[] {
  const { events = {}, transitions, parties = {} } = definition;
  return transitions.flatMap((transition) => {
    const { id, manual, by, trigger } = transition;
    if (manual === undefined || manual === 'never') return [];
    const path = `transitions.${id}.manual`;
    const isRole = ROLES_BY_HAND.has(manual);
    if (!isRole && !Object.hasOwn(parties, manual))
      return [unknownName(path, 'party or role', manual, [...ROLES_BY_HAND, ...Object.keys(parties)])];
    const event = 'event' in trigger ? events[trigger.event] : undefined;
    const counted = windowEvents(definition, transition).find((name) => {
      const { from, signed } = events[name] ?? {};
      return signed === true || (from !== undefined && !listOf(from).includes(manual));
    });
    if (counted !== undefined)
      return [fault(path, 'CONTRADICTION', `is ${manual}; ${counted}, which its windows count, is for others to send`)];
    const named = by ?? (trigger.kind === 'quorum' ? trigger.of : event?.from);
    if (trigger.kind === 'quorum' || event?.signed === true)
      return [fault(path, 'CONTRADICTION', `is ${manual}; votes and signatures cannot be replaced by hand`)];
    if (named !== undefined && !listOf(named).includes(manual)) {
      return [fault(path, 'CONTRADICTION', `is ${manual}; only ${listOf(named).join(' or ')} may cause it`)];
    }
    return [];
  });
}

function pauseFaults({ pause, parties = {} }: Definition): ErrorDetail[] {
  if (pause === undefined || ROLES_BY_HAND.has(pause) || Object.hasOwn(parties, pause)) return [];
  return [unknownName('pause', 'party or role', pause, [...ROLES_BY_HAND, ...Object.keys(parties)])];
}

function quorumFaults(definition: Definition): ErrorDetail[] {
  const { transitions, parties = {} } = definition;
  const quorums = transitions.flatMap(({ id, trigger }) => (trigger.kind === 'quorum' ? [{ id, trigger }] : []));
  return quorums.flatMap(({ id, trigger }, i) => {
    const path = `transitions.${id}.trigger`;
    const { of, at_least: atLeast, distinct, changes = false, event } = trigger;
    const faults = unknownParties(definition, `${path}.of`, of);
    const most = distinct === 'parties' ? new Set(listOf(of)).size : seatsOf(parties, listOf(of));
    if (faults.length === 0 && typeof atLeast === 'number' && atLeast > most) {
      const text = `is ${atLeast}; ${listOf(of).join(' and ')} have at most ${most} votes`;
      faults.push(fault(`${path}.at_least`, 'OUT_OF_RANGE', text));
    }
    const other = quorums.slice(0, i).find(({ trigger: one }) => one.event === event);
    if (other !== undefined && (other.trigger.changes ?? false) !== changes) {
      faults.push(
        fault(`${path}.changes`, 'CONTRADICTION', `differs from that of ${other.id}, which counts ${event} too`),
      );
    }
    return faults;
  });
}

function amendFaults(definition: Definition): ErrorDetail[] {
  const { amend, parties } = definition;
  if (amend === undefined) return [];
  if (parties === undefined) return [fault('amend', 'NO_PARTY', 'needs parties, who accept')];
  if (amend.by === 'all') return [];
  const faults = unknownParties(definition, 'amend.of', amend.of);
  const least = listOf(amend.of).reduce((sum, name) => sum + (parties[name]?.count?.min ?? 1), 0);
  if (faults.length === 0 && amend.at_least > least) {
    const text = `is ${amend.at_least}; ${listOf(amend.of).join(' and ')} may have only ${least} votes`;
    faults.push(fault('amend.at_least', 'OUT_OF_RANGE', text));
  }
  return faults;
}

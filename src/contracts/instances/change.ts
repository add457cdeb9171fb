// Changes of a definition that its instances cannot take: they move to a new version one by one, when they are touched next.

import { canonicalJson } from '../../core/canonical-json.ts';
import type { ErrorDetail } from '../../core/errors.ts';
import type { CompiledContract } from '../compiled.ts';
import type { Definition } from '../definition.ts';
import { subscribedEvents } from '../execution.ts';
import { ownParties } from './parties.ts';

/** Why a contract cannot go from one definition to the other; none if neither has a key. */
export function keyedChangeFaults(former: CompiledContract, newer: CompiledContract): ErrorDetail[] {
  const [before, after] = [former.definition, newer.definition];
  if (before.key === undefined && after.key === undefined) return [];
  const missing = Object.keys(before.states).filter((state) => !Object.hasOwn(after.states, state));
  return [
    ...(before.key === after.key
      ? []
      : [
          fault(
            'key',
            'KEY',
            `is ${after.key ?? 'missing'}; expected ${before.key ?? 'none'}, as before: deploy another contract`,
          ),
        ]),
    ...(typesOf(before) === typesOf(after)
      ? []
      : [fault('events', 'KEY', 'give the key another type; expected the one of before')]),
    ...partyChangeFaults(before, after),
    ...(ownParties(before).length === 0 ? [] : [...heardFaults(former, newer), ...pauseFaults(former, newer)]),
    ...(missing.length === 0
      ? []
      : [
          fault(
            'states',
            'MISSING',
            `lack ${missing.join(', ')}; expected all states of the version before, for its instances`,
          ),
        ]),
  ];
}

/** Instances have bound their own parties by their first event: none can be added, dropped, or bound by something else. */
function partyChangeFaults({ parties: former = {} }: Definition, { parties = {} }: Definition): ErrorDetail[] {
  const names = new Set([...Object.keys(former), ...Object.keys(parties)]);
  return [...names].flatMap((name) => {
    const [before, bind] = [former, parties].map((all) => (Object.hasOwn(all, name) ? all[name]?.bind : undefined));
    if (before === bind) return [];
    const text = `is ${bind ?? 'missing'}; expected ${before ?? 'none'}, as before, since instances are bound already`;
    return [fault(`parties.${name}.bind`, 'KEY', text)];
  });
}

/**
 * Events are routed by the version that stands. Instances whose parties have not accepted it take those of their own one,
 * so none of these may be lost.
 */
function heardFaults(former: CompiledContract, newer: CompiledContract): ErrorDetail[] {
  const heard = (contract: CompiledContract) =>
    [...subscribedEvents(contract)].filter((name) => !contract.reservedEvents.has(name));
  const still = new Set(heard(newer));
  const lost = heard(former).filter((name) => !still.has(name));
  if (lost.length === 0) return [];
  const text = `take no ${lost.join(', ')} from outside; expected all events of the version before, for its instances`;
  return [fault('events', 'MISSING', text)];
}

/** Pausing acts on all instances, also on those under a version by which nobody pauses. */
function pauseFaults({ pause: before }: CompiledContract, { pause }: CompiledContract): ErrorDetail[] {
  if (pause === before || pause === 'never') return [];
  return [fault('pause', 'KEY', `is ${pause}; expected ${before}, as before, or never, for instances that have begun`)];
}

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

/** The types that the key has in the events of a definition. */
function typesOf({ key = '', events = {} }: Definition): string {
  const field = key.slice('event.'.length);
  const types = Object.values(events).flatMap(({ payload = {} }) =>
    Object.hasOwn(payload, field) ? [payload[field] ?? ''] : [],
  );
  return canonicalJson([...new Set(types)].sort());
}

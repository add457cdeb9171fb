// Changes of a definition that its instances cannot take: they move to a new version one by one, when they are touched next.

import { canonicalJson } from '../../core/canonical-json.ts';
import type { ErrorDetail } from '../../core/errors.ts';
import type { Definition } from '../definition.ts';

/** Why a contract cannot go from one definition to the other; none if neither has a key. */
export function keyedChangeFaults(before: Definition, after: Definition): ErrorDetail[] {
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

/** Instances have bound their own parties by their first event: none can be added, or bound by something else. */
function partyChangeFaults({ parties: former = {} }: Definition, { parties = {} }: Definition): ErrorDetail[] {
  return Object.entries(parties).flatMap(([name, { bind }]) => {
    const before = Object.hasOwn(former, name) ? former[name]?.bind : undefined;
    if (before === bind) return [];
    const text = `is ${bind ?? 'missing'}; expected ${before ?? 'none'}, as before, since instances are bound already`;
    return [fault(`parties.${name}.bind`, 'KEY', text)];
  });
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

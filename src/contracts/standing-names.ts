// The names that have a value whatever happens to a contract, with their types.

import { currencyOf } from './data/types.ts';
import type { Definition, Scalars } from './definition.ts';
import { TIME_UNITS } from './time/units.ts';
import { type Type, typeOf, typeOfValue } from './typed-expressions.ts';

/** Parameters, context, the numbers of voters, units of time. @param filled  the parameters, with defaults */
export function standingNames(
  { context = {}, parties = {}, parameters = {}, edition }: Definition,
  filled: Scalars,
): Map<string, Type> {
  const names = new Map<string, Type>();
  if (edition === 2) for (const unit of Object.keys(TIME_UNITS)) names.set(unit, 'number');
  for (const [name, value] of Object.entries(filled)) {
    const type = parameters[name]?.type;
    names.set(name, currencyOf(type ?? '') === undefined ? typeOfValue(value) : (type as Type));
  }
  for (const [name, { type }] of Object.entries(context)) names.set(name, typeOf(type));
  for (const party of Object.keys(parties)) names.set(`${party}.count`, 'number');
  return names;
}

export const collectionNames = ({ collections = {} }: Definition): readonly (readonly [string, Type])[] =>
  Object.entries(collections).map(([name, { kind, of }]) => [name, `${kind}<${typeOf(of)}>`] as const);

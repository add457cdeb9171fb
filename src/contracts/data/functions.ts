// Functions of the second edition's expressions: reads of collections, money, hashes.
//
// They are evaluated here, not by the expression machine, which has only numbers of 64 bits. Every function is total on
// what its types allow, or refuses with a named fault.

import { canonicalJson } from '../../core/canonical-json.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { Call, Expression } from '../../expressions/tree.ts';
import type { Scalar } from '../definition.ts';
import { ExactSum } from '../exact-sum.ts';
import { type Entries, type Pair, pairsOf, valuesOf } from './collections.ts';
import { dataFault } from './faults.ts';
import { allocate, portionOf, ROUNDINGS, type Rounding, sumMoney, whole } from './money.ts';
import { currencyOf, isCollection, isMoney, moneyOf, partsOf } from './types.ts';

/** An operand at run time: a value, or a whole collection. */
export type Operand = Scalar | Entries;

/** What `typeOfCall` asks of the compiler. */
export interface CallTypes {
  readonly types: readonly string[];
  /** Refuses an operand. */
  readonly fail: (operand: number, expected: string) => never;
  /** Refuses the operand unless it has this type. */
  readonly need: (operand: number, type: string) => void;
}

export interface DataFunction {
  /** Number of operands. */
  readonly arity: readonly [min: number, max: number];
  readonly typeOf: (call: Call, types: CallTypes) => string;
  readonly run: (operands: readonly Operand[], types: readonly string[]) => Scalar;
}

const entriesOf = (operand: Operand | undefined) => operand as Entries;
const numberOf = (operand: Operand | undefined) => operand as number;
const numbersOf = (operand: Operand | undefined) => valuesOf(entriesOf(operand)) as readonly number[];

const ANY_COLLECTION = 'a collection';

/** The kinds of a collection operand. */
function collectionAt(at: CallTypes, operand: number, kinds: readonly string[], expected = ANY_COLLECTION) {
  const parts = partsOf(at.types[operand] ?? '');
  if (parts === undefined || !kinds.includes(parts.kind)) return at.fail(operand, expected);
  return parts;
}

const ALL = ['map', 'list', 'set'];
const isNumeric = (type: string) => type === 'number' || isMoney(type);

function numericAt(at: CallTypes, operand: number, kinds = ALL): string {
  const { of } = collectionAt(at, operand, kinds, 'a collection of numbers or money');
  return isNumeric(of) ? of : at.fail(operand, 'a collection of numbers or money');
}

function literalAt(call: Call, at: CallTypes, operand: number, allowed: readonly string[], expected: string): string {
  const node: Expression | undefined = call.operands[operand];
  if (node?.kind === 'text' && allowed.includes(node.value)) return node.value;
  return at.fail(operand, expected);
}

function moneyAt(at: CallTypes, operand: number): string {
  const type = at.types[operand] ?? '';
  return isMoney(type) ? type : at.fail(operand, 'an amount of money');
}

const ROUNDING_EXPECTED = `one of ${ROUNDINGS.map((name) => `"${name}"`).join(', ')}`;

function roundingAt(call: Call, at: CallTypes, operand: number): void {
  if (call.operands.length > operand) literalAt(call, at, operand, ROUNDINGS, ROUNDING_EXPECTED);
}

const roundingOf = (operand: Operand | undefined) => (operand ?? 'half_even') as Rounding;

/** A place from 1 on. @throws DomainError BAD_INDEX */
function placeOf(operand: Operand | undefined): number {
  const place = numberOf(operand);
  if (Number.isSafeInteger(place) && place >= 1) return place - 1;
  throw dataFault('BAD_INDEX', `${place} is no place in a collection; a whole number from 1 on is expected.`);
}

/** A value at a place, from 1 on, or the default. */
const placed = (find: (entries: Entries, place: number) => Scalar | undefined): DataFunction => ({
  arity: [3, 3],
  typeOf: (_, at) => {
    const { of } = collectionAt(at, 0, ['list', 'set'], 'a list or a set');
    at.need(1, 'number');
    at.need(2, of);
    return of;
  },
  run: ([entries, place, otherwise]) => find(entriesOf(entries), placeOf(place)) ?? (otherwise as Scalar),
});

const end = (at: 0 | -1): DataFunction => ({
  arity: [2, 2],
  typeOf: (_, types) => {
    const { of } = collectionAt(types, 0, ['list', 'set'], 'a list or a set');
    types.need(1, of);
    return of;
  },
  run: ([entries, otherwise]) => (entriesOf(entries).at(at) as Scalar | undefined) ?? (otherwise as Scalar),
});

/** Places of the values in order, of equal ones the earlier first. */
function ranked(values: readonly number[], direction: 1 | -1): number[] {
  const places = values.map((_, i) => i);
  return places.sort((a, b) => direction * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
}

const rankedValue = (direction: 1 | -1): DataFunction => ({
  arity: [3, 3],
  typeOf: (_, at) => {
    const of = numericAt(at, 0);
    at.need(1, 'number');
    at.need(2, of);
    return of;
  },
  run: ([entries, place, otherwise]) => {
    const values = numbersOf(entries);
    const found = ranked(values, direction)[placeOf(place)];
    return found === undefined ? (otherwise as Scalar) : (values[found] as number);
  },
});

const rankedKey = (direction: 1 | -1): DataFunction => ({
  arity: [3, 3],
  typeOf: (_, at) => {
    numericAt(at, 0, ['map']);
    at.need(1, 'number');
    at.need(2, 'string');
    return 'string';
  },
  run: ([entries, place, otherwise]) => {
    const found = ranked(numbersOf(entries), direction)[placeOf(place)];
    const pair: Pair | undefined = found === undefined ? undefined : pairsOf(entriesOf(entries))[found];
    return pair?.[0] ?? (otherwise as Scalar);
  },
});

/** `min(bids, 0)` and `max(bids, 0)` of a collection. */
export const EXTREMES: ReadonlyMap<string, DataFunction> = new Map(
  (
    [
      ['min', 1],
      ['max', -1],
    ] as const
  ).map(([name, direction]) => [
    name,
    {
      arity: [2, 2],
      typeOf: (_, at) => {
        const of = numericAt(at, 0);
        at.need(1, of);
        return of;
      },
      run: ([entries, otherwise]) => {
        const values = numbersOf(entries);
        const [found] = ranked(values, direction);
        return found === undefined ? (otherwise as Scalar) : (values[found] as number);
      },
    } satisfies DataFunction,
  ]),
);

const scaled = (isProduct: boolean): DataFunction => ({
  arity: [2, 3],
  typeOf: (call, at) => {
    const type = moneyAt(at, 0);
    at.need(1, 'number');
    roundingAt(call, at, 2);
    return type;
  },
  run: ([amount, factor, rounding]) => {
    const [part, total] = isProduct ? [numberOf(factor), 1] : [1, numberOf(factor)];
    return portionOf(numberOf(amount), part, total, roundingOf(rounding));
  },
});

const portion: DataFunction = {
  arity: [3, 4],
  typeOf: (call, at) => {
    const type = moneyAt(at, 0);
    const [, part = ''] = at.types;
    if (!isNumeric(part)) at.fail(1, 'a number or an amount of money');
    at.need(2, part);
    roundingAt(call, at, 3);
    return type;
  },
  run: ([amount, part, total, rounding]) =>
    portionOf(numberOf(amount), numberOf(part), numberOf(total), roundingOf(rounding)),
};

const MAX_WEIGHTS = 16;

const allocated: DataFunction = {
  arity: [4, 2 + MAX_WEIGHTS],
  typeOf: (call, at) => {
    const type = moneyAt(at, 0);
    for (let i = 1; i < call.operands.length; i++) at.need(i, 'number');
    return type;
  },
  run: ([amount, place, ...weights]) => {
    const at = placeOf(place);
    const share = allocate(numberOf(amount), weights as readonly number[])[at];
    if (share !== undefined) return share;
    throw dataFault('BAD_INDEX', `${at + 1} is no place among ${weights.length} weights.`);
  },
};

const share: DataFunction = {
  arity: [3, 3],
  typeOf: (_, at) => {
    const type = moneyAt(at, 0);
    numericAt(at, 1, ['map']);
    at.need(2, 'string');
    return type;
  },
  run: ([amount, weights, key]) => {
    const pairs = pairsOf(entriesOf(weights));
    const at = pairs.findIndex(([known]) => known === key);
    if (at < 0) throw dataFault('NO_ENTRY', `The weights have no entry ${JSON.stringify(key)}.`);
    return allocate(numberOf(amount), numbersOf(weights))[at] as number;
  },
};

/** Every operand is a value, none a collection. */
const scalars = (call: Call, at: CallTypes, from = 0) => {
  for (let i = from; i < call.operands.length; i++) {
    if (isCollection(at.types[i] ?? '')) at.fail(i, 'a value');
  }
  return 'string';
};

const MAX_SHOWN_CHARACTERS = 40;

const hashOf = (operands: readonly Operand[]) => {
  for (const one of operands) {
    if (typeof one === 'number' && !Number.isFinite(one))
      throw dataFault('BAD_ENTRY', `${one} cannot be hashed; a finite number can.`);
    if (typeof one === 'string' && !one.isWellFormed())
      throw dataFault(
        'BAD_ENTRY',
        `${JSON.stringify(one.slice(0, MAX_SHOWN_CHARACTERS))} cannot be hashed; whole characters can.`,
      );
  }
  return sha256Hex(canonicalJson(operands));
};

export const DATA_FUNCTIONS: ReadonlyMap<string, DataFunction> = new Map<string, DataFunction>([
  [
    'count',
    {
      arity: [1, 1],
      typeOf: (_, at) => {
        collectionAt(at, 0, ALL);
        return 'number';
      },
      run: ([entries]) => entriesOf(entries).length,
    },
  ],
  [
    'has',
    {
      arity: [2, 2],
      typeOf: (_, at) => {
        const { kind, of } = collectionAt(at, 0, ALL);
        at.need(1, kind === 'map' ? 'string' : of);
        return 'boolean';
      },
      run: ([entries, wanted], [type = '']) =>
        partsOf(type)?.kind === 'map'
          ? pairsOf(entriesOf(entries)).some(([key]) => key === wanted)
          : entriesOf(entries).includes(wanted as Scalar),
    },
  ],
  [
    'get',
    {
      arity: [3, 3],
      typeOf: (_, at) => {
        const { of } = collectionAt(at, 0, ['map'], 'a map');
        at.need(1, 'string');
        at.need(2, of);
        return of;
      },
      run: ([entries, wanted, otherwise]) =>
        pairsOf(entriesOf(entries)).find(([key]) => key === wanted)?.[1] ?? (otherwise as Scalar),
    },
  ],
  ['at', placed((entries, place) => entries[place] as Scalar | undefined)],
  ['first', end(0)],
  ['last', end(-1)],
  [
    'key_at',
    {
      arity: [3, 3],
      typeOf: (_, at) => {
        collectionAt(at, 0, ['map'], 'a map');
        at.need(1, 'number');
        at.need(2, 'string');
        return 'string';
      },
      run: ([entries, place, otherwise]) => pairsOf(entriesOf(entries))[placeOf(place)]?.[0] ?? (otherwise as Scalar),
    },
  ],
  [
    'position',
    {
      arity: [2, 2],
      typeOf: (_, at) => {
        const { kind, of } = collectionAt(at, 0, ALL);
        at.need(1, kind === 'map' ? 'string' : of);
        return 'number';
      },
      run: ([entries, wanted], [type = '']) =>
        1 +
        (partsOf(type)?.kind === 'map'
          ? pairsOf(entriesOf(entries)).findIndex(([key]) => key === wanted)
          : entriesOf(entries).indexOf(wanted as Scalar)),
    },
  ],
  [
    'sum',
    {
      arity: [1, 1],
      typeOf: (_, at) => numericAt(at, 0),
      run: ([entries], [type = '']) => {
        const values = numbersOf(entries);
        if (isMoney(partsOf(type)?.of ?? '')) return sumMoney(values);
        const sum = new ExactSum();
        for (const value of values) sum.add(value);
        return sum.value;
      },
    },
  ],
  ['largest', rankedValue(-1)],
  ['smallest', rankedValue(1)],
  ['largest_key', rankedKey(-1)],
  ['smallest_key', rankedKey(1)],
  [
    'money',
    {
      arity: [2, 2],
      typeOf: (call, at) => {
        at.need(0, 'number');
        const [, node] = call.operands;
        const currency = node?.kind === 'text' ? currencyOf(moneyOf(node.value)) : undefined;
        return currency === undefined ? at.fail(1, 'a currency such as "EUR"') : moneyOf(currency);
      },
      run: ([units]) => whole(numberOf(units)),
    },
  ],
  [
    'minor',
    {
      arity: [1, 1],
      typeOf: (_, at) => {
        moneyAt(at, 0);
        return 'number';
      },
      run: ([amount]) => numberOf(amount),
    },
  ],
  ['times', scaled(true)],
  ['divide', scaled(false)],
  ['portion', portion],
  ['allocate', allocated],
  ['share', share],
  ['sha256', { arity: [1, 16], typeOf: scalars, run: hashOf }],
  [
    'commitment',
    {
      arity: [2, 16],
      typeOf: (call, at) => {
        at.need(0, 'string');
        return scalars(call, at, 1);
      },
      run: (operands) => {
        const salt = String(operands[0]);
        const { min, max } = LIMITS.contracts.saltCharacters;
        if (salt.length < min || salt.length > max)
          throw dataFault('BAD_SALT', `The salt has ${salt.length} characters; ${min} to ${max} are expected.`);
        return hashOf(operands);
      },
    },
  ],
  [
    'length',
    {
      arity: [1, 1],
      typeOf: (_, at) => {
        at.need(0, 'string');
        return 'number';
      },
      run: ([text]) => [...String(text)].length,
    },
  ],
]);

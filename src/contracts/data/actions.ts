// Actions on collections: compiled with their types, run on the draft of a transition.

import type { Definition, Scalar } from '../definition.ts';
import { type Type, type TypedExpression, type Types, typeOf, typeWithArticle } from '../typed-expressions.ts';
import { collectionOf, type DataAction } from './action-shapes.ts';
import { add, append, type CollectionShape, type Entries, put, remove, take } from './collections.ts';
import { type CollectionKind, currencyOf, isMoney } from './types.ts';

export type CompiledDataAction =
  | {
      readonly kind: 'put';
      readonly shape: CollectionShape;
      readonly key: TypedExpression;
      readonly value: TypedExpression;
    }
  | { readonly kind: 'append' | 'add'; readonly shape: CollectionShape; readonly value: TypedExpression }
  | { readonly kind: 'remove'; readonly shape: CollectionShape; readonly entry: TypedExpression }
  | { readonly kind: 'take'; readonly shape: CollectionShape; readonly into: string }
  | { readonly kind: 'clear'; readonly shape: CollectionShape }
  | {
      readonly kind: 'distribute';
      readonly shape: CollectionShape;
      readonly amount: TypedExpression;
      readonly from: TypedExpression;
      readonly token: string;
    };

/** What the compiler offers to a part of it. */
export interface ActionCompiler {
  /** A placeholder after a fault. */
  readonly expression: (path: string, text: string, names: Types, expected?: Type) => TypedExpression;
  readonly fault: (path: string, code: string, text: string) => void;
  readonly unknown: (path: string, kind: string, name: string, known: Iterable<string>) => void;
}

const KINDS: Readonly<Record<string, readonly CollectionKind[]>> = {
  put: ['map'],
  append: ['list'],
  add: ['set'],
  remove: ['map', 'list', 'set'],
  take: ['list', 'set'],
  clear: ['map', 'list', 'set'],
  distribute: ['map'],
};

/** @param names  gets the name that `take` writes, for the actions after it */
export function compileDataAction(
  path: string,
  action: DataAction,
  names: Map<string, Type>,
  { collections = {}, context = {} }: Definition,
  compiler: ActionCompiler,
): CompiledDataAction {
  const [kind = ''] = Object.keys(action);
  const name = collectionOf(action);
  const at = `${path}.${kind}`;
  const declared = Object.hasOwn(collections, name) ? collections[name] : undefined;
  if (declared === undefined) compiler.unknown(at, 'collection', name, Object.keys(collections));
  else if (!KINDS[kind]?.includes(declared.kind))
    compiler.fault(at, 'TYPE', `names ${name}, a ${declared.kind}; ${KINDS[kind]?.join(' or ')} is expected`);
  const shape = shapeOf(name, declared);
  const of = typeOf(shape.of as Parameters<typeof typeOf>[0]);
  const read = (field: string, text: string, type: Type) => compiler.expression(`${at}.${field}`, text, names, type);
  if ('put' in action)
    return {
      kind: 'put',
      shape,
      key: read('key', action.put.key, 'string'),
      value: read('value', action.put.value, of),
    };
  if ('append' in action) return { kind: 'append', shape, value: read('value', action.append.value, of) };
  if ('add' in action) return { kind: 'add', shape, value: read('value', action.add.value, of) };
  if ('remove' in action)
    return { kind: 'remove', shape, entry: read('entry', action.remove.entry, shape.kind === 'map' ? 'string' : of) };
  if ('take' in action) {
    const { into } = action.take;
    const variable = Object.hasOwn(context, into) ? context[into] : undefined;
    if (variable !== undefined && typeOf(variable.type) !== of)
      compiler.fault(
        `${at}.into`,
        'TYPE',
        `is ${into}, ${typeWithArticle(variable.type)}; ${typeWithArticle(shape.of)} is taken`,
      );
    names.set(into, of);
    return { kind: 'take', shape, into };
  }
  if ('clear' in action) return { kind: 'clear', shape };
  return compileDistribution(at, action.distribute, shape, names, compiler);
}

function compileDistribution(
  at: string,
  { amount, from, token }: Extract<DataAction, { distribute: unknown }>['distribute'],
  shape: CollectionShape,
  names: Types,
  compiler: ActionCompiler,
): CompiledDataAction {
  const compiled = compiler.expression(`${at}.amount`, amount, names);
  const currency = currencyOf(compiled.type);
  if (currency === undefined) compiler.fault(`${at}.amount`, 'TYPE', `is a ${compiled.type}; money is distributed`);
  else if (token !== undefined && token !== currency)
    compiler.fault(`${at}.token`, 'CURRENCY', `is ${token}; the amount is in ${currency}`);
  const weight = typeOf(shape.of as Parameters<typeof typeOf>[0]);
  if (weight !== 'number' && !isMoney(weight))
    compiler.fault(`${at}.by`, 'TYPE', `names ${shape.name}, a map of ${shape.of}; numbers or money are expected`);
  const payer = compiler.expression(`${at}.from`, from, names, 'string');
  return { kind: 'distribute', shape, amount: compiled, from: payer, token: currency ?? '' };
}

/** The shape of a collection; of an unknown one a placeholder. */
function shapeOf(name: string, declared: NonNullable<Definition['collections']>[string] | undefined): CollectionShape {
  const { kind = 'list', of = 'number', max = 1, at_limit: atLimit } = declared ?? {};
  return { name, kind, of, max, isRing: atLimit === 'drop_oldest' };
}

/** The collection after an action, and what it took out. */
export function runDataAction(
  action: Exclude<CompiledDataAction, { kind: 'distribute' }>,
  entries: Entries,
  value: (expression: TypedExpression) => Scalar,
): { readonly entries: Entries; readonly taken?: Scalar } {
  switch (action.kind) {
    case 'put':
      return { entries: put(action.shape, entries, value(action.key), value(action.value)) };
    case 'append':
      return { entries: append(action.shape, entries, value(action.value)) };
    case 'add':
      return { entries: add(action.shape, entries, value(action.value)) };
    case 'remove':
      return { entries: remove(action.shape, entries, value(action.entry)) };
    case 'take': {
      const { value: taken, rest } = take(action.shape, entries);
      return { entries: rest, taken };
    }
    case 'clear':
      return { entries: [] };
  }
}

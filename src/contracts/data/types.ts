// Types beyond numbers, booleans and texts: money in a currency, and bounded collections.

/** Whole minor units of a currency: cents of `money<EUR>`. */
export type MoneyType = `money<${string}>`;

export type CollectionKind = 'map' | 'list' | 'set';

/** A collection as a type of names, which no operator takes: `map<money<EUR>>`. */
export type CollectionType = `${CollectionKind}<${string}>`;

const MONEY = /^money<([A-Z]{3})>$/;
const COLLECTION = /^(map|list|set)<(.*)>$/;

export const moneyOf = (currency: string): MoneyType => `money<${currency}>`;

export const isMoney = (type: string): type is MoneyType => MONEY.test(type);

export const isCollection = (type: string): type is CollectionType => COLLECTION.test(type);

/** The currency of a money type. */
export const currencyOf = (type: string): string | undefined => MONEY.exec(type)?.[1];

/** Kind and type of the entries of a collection. */
export function partsOf(type: string): { readonly kind: CollectionKind; readonly of: string } | undefined {
  const [, kind, of] = COLLECTION.exec(type) ?? [];
  return kind === undefined || of === undefined ? undefined : { kind: kind as CollectionKind, of };
}

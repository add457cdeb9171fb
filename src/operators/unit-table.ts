// Cache of parsed units and their conversions to and from coherent SI.

import { coherentUnit, conversion, parseUnit, type Unit } from '../core/units.ts';

const MAX_EXACT = 8_796_093_022_208; // 2^43

/** How many roundings a number has in coherent units, from the decimal number that was written: 0 if it is exact. */
export function roundingsOf(written: number, coherent: number): number {
  const size = Math.abs(written);
  // Up to ten binary places, which are ten decimals: what has more counts as rounded, though a few would be exact.
  const ofDecimal = size <= MAX_EXACT && Number.isInteger(size * 1024) ? 0 : 1;
  // The factor of the unit, and the product with it.
  return coherent === written ? ofDecimal : ofDecimal + 2;
}

interface CachedUnit {
  readonly unit: Unit;
  readonly toCoherent: (value: number) => number;
  readonly fromCoherent: (value: number) => number;
}

/** The registry has a few hundred units; requests add others, so the cache is bounded. */
const MAX_CACHED = 2_048;
const cache = new Map<string, CachedUnit>();

/** @throws DomainError UNIT_INVALID */
export function unitOf(text: string): Unit {
  return find(text).unit;
}

/** @throws DomainError UNIT_INVALID */
export function toCoherent(value: number, unit: string): number {
  return find(unit).toCoherent(value);
}

/** @throws DomainError UNIT_INVALID */
export function fromCoherent(value: number, unit: string): number {
  return find(unit).fromCoherent(value);
}

/** `fromCoherent` of one unit, for many values. @throws DomainError UNIT_INVALID */
export const converterFromCoherent = (unit: string): ((value: number) => number) => find(unit).fromCoherent;

/** `toCoherent` of one unit, for many values. @throws DomainError UNIT_INVALID */
export const converterToCoherent = (unit: string): ((value: number) => number) => find(unit).toCoherent;

function find(text: string): CachedUnit {
  const known = cache.get(text);
  if (known) return known;
  const unit = parseUnit(text);
  const coherent = coherentUnit(unit);
  const fresh = { unit, toCoherent: conversion(unit, coherent), fromCoherent: conversion(coherent, unit) };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, fresh);
  return fresh;
}

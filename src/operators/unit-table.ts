// Units that occur in definitions and requests, read once. Evaluation always runs in coherent SI.

import { coherentUnit, conversion, parseUnit, type Unit } from '../core/units.ts';

interface Kept {
  readonly unit: Unit;
  readonly toCoherent: (value: number) => number;
  readonly fromCoherent: (value: number) => number;
}

/** The registry has a few hundred; callers bring their own, so what is kept is bounded. */
const MOST_KEPT = 2_048;
const table = new Map<string, Kept>();

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

function find(text: string): Kept {
  const known = table.get(text);
  if (known) return known;
  const unit = parseUnit(text);
  const coherent = coherentUnit(unit);
  const fresh = { unit, toCoherent: conversion(unit, coherent), fromCoherent: conversion(coherent, unit) };
  if (table.size >= MOST_KEPT) table.clear();
  table.set(text, fresh);
  return fresh;
}

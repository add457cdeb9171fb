// A slider below a number: over its bounds where they lie close about it, else over a decade to both sides of it.

import { h } from 'preact';
import type { FieldDescription } from './solver-description.ts';

/** Bounds this many times farther apart than the number is large are of no use to a slider. */
const MAX_SPAN = 100;
/** Whole numbers that a slider can tell apart. */
const MAX_WHOLE = 200;
/** To both sides of a number without close bounds. */
const FACTOR = 10;
/** So few that each of them is another number. */
const POSITIONS = 200;
const DIGITS = 3;

export interface SliderRange {
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
  readonly isWhole: boolean;
}

/** @param value  the number on screen. @param opened  the one that the form was opened with */
export function sliderRange(field: FieldDescription, value: number, opened: number): SliderRange | undefined {
  const range = rangeAbout(field, Number.isFinite(opened) ? opened : Number(field.defaultValue));
  if (range !== undefined && value >= range.from && value <= range.to) return range;
  return rangeAbout(field, value);
}

function rangeAbout({ kind, min, max, isExclusive }: FieldDescription, about: number): SliderRange | undefined {
  if ((kind !== 'number' && kind !== 'integer') || min === undefined || max === undefined) return undefined;
  if (!(about >= min && about <= max)) return undefined;
  const isWhole = kind === 'integer';
  const isClose = isWhole ? max - min <= MAX_WHOLE : max - min <= MAX_SPAN * (Math.abs(about) || 1);
  const margin = isExclusive ? (max - min) / POSITIONS : 0;
  if (isClose) return { from: min + margin, to: max - margin, isLog: false, isWhole };
  if (!(about > 0)) return undefined;
  return { from: Math.max(min, about / FACTOR), to: Math.min(max, about * FACTOR), isLog: true, isWhole };
}

/** The number at a position from 0 to 1, rounded. */
export function numberAt({ from, to, isLog, isWhole }: SliderRange, position: number): number {
  const exact = isLog ? from * (to / from) ** position : from + position * (to - from);
  const rounded = isWhole ? Math.round(exact) : Number(exact.toPrecision(DIGITS));
  return Math.min(to, Math.max(from, rounded));
}

export function positionOf({ from, to, isLog }: SliderRange, value: number): number {
  const share = isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return Math.min(1, Math.max(0, share));
}

/** As `numberAt`, but a whole number moves by one at least. */
export function nextNumber(range: SliderRange, value: number, position: number): number {
  const next = numberAt(range, position);
  const direction = Math.sign(position - positionOf(range, value));
  return range.isWhole && next === value ? Math.min(range.to, Math.max(range.from, value + direction)) : next;
}

interface SliderProps {
  readonly label: string;
  readonly range: SliderRange;
  readonly value: number;
  readonly onChange: (value: string) => void;
}

export function Slider({ label, range, value, onChange }: SliderProps) {
  return h('input', {
    type: 'range',
    class: 'field-slider',
    'aria-label': `${label}, slider`,
    'aria-valuetext': String(value),
    min: 0,
    max: POSITIONS,
    step: 1,
    value: Math.round(POSITIONS * positionOf(range, value)),
    onInput: (event: Event) => {
      const position = Number((event.target as HTMLInputElement).value) / POSITIONS;
      onChange(String(nextNumber(range, value, position)));
    },
  });
}

// Therapies as text: a line each, and what they do to the cells.

import { exp } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { TumorInput } from './inputs.ts';

/** Something that happens at a time: a part of the cells survives, or those within a distance are taken away. */
export interface Event {
  readonly day: number;
  readonly survival: number;
  readonly cut: number;
}

/** A rate of killing between two times. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
}

export interface Therapy {
  /** Rising in time. */
  readonly events: readonly Event[];
  readonly windows: readonly Window[];
}

/** Times are whole millionths of a day. */
const PER_DAY = 1e6;
export const toResolution = (day: number): number => Math.round(day * PER_DAY) / PER_DAY;

const MAX_LINES = 20;
const MAX_FRACTIONS = 200;
const NUMBER = /^[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?$/i;
const WEEK = 7;
const WORKDAYS = 5;

/** @throws DomainError VALIDATION_FAILED with the line */
export function therapyOf({ therapy, alpha, beta }: TumorInput): Therapy {
  const events: Event[] = [];
  const windows: Window[] = [];
  const lines = (therapy ?? '').split(/[\n;]/).map((line) => line.trim());
  const given = lines.filter((line) => line !== '');
  if (given.length > MAX_LINES) throw refuse('', `${given.length} lines are given, and ${MAX_LINES} are allowed`);
  for (const line of given) {
    const [word = '', ...texts] = line.split(/\s+/);
    const numbers = texts.map((text) => (NUMBER.test(text) ? Number(text) : Number.NaN));
    if (!numbers.every((value) => value <= 1e5)) throw refuse(line, 'numbers from 0 to 1e5 are expected');
    const [day = 0, second = 0, third = 0] = numbers;
    const first = toResolution(day);
    if (word === 'resect' && numbers.length === 2) events.push({ day: first, survival: 1, cut: second });
    else if (word === 'radiate' && numbers.length === 3) {
      if (!Number.isInteger(second) || second < 1) throw refuse(line, 'FRACTIONS is a whole number from 1');
      if (third > 100) throw refuse(line, 'DOSE is at most 100 Gy');
      if (events.length + second > MAX_FRACTIONS) throw refuse(line, `at most ${MAX_FRACTIONS} fractions are allowed`);
      const survival = exp(-Math.min(700, alpha * third + beta * third * third));
      for (let k = 0; k < second; k++)
        events.push({ day: first + WEEK * Math.floor(k / WORKDAYS) + (k % WORKDAYS), survival, cut: 0 });
    } else if (word === 'chemo' && numbers.length === 3) {
      const to = toResolution(second);
      if (!(to > first)) throw refuse(line, 'TO is after FROM');
      if (third > 10) throw refuse(line, 'RATE is at most 10 1/day');
      windows.push({ from: first, to, rate: third });
    } else throw refuse(line, 'expected is resect DAY RADIUS, radiate DAY FRACTIONS DOSE or chemo FROM TO RATE');
  }
  return { events: events.sort((a, b) => a.day - b.day), windows };
}

function refuse(line: string, expected: string): Error {
  const message = `therapy${line === '' ? '' : `, line ${JSON.stringify(line)}`}: ${expected}.`;
  return validationError('therapy', message);
}

/** Times between 0 and an end at which something changes. */
export function changesOf({ events, windows }: Therapy, end: number): readonly number[] {
  const days = [...events.map(({ day }) => day), ...windows.flatMap(({ from, to }) => [from, to])];
  return [...new Set(days)].filter((day) => day > 0 && day < end).sort((a, b) => a - b);
}

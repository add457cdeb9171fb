// The program of reactivity: pieces that begin at a time with a value, a slope and a wave, in Δk/k.

import { validationError } from '../parts/errors.ts';
import type { ReactorInput } from './inputs.ts';
import { parseSeries } from './series.ts';

export interface Piece {
  readonly from: number;
  readonly value: number;
  readonly slope: number;
  readonly amplitude: number;
  readonly omega: number;
}

type Reactivity = NonNullable<ReactorInput['reactivity']>;

const DEFAULT: Reactivity = { kind: 'step', value: 0.003, unit: 'dk/k', start: 0 };
const MAX_REACTIVITY = 1;
const MAX_WAVES = 20_000;

const piece = (from: number, value: number, slope = 0, amplitude = 0, omega = 0): Piece => ({
  from,
  value,
  slope,
  amplitude,
  omega,
});

/** @throws DomainError VALIDATION_FAILED */
export function programOf(given: Reactivity = DEFAULT, beta: number, tEnd: number): readonly Piece[] {
  const { kind, unit, start } = given;
  const scale = unit === 'pcm' ? 1e-5 : unit === '$' ? beta : 1;
  const value = given.value * scale;
  assertWithin(value, 'reactivity.value');
  const before = start > 0 ? [piece(0, 0)] : [];
  switch (kind) {
    case 'step':
      return [...before, piece(start, value)];
    case 'pulse': {
      const duration = needed(given, 'duration');
      return [...before, piece(start, value), piece(start + duration, 0)];
    }
    case 'ramp': {
      const slope = given.rate === undefined ? value / needed(given, 'duration') : given.rate * scale;
      const length = value / slope;
      if (value === 0 || !(length > 0)) {
        const message = `reactivity.rate is ${given.rate ?? 0}; a ramp from 0 to ${given.value} needs a rate of the same sign.`;
        throw validationError('reactivity.rate', message, 'NOT_ALLOWED');
      }
      return [...before, piece(start, 0, slope), piece(start + length, value)];
    }
    case 'sine': {
      const period = needed(given, 'period');
      const max = MAX_WAVES * period;
      if (tEnd > max) {
        const message = `reactivity.period is ${period}; t_end of ${tEnd} s is at most ${MAX_WAVES} periods, ${max} s.`;
        throw validationError('reactivity.period', message, 'TOO_MANY_WAVES', { max });
      }
      return [...before, piece(start, 0, 0, value, (2 * Math.PI) / period)];
    }
    case 'table':
      return tablePieces(given, scale);
  }
}

function needed(given: Reactivity, name: 'duration' | 'period'): number {
  const value = given[name];
  if (value !== undefined) return value;
  const message = `reactivity.${name} is missing; a ${given.kind} needs it${given.kind === 'ramp' ? ', or a rate' : ''}.`;
  throw validationError(`reactivity.${name}`, message, 'MISSING');
}

function assertWithin(value: number, field: string): void {
  if (Math.abs(value) <= MAX_REACTIVITY) return;
  const message = `${field} is ${value} Δk/k; expected at most ${MAX_REACTIVITY} in size.`;
  throw validationError(field, message, 'OUT_OF_RANGE', { max: MAX_REACTIVITY });
}

function tablePieces({ table }: Reactivity, scale: number): readonly Piece[] {
  const field = 'reactivity.table';
  if (table === undefined)
    throw validationError(field, 'reactivity.table is missing; expected lines "t, reactivity".', 'MISSING');
  const points = parseSeries(table, { field, what: 'a reactivity', isPositive: false });
  for (const { t, value } of points) {
    assertWithin(value * scale, field);
    if (t < 0) throw validationError(field, `${field} begins at t = ${t}; the run begins at 0.`, 'OUT_OF_RANGE');
  }
  const pieces = points.map(({ t, value }, i) => {
    const next = points[i + 1];
    const slope = next === undefined ? 0 : ((next.value - value) * scale) / (next.t - t);
    return piece(t, value * scale, slope);
  });
  const [first] = pieces;
  return first !== undefined && first.from > 0 ? [piece(0, first.value), ...pieces] : pieces;
}

/** ρ of the program at t. */
export function reactivityAt(pieces: readonly Piece[], t: number): Piece {
  return pieces.findLast(({ from }) => from <= t) ?? piece(0, 0);
}

// The source: a hump in space times a function of time.

import { cos, exp, sin } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import type { WaveInput } from './inputs.ts';

export interface Source {
  readonly shape: FieldFunction;
  readonly at: (t: number) => number;
  /** Highest frequency with a share in the waveform; undefined for one's own. */
  readonly frequency: number | undefined;
}

/** A hump of height 1. @param widthY  0 on a line */
export function humpOf({ x0, y0, width }: WaveInput, lengthX: number, lengthY: number): FieldFunction {
  for (const [name, given, length] of [
    ['x0', x0, lengthX],
    ['y0', y0, lengthY],
  ] as const)
    if (given !== undefined && given > length)
      throw validationError(name, `${name} is ${given}; a place from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
  const deviation = width ?? lengthX / 20;
  const [x, y] = peakOf({ x0, y0 }, lengthX, lengthY);
  const scale = 1 / (2 * deviation * deviation);
  return (a, b) => exp(-scale * ((a - x) * (a - x) + (lengthY === 0 ? 0 : (b - y) * (b - y))));
}

/** Where a hump has its top; the middle by default. */
export const peakOf = (
  { x0, y0 }: Pick<WaveInput, 'x0' | 'y0'>,
  lengthX: number,
  lengthY: number,
): readonly [x: number, y: number] => [x0 ?? lengthX / 2, lengthY === 0 ? 0 : (y0 ?? lengthY / 2)];

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function sourceOf(input: WaveInput, lengthX: number, lengthY: number, speed: number): Source | undefined {
  const { source, waveform } = input;
  if (source !== 'none' && waveform !== undefined)
    throw validationError('waveform', `waveform is given beside source ${source}; leave one of them out.`);
  if (source === 'none' && waveform === undefined) return undefined;
  const shape = humpOf(input, lengthX, lengthY);
  if (source === 'none') {
    const own = fieldFunction(waveform ?? '0', 'waveform', ['t', 't']);
    const at = (t: number): number => {
      const value = own(t, t);
      if (Number.isFinite(value)) return value;
      throw validationError('waveform', `waveform is ${value} at t = ${t}; a finite number is expected always.`);
    };
    return { shape, at, frequency: undefined };
  }
  const f = input.frequency ?? speed / (8 * (input.width ?? lengthX / 20));
  return { shape, at: WAVEFORMS[source](f), frequency: f };
}

/** Delay of pulses in periods: they begin at 1e-8 of their height. */
const DELAY = 1.5;

const WAVEFORMS: Readonly<Record<'ricker' | 'sine' | 'pulse', (f: number) => (t: number) => number>> = {
  // (1 − 2 a²) exp(−a²) with a = π f (t − t₀).
  ricker: (f) => (t) => {
    const a = Math.PI * (f * t - DELAY);
    return (1 - 2 * a * a) * exp(-a * a);
  },
  // Switched on over one period by a raised cosine.
  sine: (f) => (t) => {
    const cycles = f * t;
    const ramp = cycles < 1 ? 0.5 * (1 - cos(Math.PI * cycles)) : 1;
    return ramp * sin(2 * Math.PI * (cycles - Math.floor(cycles)));
  },
  pulse: (f) => (t) => {
    const a = Math.PI * (f * t - DELAY);
    return exp(-a * a);
  },
};

// The spectrum of the probe: amplitudes of a window of Hann over even samples, and the frequency of the largest.

import { cos, sin } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';

export interface Spectrum {
  readonly frequencies: Float64Array;
  readonly amplitudes: Float64Array;
  /** Of the largest amplitude above zero frequency; undefined if nothing moves. */
  readonly peak: number | undefined;
  /** Distance of two frequencies that are told apart: the width of the window's main part. */
  readonly resolution: number;
}

/** @param values  even samples; the last may come sooner and is left out. @param interval  between samples, in s */
export function spectrumOf(values: Float64Array, interval: number): Spectrum | undefined {
  const n = values.length - 1;
  if (n < 16) return undefined;
  const mean = values.slice(0, n).reduce((sum, value) => sum + value, 0) / n;
  const windowed = Float64Array.from(
    { length: n },
    (_, k) => 0.5 * (1 - cos((2 * Math.PI * k) / n)) * (at(values, k) - mean),
  );
  const count = Math.floor(n / 2) + 1;
  const amplitudes = Float64Array.from({ length: count }, (_, m) => amplitudeOf(windowed, m));
  const frequencies = Float64Array.from({ length: count }, (_, m) => m / (n * interval));
  let best = 1;
  for (let m = 2; m < count - 1; m++) if (at(amplitudes, m) > at(amplitudes, best)) best = m;
  const [a, b, c] = [at(amplitudes, best - 1), at(amplitudes, best), at(amplitudes, best + 1)];
  const bend = a - 2 * b + c;
  const shift = bend < 0 ? (0.5 * (a - c)) / bend : 0;
  return {
    frequencies,
    amplitudes,
    peak: b > 0 ? (best + Math.min(Math.max(shift, -0.5), 0.5)) / (n * interval) : undefined,
    resolution: 2 / (n * interval),
  };
}

/** Amplitude of the wave with m turns over the window, by Goertzel's recurrence. */
function amplitudeOf(values: Float64Array, m: number): number {
  const angle = (2 * Math.PI * m) / values.length;
  const [c, s] = [cos(angle), sin(angle)];
  let [now, before] = [0, 0];
  for (const value of values) [now, before] = [value + 2 * c * now - before, now];
  const [re, im] = [now - before * c, before * s];
  return (4 / values.length) * Math.sqrt(re * re + im * im);
}

// Matched layers behind open sides: what travels along their axis decays, the deeper the faster, and is not reflected in
// the limit of small spacing. Berenger, J. Comput. Phys. 114 (1994) 185.

import { exp, log } from '../../core/elementary.ts';

/** Reflection at normal incidence of a layer without spacing. */
const REFLECTION = 1e-8;
/** The rate of decay grows as this power of the depth. */
const POWER = 3;

export interface LayerAxis {
  /** Nodes of the domain along the axis; 1 for the axis that a line has not. */
  readonly count: number;
  readonly before: number;
  readonly after: number;
  readonly h: number;
  readonly dt: number;
  readonly speed: number;
}

/** Decay and gain of nodes, then of the faces behind them, f64[4, before + count + after]. */
export function layersOf({ count, before, after, h, dt, speed }: LayerAxis): Float64Array {
  const total = before + count + after;
  const values = new Float64Array(4 * total);
  const depthAt = (place: number): number => {
    const toward = before - place;
    const beyond = place - (before + count - 1);
    if (toward > 0) return toward / before;
    return beyond > 0 ? beyond / after : 0;
  };
  for (let i = 0; i < total; i++)
    for (const [row, place] of [
      [0, i],
      [2, i + 0.5],
    ] as const) {
      const cells = place < before ? before : after;
      const depth = depthAt(place);
      // Twice the way through the layer and back takes away REFLECTION.
      const most = depth > 0 ? (-(POWER + 1) * speed * log(REFLECTION)) / (2 * cells * h) : 0;
      const x = most * depth * depth * depth * dt;
      const decay = exp(-x);
      values[row * total + i] = decay;
      values[(row + 1) * total + i] = x > 1e-8 ? (1 - decay) / x : 1;
    }
  return values;
}

// The problem of a request: a plate or a bar on its own lattice and on two others with the same horizon in metres.

import { validationError } from '../parts/errors.ts';
import { recordInterval } from '../parts/sampling.ts';
import type { FractureInput } from './inputs.ts';
import { notchesOf } from './notches.ts';

const MAX_FRAMES = 10;
/** Spacings of the two other lattices, beside which the value is judged. */
const RATIOS = [1, 1.25, 0.75] as const;
/** Points of a plate in equilibrium. */
const MAX_STATIC = { nx: 64, ny: 40 } as const;

export interface Lattice {
  readonly columns: number;
  readonly rows: number;
  /** In cells. */
  readonly horizon: number;
  readonly notch: number;
  /** Ends of notches in cells, four numbers each. */
  readonly segments: Float64Array;
  readonly loadSteps: number;
  readonly frameEvery: number;
}

export interface Problem {
  readonly isBar: boolean;
  readonly lattices: readonly Lattice[];
  /** Spacing of the own lattice, in m. */
  readonly spacing: number;
  /** Horizon and length of the notch, in m. */
  readonly horizon: number;
  readonly notch: number;
  readonly s0: number;
  readonly sf: number;
  /** Energy of a new surface, of a brittle plate. */
  readonly surfaceEnergy: number | undefined;
}

function limitStatic(input: FractureInput, isBar: boolean): void {
  for (const name of ['t_end', 'dt', 'ramp'] as const)
    if (input[name] !== undefined)
      throw validationError(name, `${name} is given for load static, which knows no time; leave it out.`);
  for (const name of ['nx', 'ny'] as const)
    if (!isBar && input[name] > MAX_STATIC[name])
      throw validationError(
        name,
        `${name} is ${input[name]}; load static takes at most ${MAX_STATIC[name]} points.`,
        'OUT_OF_RANGE',
        { max: MAX_STATIC[name] },
      );
}

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: FractureInput): Problem {
  const { mode, nx, ny, N, horizonM, notchFrac, width, E, G0, loadSteps } = input;
  const isBar = mode === 'bar';
  if (input.load === 'static') limitStatic(input, isBar);
  const spacing = width / (isBar ? N : nx);
  const horizon = horizonM * spacing;
  if (G0 !== undefined && isBar)
    throw validationError('G0', 'G0 is given for a bar; it belongs to mode 2d. Give s0.', 'NOT_ALLOWED');
  if (G0 !== undefined && input.s0 !== undefined)
    throw validationError('G0', 'G0 is given beside s0, which it gives.', 'GIVEN_TWICE');
  const s0 = G0 === undefined ? (input.s0 ?? 1.6e-3) : Math.sqrt((4 * Math.PI * G0) / (9 * E * horizon));
  if (!(s0 >= 1e-9 && s0 <= 0.1))
    throw validationError('G0', `G0 gives an s0 of ${s0}; expected 1e-9 to 0.1.`, 'OUT_OF_RANGE', { s0 });
  const sf = input.sf ?? s0;
  if (sf < s0) throw validationError('sf', `sf is ${sf}; expected at least s0, ${s0}.`, 'OUT_OF_RANGE', { min: s0 });
  const notches = notchesOf(input);
  const notch = isBar || input.notch === 'no' || notches.length > 0 ? 0 : notchFrac;
  const lattices = RATIOS.map((ratio, i): Lattice => {
    const steps = i === 0 ? loadSteps : loadSteps + i;
    const columns = isBar ? 1 : Math.round(nx * ratio);
    const rows = Math.round((isBar ? N : ny) * ratio);
    // The height keeps its proportion to the width as near as whole cells allow.
    const scale = isBar ? rows / N : columns / nx;
    return {
      columns,
      rows,
      horizon: horizonM * scale,
      notch: notch * columns,
      segments: Float64Array.from(notches.flat(), (place) => place / (width / (isBar ? rows : columns))),
      loadSteps: steps,
      frameEvery: recordInterval(steps, MAX_FRAMES),
    };
  });
  const surfaceEnergy = isBar || sf !== s0 ? undefined : (9 * E * s0 * s0 * horizon) / (4 * Math.PI);
  return { isBar, lattices, spacing, horizon, notch: notch * width, s0, sf, surfaceEnergy };
}

// The state at the start: a standing wave of the sides, a hump, or expressions of one's own.

import { cos, sin } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { type FieldFunction, finiteField } from '../parts/field-expression.ts';
import type { Sides } from './grid.ts';
import type { Side, WaveInput } from './inputs.ts';
import { humpOf } from './source.ts';

export interface InitialState {
  /** u of strings and membranes, E_z or H_z of Maxwell's equations. */
  readonly field: FieldFunction | undefined;
  /** Velocity of u. */
  readonly velocity: FieldFunction | undefined;
  /** Wave numbers of a standing wave that the sides allow. */
  readonly standing: readonly [kx: number, ky: number] | undefined;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function initialOf(input: WaveInput, isLine: boolean, sides: Sides): InitialState {
  const { initial_u, initial_v, source } = input;
  const velocity = initial_v === undefined ? undefined : finiteField(initial_v, 'initial_v');
  if (velocity && input.mode === 'maxwell')
    throw validationError('initial_v', 'initial_v is given for mode maxwell; its fields start without the other one.');
  if (initial_u !== undefined) {
    if (input.initial !== 'auto')
      throw validationError('initial', `initial is ${input.initial} beside initial_u; leave one out.`);
    return { field: finiteField(initial_u, 'initial_u'), velocity, standing: undefined };
  }
  const isMoved = source !== 'none' || input.waveform !== undefined || velocity !== undefined;
  const standard = isMoved ? 'none' : 'standing';
  const kind = input.initial === 'auto' ? standard : input.initial;
  if (kind === 'none') return { field: undefined, velocity, standing: undefined };
  if (kind === 'gaussian')
    return { field: humpOf(input, input.lx, isLine ? 0 : input.ly), velocity, standing: undefined };
  const alongX = standingOf(isLine ? input.mode_k : input.kx, input.lx, sides.left, sides.right);
  const alongY = isLine ? { k: 0, at: () => 1 } : standingOf(input.ky, input.ly, sides.bottom, sides.top);
  limitOf(input, isLine);
  return { field: (x, y) => alongX.at(x) * alongY.at(y), velocity, standing: [alongX.k, alongY.k] };
}

/** At least two cells a half-wave. */
function limitOf({ nx, ny, kx, ky, mode_k }: WaveInput, isLine: boolean): void {
  const waves = isLine
    ? [['mode_k', mode_k, nx] as const]
    : ([
        ['kx', kx, nx],
        ['ky', ky, ny],
      ] as const);
  for (const [name, count, cells] of waves)
    if (2 * count > cells)
      throw validationError(
        name,
        `${name} is ${count}; ${cells} cells hold at most ${Math.floor(cells / 2)} half-waves.`,
        'OUT_OF_RANGE',
      );
}

/**
 * A standing wave along an axis. Between a fixed and a free end it has half a half-wave less; beside an open side it is a
 * sine that the layer takes away.
 */
function standingOf(halfWaves: number, length: number, from: Side, to: Side) {
  const isCosine = from === 'free' || from === 'periodic';
  const isMixed = (from === 'free') !== (to === 'free') && from !== 'periodic';
  const count = from === 'periodic' ? 2 * halfWaves : isMixed ? halfWaves - 0.5 : halfWaves;
  const k = (Math.PI * count) / length;
  return { k, at: (x: number) => (isCosine ? cos(k * x) : sin(k * x)) };
}

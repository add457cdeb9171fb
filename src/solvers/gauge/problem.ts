// The checked problem of a request: the lattice, and how often its loops are measured.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import type { GaugeInput } from './inputs.ts';

export interface Problem {
  readonly time: number;
  readonly sites: number;
  readonly links: number;
  readonly plaquettes: number;
  /** Largest side of the Wilson loops; 0 for none. */
  readonly side: number;
  /** Sweeps from one measurement of loops to the next. */
  readonly interval: number;
}

const DEFAULT_SIDE = 2;
/** Records of loops, so that their errors are known. */
const MIN_RECORDS = 50;
/** Nanoseconds of a link update and of a loop at a site, measured by bench/gauge.ts. */
const LINK_NS = [0, 0, 110, 160, 220] as const;
export const LOOP_NS = 30;

/** @throws DomainError VALIDATION_FAILED: a lattice with too many sites, loops that do not fit on it */
export function problemOf({ dim, L, Lt, sweeps, loops }: GaugeInput): Problem {
  const time = Lt ?? L;
  let sites = time;
  for (let mu = 1; mu < dim; mu++) sites *= L;
  const max = LIMITS.gauge.sites;
  if (sites > max) {
    const message = `L and Lt give ${sites} sites; at most ${max} are allowed.`;
    throw validationError('L', message, 'TOO_MANY_SITES', { max, sites });
  }
  const largest = Math.min(L, time) - 1;
  if (loops !== undefined && loops > largest) {
    const message = `loops must be at most ${largest}, one less than the shortest side of the lattice; it is ${loops}.`;
    throw validationError('loops', message, 'LOOP_TOO_LARGE', { max: largest, loops });
  }
  const side = loops ?? Math.min(DEFAULT_SIDE, largest);
  const planes = (dim * (dim - 1)) / 2;
  return {
    time,
    sites,
    links: sites * dim,
    plaquettes: sites * planes,
    side,
    interval: intervalOf(dim, planes * side * side, sweeps),
  };
}

/** Loops take no longer than the sweeps between them. */
function intervalOf(dim: number, loopsPerSite: number, sweeps: number): number {
  const ratio = (loopsPerSite * LOOP_NS) / (dim * linkNs(dim));
  return Math.max(1, Math.min(Math.ceil(ratio), Math.floor(sweeps / MIN_RECORDS)));
}

export const linkNs = (dim: number): number => LINK_NS[dim] ?? LINK_NS[4];

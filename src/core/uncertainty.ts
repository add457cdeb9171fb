// The ± of a number, and where it comes from. After GUM (JCGM 100:2008): bounds add, standard uncertainties add in squares
// and count twice, so that the interval holds the true value in at least 95 of 100 cases.

/** In the order of a budget. */
export const UNCERTAINTY_SOURCES = [
  'rounding',
  'discretisation',
  'iteration',
  'constants',
  'inputs',
  'propagation',
  'statistics',
  'model',
] as const;

export type UncertaintySource = (typeof UNCERTAINTY_SOURCES)[number];

/** One source of uncertainty of a value, in the unit of the value. */
export interface Contribution {
  readonly source: UncertaintySource;
  /** `bound`: no error is larger. `standard`: one standard deviation. */
  readonly kind: 'bound' | 'standard';
  readonly value: number;
  /** In words: what it was derived from. Not sealed. */
  readonly basis: string;
}

/** The factor of standard uncertainties: 95 % of a normal distribution. */
const COVERAGE = 2;
/** Relative rounding of the sum below, which is enlarged by it. */
const OUTWARD = 1 + 2 ** -48;

export const bound = (source: UncertaintySource, value: number, basis: string): Contribution => ({
  source,
  kind: 'bound',
  value,
  basis,
});

export const standard = (source: UncertaintySource, value: number, basis: string): Contribution => ({
  source,
  kind: 'standard',
  value,
  basis,
});

/** A number's ± and its budget; what is 0 is left out. */
export interface Uncertain {
  /** Absolute half-width, in the unit of the number. */
  readonly uncertainty: number;
  readonly budget: readonly Contribution[];
}

export const uncertain = (contributions: readonly Contribution[]): Uncertain => ({
  uncertainty: combined(contributions),
  budget: contributions.filter(({ value }) => value !== 0),
});

/** Σ bounds + 2 √Σ standard², rounded outward: the half-width of the interval. NaN if a contribution is not finite. */
export function combined(budget: readonly Pick<Contribution, 'kind' | 'value'>[]): number {
  let bounds = 0;
  let largest = 0;
  let positive = 0;
  for (const { kind, value } of budget) {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return Number.NaN;
    if (value > 0) positive++;
    if (kind === 'bound') bounds += value;
    else largest = Math.max(largest, value);
  }
  // Scaled, so that no square overflows or vanishes.
  let squares = 0;
  if (largest > 0)
    for (const { kind, value } of budget) if (kind === 'standard') squares += (value / largest) * (value / largest);
  const deviation = COVERAGE * largest * Math.sqrt(squares);
  // One contribution alone is not rounded.
  if (deviation === 0 && positive <= 1) return bounds;
  return (bounds + deviation) * OUTWARD;
}

// ± of an unknown: how far the root moves where the law may be off by its own ±.
//
// The half-width is the smallest one found at whose ends the law has left its value by more than ±, on both sides. With a
// steep slope that is ± over the slope; at a double root it is the width of the second order. Given uncertainties are
// looked at once more two standard deviations away, where a root that moves further than the slope says, or vanishes,
// would show.

import { DomainError } from '../../core/errors.ts';
import { bound, type Contribution, standard, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import type { Interval } from '../../expressions/interval/interval.ts';
import { StepBudget } from '../../expressions/precise/evaluate.ts';
import type { BoundChain } from '../bind.ts';
import { ROUNDOFF } from '../propagation.ts';
import { toCoherent } from '../unit-table.ts';
import { type BoundUnknown, rangeOf } from './bind-unknown.ts';
import type { Target } from './open-unknown.ts';
import { residualOf } from './residual.ts';
import type { Residual } from './search.ts';

/** In coherent units, those of the law for the contributions and those of the unknown for the rest. */
export interface Forward {
  /** The root. */
  readonly root: number;
  /** What the law may be off by at the root, its given value included. */
  readonly contributions: readonly Contribution[];
  readonly chain: BoundChain;
}

export interface InverseSpread extends Uncertain {
  /** Of the rounding alone. */
  readonly rounding: number;
  /** Of the law at the root, by the unknown; NaN where it has none. */
  readonly slope: number;
}

/** How often the half-width is enlarged, and by how much at a time at most. */
const ENLARGEMENTS = 640;
const MAX_ENLARGEMENT = 4;
const SHORT_STRIDE = 1.00006103515625; // 1 + 2^-14
const LONG_STRIDE = 1.03125;
/** A half-width at which the law has left its value by twice ± and more, on both sides, is too wide. */
const NEAR_EDGE = 0.5;
const MAX_REDUCTION = 0.25;
/** Share of the range from which a half-width that is bounded on one side alone says nothing. */
const FLAT = 0.5;
/** Relative step of the slope. */
const STEP = 2 ** -20;
/** Standard deviations at which the root is looked for again. */
const EDGE = 2;

/** @throws DomainError PRECISION_REFUSED where no half-width is found, or where the root vanishes within ± */
export function inverseSpread(unknown: BoundUnknown, { root, contributions, chain }: Forward): InverseSpread {
  const budget = new StepBudget();
  const residual = residualOf(unknown.function, budget);
  const range = rangeOf(unknown.input);
  const { uncertainty: off } = uncertain(contributions);
  const slope = slopeAt(residual, root, range);
  const width = off === 0 ? 0 : halfWidth(unknown, residual, root, off, slope);
  const factor = off === 0 ? 0 : width / off;
  // Of the double that is nearest to the root, and of the conversion to its unit and back.
  const nearest = 4 * ROUNDOFF * Math.abs(root);
  const inputs = moved(unknown, chain, root, width, budget);
  const scaled = contributions.map((one) => ({ ...one, value: one.value * factor }));
  const parts = mergedRounding(scaled, nearest).map((one) =>
    one.source === 'inputs' && one.value < inputs
      ? { ...one, value: inputs, basis: `${one.basis}; roots two standard deviations away` }
      : one,
  );
  const rounding = parts.find(({ source }) => source === 'rounding')?.value ?? 0;
  return { ...uncertain(parts), rounding, slope };
}

function mergedRounding(parts: readonly Contribution[], nearest: number): readonly Contribution[] {
  const own = parts.filter(({ source }) => source === 'rounding').reduce((sum, { value }) => sum + value, nearest);
  const basis = 'second evaluation and rounding of given numbers through the slope, rounding of the root';
  return [bound('rounding', own, basis), ...parts.filter(({ source }) => source !== 'rounding')];
}

const stepAt = (root: number, { lo, hi }: Interval) => STEP * (Math.abs(root) || Math.min(1, hi - lo));

function slopeAt(residual: Residual, root: number, { lo, hi }: Interval): number {
  const step = stepAt(root, { lo, hi });
  const [below, above] = [Math.max(lo, root - step), Math.min(hi, root + step)];
  return (residual.at(above) - residual.at(below)) / (above - below);
}

function halfWidth(unknown: BoundUnknown, residual: Residual, root: number, off: number, slope: number): number {
  const { lo, hi } = rangeOf(unknown.input);
  /** How often ± is more than the distance from the value: at most 1 where the law has left it, NaN where it has none. */
  const missingAt = (x: number) => (x >= lo && x <= hi ? off / Math.abs(residual.at(x)) : Number.NaN);
  const first = off / Math.abs(slope);
  const smallest = 2 * ROUNDOFF * Math.abs(root);
  let width = Number.isFinite(first) && first > 0 ? Math.max(first, smallest) : smallest || Number.MIN_VALUE;
  if (isDouble(residual, root, { lo, hi }, off, slope))
    width = shrunk(width, smallest, (size) => [missingAt(root - size), missingAt(root + size)]);
  for (let step = 0; step < ENLARGEMENTS; step++) {
    // Beyond the range, and where the law has no value, the unknown cannot be.
    const [below, above] = [missingAt(root - width), missingAt(root + width)];
    if (!(below > 1) && !(above > 1)) {
      // A law that does not leave its value on the way to an end of the range says nothing about that side.
      const isBoth = below <= 1 && above <= 1;
      if (isBoth || ((below <= 1 || above <= 1) && width < FLAT * (hi - lo))) return width;
      if (width >= FLAT * (hi - lo)) break;
    }
    // By the root of what is missing: neither a straight nor a quadratic law overshoots.
    const missing = Math.max(1, ...[below, above].filter((one) => !Number.isNaN(one)));
    const stride = step < 24 ? SHORT_STRIDE : LONG_STRIDE;
    width *= Math.min(MAX_ENLARGEMENT, stride * Math.sqrt(missing));
  }
  throw refusal(unknown, 'the law hardly depends on it');
}

/** Whether the second order says more about ± than the slope, which is what is left of a slope at a double root. */
function isDouble(residual: Residual, root: number, { lo, hi }: Interval, off: number, slope: number): boolean {
  const step = stepAt(root, { lo, hi });
  const centre = Math.min(hi - step, Math.max(lo + step, root));
  const [below, here, above] = [centre - step, centre, centre + step].map((x) => residual.at(x)) as Three;
  const curvature = (above - here - (here - below)) / (step * step);
  return slope * slope < off * Math.abs(curvature);
}

type Three = [number, number, number];

/**
 * Where ± over the slope is too wide, the half-width shrinks until a side is near the edge of ±, by the root of what is
 * missing, with which a quadratic law is met at once.
 *
 * @param missingAt  on both sides at a half-width; NaN where the unknown cannot be
 */
function shrunk(first: number, smallest: number, missingAt: (width: number) => readonly number[]): number {
  for (let width = first; width > smallest; ) {
    const missing = Math.max(0, ...missingAt(width).filter((one) => !Number.isNaN(one)));
    if (missing >= NEAR_EDGE) return width;
    width *= Math.max(MAX_REDUCTION, Math.sqrt(missing));
  }
  return first;
}

const refusal = ({ law, symbol }: BoundUnknown, reason: string) =>
  new DomainError('PRECISION_REFUSED', `${law.id}.${symbol} cannot be given with an uncertainty: ${reason}.`, {
    details: [{ path: 'solve_for', code: 'PRECISION_REFUSED', message: reason }],
  });

/** One standard deviation of the root by the given uncertainties: half of what two of them move it. */
function moved(unknown: BoundUnknown, chain: BoundChain, root: number, width: number, budget: StepBudget): number {
  const { function: own, target } = unknown;
  const { lo, hi } = rangeOf(unknown.input);
  let squares = 0;
  for (const { key, sigma, shifted } of [...shiftedInputs(unknown, chain), shiftedTarget(own, target)]) {
    if (!(sigma > 0)) continue;
    const distances = shifted.map((one) => {
      const found = rootNear(residualOf(one, budget), root, width, { lo, hi });
      if (found === undefined)
        throw refusal(unknown, `with ${key} two standard deviations away there is no root near it`);
      return Math.abs(found - root);
    });
    const distance = Math.max(0, ...distances) / EDGE;
    squares += distance * distance;
  }
  return Math.sqrt(squares);
}

type Shifted = { readonly key: string; readonly sigma: number; readonly shifted: readonly BoundUnknown['function'][] };

const shiftedTarget = (own: BoundUnknown['function'], { key, value, sigma }: Target): Shifted => ({
  key,
  sigma,
  shifted: [-EDGE, EDGE].map((count) => ({ ...own, target: value + count * sigma })),
});

/** Inputs that are not whole, as far as their ranges allow. */
function shiftedInputs({ function: own, symbol }: BoundUnknown, { operators, variables }: BoundChain): Shifted[] {
  return [...(operators[0]?.sources ?? [])].flatMap(([name, source]): Shifted[] => {
    if (source.kind !== 'given' || name === symbol) return [];
    const variable = variables[source.variable];
    if (variable === undefined || !(variable.sigma > 0) || variable.isWhole) return [];
    const { key, value, sigma, min, max } = variable;
    const ends = [-EDGE, EDGE].map((count) => Math.min(max, Math.max(min, value + count * sigma)));
    return [{ key, sigma, shifted: ends.map((end) => ({ ...own, values: new Map(own.values).set(name, end) })) }];
  });
}

/** Halvings of a bracket: the distance of a root to six digits. */
const HALVINGS = 24;

/** The root that is next to a number, on either side; undefined without one in the range. */
function rootNear(residual: Residual, start: number, width: number, { lo, hi }: Interval): number | undefined {
  const here = residual.at(start);
  if (here === 0) return start;
  if (Number.isNaN(here)) return undefined;
  const isAcross = (value: number) => value === 0 || value < 0 !== here < 0;
  for (let reach = width || Math.abs(start) * STEP; ; reach *= 2) {
    for (const side of [-1, 1]) {
      const end = Math.min(hi, Math.max(lo, start + side * reach));
      const value = residual.at(end);
      if (Number.isNaN(value) || !isAcross(value)) continue;
      let [near, far] = [start, end];
      for (let step = 0; step < HALVINGS; step++) {
        const middle = near + (far - near) / 2;
        if (isAcross(residual.at(middle))) far = middle;
        else near = middle;
      }
      return far;
    }
    if (start - reach <= lo && start + reach >= hi) return undefined;
  }
}

/** The contributions of the law at a root, in coherent units, with those of its given value. */
export function contributionsAt(
  target: Target,
  budget: readonly Contribution[],
  unit: string,
): readonly Contribution[] {
  const own = budget.map((one) => ({ ...one, value: toCoherent(one.value, unit) }));
  const given = own.find(({ source }) => source === 'inputs');
  const others = given?.value ?? 0;
  const inputs =
    target.sigma === 0
      ? []
      : [
          standard(
            'inputs',
            Math.sqrt(target.sigma * target.sigma + others * others),
            given === undefined ? `given for ${target.key}, first order` : `${given.basis}; given for ${target.key}`,
          ),
        ];
  return [
    ...own.filter((one) => one !== given || target.sigma === 0),
    bound('rounding', ROUNDOFF * Math.abs(target.value) * target.roundings, 'rounding of the given value'),
    ...inputs,
  ];
}

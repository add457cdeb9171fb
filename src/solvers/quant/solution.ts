// Builds the solution from the sums of the kernel: value, witness, greeks, and pictures.

import { log } from '../../core/elementary.ts';
import { bound, standard, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { americanSolution } from './american.ts';
import { blackGreeks, blackRounding, digitalGreeks, digitalPrice } from './black.ts';
import { type Estimate, type Estimator, Sums } from './estimates.ts';
import type { QuantFace } from './face.ts';
import { isUncorrected, type StepChange, stepChange } from './heston-paths.ts';
import { HESTON_REFERENCE_ERROR } from './heston-reference.ts';
import { hestonNotes, transformSolution, varianceQuantities } from './heston-transform.ts';
import type { QuantInput } from './inputs.ts';
import { picturesOf } from './pictures.ts';
import { centresOf, controlMean, samplingOf } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';
import { REFERENCE_ERROR, referencePrice } from './reference.ts';
import { termQuantities } from './terms.ts';

/** Standard errors within which the second way has to agree. */
const AGREES = 5;
/** Beyond as many standard errors from the second way, few paths carry the price, and the error is not known either. */
const DOUBTFUL = 4;
/** Fewer samples than this with a payoff say nothing about their scatter. */
const MIN_PAID = 100;
/** Relative rounding of a mean of samples, and of a closed form. */
const ROUNDING = 2e-13;
/** Rounding of ln (F / K). */
const LOG_ROUNDING = 2e-15;
/** Step of a slope by ln F, in deviations. */
const SLOPE_STEP = 1e-3;

const UNITS = { delta: '1', gamma: '1/$', vega: '$ yr^1/2', theta: '$/yr', rho: '$ yr' } as const;

export function solutionOf(outputs: readonly KernelOutput<QuantFace>[], input: QuantInput): Solution {
  const problem = problemOf(input);
  if (input.style === 'american') return americanSolution(outputs, input, problem);
  const { terms, heston } = problem;
  if (heston && input.model === 'heston') return transformSolution(outputs, input, heston, problem);
  const { views, columns, info } = outputOf(outputs, 0);
  const hasControl = problem.control !== 'none' && !isUncorrected(outputOf(outputs, 0));
  const rows = rowsOf(views.records ?? new Float64Array(), columns.record);
  const sums = new Sums(rows, input.sampler === 'sobol' && !problem.isCertain, hasControl);
  const [, centre = 0] = centresOf(problem);
  const price = sums.estimate('price', centre);
  const reference = referencePrice(problem, input.style);
  const rounding = ROUNDING * (Math.abs(price.value) + input.K * digitalPrice(terms));
  const change = heston && !problem.isCertain ? stepChange(outputs, input, problem, centre, price) : NO_CHANGE;
  const apart = Math.max(
    Math.abs(price.value - reference) - 2 * price.error - rounding,
    change.value - 2 * change.error,
  );
  const budget = uncertain([
    bound('rounding', rounding, 'sums of the samples, and the exponentials of the paths'),
    standard('statistics', price.error, statisticsBasis(input)),
    ...(apart > 0
      ? [
          bound(
            'discretisation',
            apart + rounding,
            heston ? HESTON_BASIS : 'what the second way is beyond two standard errors',
          ),
        ]
      : []),
  ]);
  const tolerance =
    AGREES * price.error + change.value + 2 * change.error + rounding + referenceError(problem, reference);
  const agrees = Math.abs(price.value - reference) <= tolerance - (AGREES - DOUBTFUL) * price.error;
  const isWorthless = reference === 0 && price.value === 0;
  const isSeen = problem.isCertain || isWorthless || sums.total('paid') >= MIN_PAID;
  // What is certainly worth nothing has the size of what is exchanged: at the money on the last day.
  const size = problem.isCertain && isWorthless ? terms.discount * Math.max(terms.forward, terms.strike) : 0;
  const scale = Math.max(Math.abs(reference), tolerance, size, Number.MIN_VALUE);
  const { samples, pathsPerSample } = samplingOf(input, problem);
  const pictures = picturesOf(input, problem, sums, price, centre, reference);
  return {
    value: price.value,
    ...budget,
    bound: tolerance / scale,
    converged: info === 0 && agrees && isSeen,
    witness: {
      method: heston ? 'integral along the real axis; Riccati equations by Taylor series' : WITNESSES[input.style],
      reference,
      scale,
    },
    invariants: invariantsOf(problem, sums, price, rounding),
    ...pictures,
    quantities: [
      quantity(heston ? 'second_way' : 'closed_form', reference, '$', referenceError(problem, reference)),
      quantity('standard_error', price.error, '$', errorOfError(price, samples, input)),
      ...greeksOf(input, problem, sums),
      ...impliedOf(problem),
      ...termQuantities(input, problem),
      exactly('paths', samples * pathsPerSample, '1'),
      ...(heston
        ? [quantity('step_change', change.value, '$', 2 * change.error), ...varianceQuantities(input, heston, problem)]
        : []),
      exactly('samples_that_pay', sums.total('paid'), '1'),
      exactly('shift', problem.shift, '1'),
    ],
    operatorInputs: lawInputs(input, problem),
    functional: price.value,
    notes: notesOf(input, problem, price, isSeen, agrees),
  };
}

const NO_CHANGE: StepChange = { value: 0, error: 0 };
const HESTON_BASIS = 'what half of the steps, or the second way, is beyond two standard errors';

const WITNESSES: Readonly<Record<Exclude<QuantInput['style'], 'american'>, string>> = {
  european: 'Black and Scholes in closed form',
  digital: 'Black and Scholes in closed form',
  asian: 'distribution of the sum, integrated date by date',
  barrier: 'Gauss–Legendre integration over the living side, date by date',
};

const statisticsBasis = ({ sampler }: QuantInput): string =>
  sampler === 'sobol' ? 'scatter of 32 replicates, each with its own scrambling' : 'standard error of the samples';

function referenceError(problem: Problem, reference: number): number {
  const { terms } = problem;
  if (problem.heston) return HESTON_REFERENCE_ERROR * terms.discount * Math.max(1, terms.forward, terms.strike);
  const isClosed = problem.dates.length === 1 && !problem.isContinuous;
  if (isClosed && Number.isNaN(problem.barrier)) return ROUNDING * (Math.abs(reference) + blackRounding(terms));
  const scale = Math.abs(reference) + terms.discount * Math.min(terms.forward, Math.abs(terms.strike));
  return (isClosed ? ROUNDING : REFERENCE_ERROR) * scale;
}

/** Two standard deviations of a standard error. */
const errorOfError = ({ error }: Estimate, samples: number, { sampler }: QuantInput): number =>
  (2 * error) / Math.sqrt(2 * (sampler === 'sobol' ? 31 : Math.max(1, samples - 1)));

function greeksOf(input: QuantInput, problem: Problem, sums: Sums): readonly Quantity[] {
  const { greeks, market, terms } = problem;
  const isFlat = [input.rates, input.vols, input.dividends].every((given) => (given ?? []).length === 0);
  const sampled: Estimator[] =
    greeks === 'none' ? [] : ['delta', 'gamma', ...(isFlat ? (['vega', 'rho'] as const) : [])];
  const hasForm = input.style === 'european' || input.style === 'digital';
  const quantities = sampled.map((name) => {
    const { value, error } = sums.estimate(name);
    return quantity(name, value, UNITS[name as keyof typeof UNITS], 2 * error + ROUNDING * Math.abs(value));
  });
  if (!hasForm || !isFlat || problem.isCertain || problem.heston) return quantities;
  const flat = { spot: market.spot, r: input.r, q: input.q, sigma: input.sigma, T: input.T };
  const formOf = input.style === 'european' ? blackGreeks : digitalGreeks;
  const exact = formOf(terms, flat);
  const scale = { delta: 1, gamma: 1 / market.spot, vega: market.spot, theta: market.spot, rho: market.spot };
  // ln F carries a rounding that the deviates divide by their root.
  const step = SLOPE_STEP * Math.sqrt(terms.variance);
  const moved = [1 + step, 1 - step].map((factor) => formOf({ ...terms, forward: terms.forward * factor }, flat));
  const forms = Object.entries(exact).map(([name, value]) => {
    const greek = name as keyof typeof UNITS;
    const slope = Math.max(...moved.map((other) => Math.abs(other[greek] - value))) / step;
    const own = 4e-13 * Math.abs(value) + 1e-15 * scale[greek] * (input.style === 'digital' ? 1 / market.spot : 1);
    const error = own + LOG_ROUNDING * slope;
    return quantity(`${name}_closed_form`, value, UNITS[greek], error);
  });
  return [...quantities, ...forms];
}

const impliedOf = ({ implied }: Problem): readonly Quantity[] =>
  implied ? [quantity('implied_volatility', implied.sigma, 'yr^-1/2', implied.error)] : [];

function invariantsOf(problem: Problem, sums: Sums, price: Estimate, rounding: number): readonly Invariant[] {
  const { control, isCertain } = problem;
  const outside = Math.max(0, -price.value);
  const positive: Invariant = {
    name: 'price_not_negative',
    value: price.value,
    drift: outside,
    bound: AGREES * price.error + rounding,
    unit: '$',
  };
  if (control === 'none' || isCertain) return [positive];
  const { value, error } = sums.control();
  const known = controlMean(problem);
  const martingale: Invariant = {
    name: 'control_mean',
    label: 'mean of the control, which is known',
    value: value + known,
    drift: value,
    bound: AGREES * error + 4e-13 * known,
    unit: '$',
  };
  return [positive, martingale];
}

/** Ranges of BLACK_SCHOLES in the registry. */
const LAW = { S: [0.01, 1e6], K: [0.01, 1e6], r: [-0.1, 0.5], sig: [0.001, 5], T: [0.001, 100] } as const;

/** Inputs of the law that give the same price: dividends are in its S, curves in its mean rate and volatility. */
function lawInputs({ style, T, K }: QuantInput, { terms, phi, heston }: Problem): Solution['operatorInputs'] {
  if (style !== 'european' || heston) return {};
  const { forward, discount, variance } = terms;
  const given = { S: forward * discount, K, r: -log(discount) / T, sig: Math.sqrt(variance / T), T };
  const isInside = Object.entries(LAW).every(([name, [min, max]]) => {
    const value = given[name as keyof typeof LAW];
    return value >= min && value <= max;
  });
  return isInside ? { BLACK_SCHOLES: { ...given, phi } } : {};
}

function notesOf(
  input: QuantInput,
  problem: Problem,
  { gain }: Estimate,
  isSeen: boolean,
  agrees: boolean,
): readonly string[] {
  const notes: string[] = [];
  if (problem.isCertain) notes.push('No time or no volatility is left: the price is exact, without paths.');
  else if (problem.shift !== 0)
    notes.push(`Importance sampling: ends of paths are moved by ${problem.shift.toFixed(2)} deviations.`);
  else if (problem.control !== 'none') notes.push(`The control divides the variance by ${gain.toPrecision(3)}.`);
  if (!isSeen)
    notes.push(`Fewer than ${MIN_PAID} paths pay: the error is unknown. Use variance importance, or more paths.`);
  else if (!agrees)
    notes.push(
      `The price is more than ${DOUBTFUL} standard errors from the second way: too few paths carry it. Use more paths, or another variance.`,
    );
  if (problem.heston) notes.push(...hestonNotes(problem.heston, problem));
  else if (problem.market.hasDividends)
    notes.push('Cash dividends are escrowed: their present value does not fluctuate.');
  if (input.style === 'barrier' && problem.greeks === 'none' && !problem.isCertain)
    notes.push('A barrier that is watched always has no sampled greeks; give dates for them.');
  return notes;
}

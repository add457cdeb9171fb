// Propagation of given uncertainties by samples (JCGM 101:2008): a result for each draw of the inputs, and the interval
// about the value that holds 95 % of them.
//
// Row 0 of the table is the result at the given values. An input is known to lie in its range, so a sample that its
// range refuses counts for nothing; a sample without a value counts as outside of the interval.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { normalDeviate } from '../../core/normal-deviates.ts';
import { type Contribution, standard, uncertain } from '../../core/uncertainty.ts';
import { orderOfQuantile } from '../../operators/order-of-quantile.ts';
import type { Solution } from '../../solvers/definition.ts';
import type { SampleSpec, SampleStatistics } from '../../solvers/samples.ts';
import type { Table } from '../../solvers/table.ts';
import type { PointSet } from './axes.ts';

/** With fewer samples, not even the largest is beyond the 95 % quantile in 95 of 100 cases (S. S. Wilks, 1941). */
const MIN_COUNT = 59;
const MAX_COUNT = LIMITS.sweep.points - 1;
const MAX_INPUTS = 16;
const Seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Count = z.int().min(MIN_COUNT).max(MAX_COUNT);

const samplesShape = (max: number) =>
  z
    .strictObject({
      count: z.int().min(MIN_COUNT).max(max).describe('Number of samples.'),
      seed: Seed.optional().describe('1 by default.'),
    })
    .describe(`Propagate the given uncertainties by samples: {"count": 200, "seed": 1}; at most ${max}.`);

/** Of laws. */
export const SamplesShape = samplesShape(MAX_COUNT);
/** Of a solver: each sample is a kernel run at least, as is the given point. */
export const SolverSamplesShape = samplesShape(LIMITS.sweep.runs - 1);

export type SamplesRequest = z.output<typeof SamplesShape>;

/** The part of sealed samples from which a replay draws them again. */
export const SampleSpecShape = z.object({
  count: Count,
  seed: Seed,
  inputs: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(LIMITS.keyCharacters),
        value: z.number(),
        uncertainty: z.number().positive(),
      }),
    )
    .min(1)
    .max(MAX_INPUTS),
});

/**
 * @param values  of inputs that have an uncertainty
 * @throws DomainError VALIDATION_FAILED naming the input
 */
export function sampleSpec(
  { count, seed = 1 }: SamplesRequest,
  uncertainties: Readonly<Record<string, number>>,
  givenValue: (name: string) => number | undefined,
): SampleSpec {
  const inputs = Object.entries(uncertainties).flatMap(([name, uncertainty]) => {
    if (!(uncertainty >= 0 && Number.isFinite(uncertainty)))
      refuse(`uncertainties.${name}`, `uncertainties.${name} is ${uncertainty}; a finite number from 0 is expected.`);
    const value = givenValue(name);
    if (value === undefined)
      return refuse(`uncertainties.${name}`, `uncertainties.${name} matches no given number; give ${name} too.`);
    return uncertainty === 0 ? [] : [{ name, value: value + 0, uncertainty }];
  });
  if (inputs.length === 0)
    refuse('samples', 'samples has nothing to draw; give uncertainties above 0, for example {"v": 0.1}.');
  if (inputs.length > MAX_INPUTS)
    refuse('uncertainties', `${inputs.length} uncertainties are given; at most ${MAX_INPUTS} can be sampled.`);
  return { count, seed, inputs };
}

export function samplePoints(samples: SampleSpec): PointSet {
  const { count, seed, inputs } = samples;
  /** Row 0, then a row for each sample. */
  let drawn: Float64Array | undefined;
  const draw = (): Float64Array => {
    const width = inputs.length;
    const numbers = new Float64Array((count + 1) * width);
    for (const [stream, { value, uncertainty }] of inputs.entries()) {
      numbers[stream] = value;
      for (let index = 0; index < count; index++)
        numbers[(index + 1) * width + stream] = value + uncertainty * normalDeviate(seed, stream, index) + 0;
    }
    return numbers;
  };
  return {
    names: inputs.map(({ name }) => name),
    count: count + 1,
    axes: [],
    samples,
    at: (index) => {
      drawn ??= draw();
      return Array.from(drawn.subarray(index * inputs.length, (index + 1) * inputs.length));
    },
  };
}

/**
 * The result at the given values with the statistics of the samples, which enter ±.
 *
 * @param solution  of row 0
 * @throws DomainError PRECISION_REFUSED where too few samples have a value
 */
export function withSamples(solution: Solution, table: Table, spec: SampleSpec): Solution {
  const { values, within } = sampledValues(table);
  const needed = orderOfQuantile(within);
  if (within < MIN_COUNT || needed > values.length)
    throw new DomainError(
      'PRECISION_REFUSED',
      `Of ${spec.count} samples, ${within} are in range and ${values.length} have a value; at least ${Math.max(MIN_COUNT, needed)} are needed. Give smaller uncertainties or more samples.`,
    );
  const distances = values.map((value) => Math.abs(value - solution.value)).sort();
  const halfWidth = distances[needed - 1] ?? Number.NaN;
  const names = spec.inputs.map(({ name }) => name).join(', ');
  const spread: Contribution = standard('propagation', halfWidth / 2, `95 % of ${within} samples of ${names}`);
  const { uncertainty, budget } = uncertain([...solution.budget, spread]);
  const samples: SampleStatistics = { ...spec, ...statisticsOf(values), within };
  return { ...solution, uncertainty, budget, samples };
}

function sampledValues({ columns, data, refused }: Table): { readonly values: Float64Array; readonly within: number } {
  const width = columns.length;
  const rows = data.length / width;
  const outside = refused
    .filter(({ code, from }) => code === 'VALIDATION_FAILED' && from > 0)
    .reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const all = Float64Array.from({ length: rows - 1 }, (_, i) => data[(i + 2) * width - 2] as number);
  return { values: all.filter((value) => !Number.isNaN(value)), within: rows - 1 - outside };
}

function statisticsOf(values: Float64Array) {
  const count = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - mean) * (value - mean);
  const sorted = values.slice().sort();
  const tail = Math.floor(0.025 * count);
  return {
    mean,
    standard_deviation: Math.sqrt(squares / (count - 1)),
    low: sorted[tail] ?? Number.NaN,
    high: sorted[count - 1 - tail] ?? Number.NaN,
  };
}

/** @throws DomainError VALIDATION_FAILED */
export function assertOne(sweep: unknown, samples: unknown): void {
  if (sweep !== undefined && samples !== undefined)
    refuse('samples', 'sweep and samples are given together; ask for one of them.');
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'SAMPLES_INVALID', message }] });
}

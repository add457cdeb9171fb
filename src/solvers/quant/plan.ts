// The kernel run of a problem, and its estimated cost.

import { exp } from '../../core/elementary.ts';
import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { AMERICAN_NS, latticeRuns } from './american.ts';
import { blackPrice } from './black.ts';
import { GROUPS } from './estimates.ts';
import { QUANT_FACE, type QuantFace } from './face.ts';
import { pathsRuns, STEP_NS } from './heston-paths.ts';
import { transformPlan } from './heston-transform.ts';
import type { QuantInput } from './inputs.ts';
import { geometricMean, type Problem, problemOf } from './problem.ts';
import { referenceCost } from './reference.ts';

/** Of the kernel. */
const BLOCK = 128;
const PAYOFFS: readonly QuantInput['style'][] = ['european', 'digital', 'asian', 'barrier'];
/** Of the second way. */
const HESTON_COLLECT_NS = 50e6;
const CONTROLS = ['none', 'underlying', 'vanilla', 'geometric'] as const satisfies readonly Problem['control'][];

/** How many samples are drawn: one sample is a path, or a path and its mirror image. */
export interface Sampling {
  readonly samples: number;
  readonly groupBlocks: number;
  readonly pathsPerSample: number;
}

export function samplingOf({ paths, sampler }: QuantInput, { isAntithetic, isCertain }: Problem): Sampling {
  const pathsPerSample = isAntithetic ? 2 : 1;
  if (isCertain) return { samples: 1, groupBlocks: 1, pathsPerSample };
  const samples = Math.ceil(paths / pathsPerSample);
  if (sampler === 'random') return { samples, groupBlocks: Math.ceil(samples / BLOCK / GROUPS), pathsPerSample };
  // A replicate is a power of two of points: the nearest one from above.
  let groupBlocks = 1;
  while (groupBlocks * BLOCK * GROUPS < samples) groupBlocks *= 2;
  return { samples: groupBlocks * BLOCK * GROUPS, groupBlocks, pathsPerSample };
}

/** The mean of the control, which is known. */
export function controlMean({ control, terms, dates }: Problem): number {
  if (control === 'none') return 0;
  if (control === 'underlying') return terms.discount * terms.forward;
  if (control === 'vanilla') return blackPrice(terms);
  const { mean, variance } = geometricMean(dates);
  return blackPrice({ ...terms, forward: exp(mean + 0.5 * variance), variance });
}

/** What is subtracted from the control and the estimates before they are squared. */
export function centresOf(problem: Problem): Float64Array {
  const { terms } = problem;
  const intrinsic = terms.discount * Math.max(0, terms.phi * (terms.forward - terms.strike));
  return Float64Array.of(controlMean(problem), problem.isCertain ? 0 : intrinsic, 0, 0, 0, 0);
}

export function planOf(input: QuantInput): Plan<QuantFace> {
  const problem = problemOf(input);
  if (input.style === 'american') {
    const runs = latticeRuns(input, problem);
    return { runs, estimateNs: 8e6, collectNs: AMERICAN_NS, estimateBytes: INSTANCE_BYTES + 120_000 };
  }
  const { dates, market, terms, control, heston } = problem;
  if (heston && input.model === 'heston') return transformPlan(input, heston, problem);
  const { samples, groupBlocks, pathsPerSample } = samplingOf(input, problem);
  const hasGreeks = problem.greeks !== 'none';
  const blocks = Math.ceil(samples / BLOCK);
  if (heston)
    return {
      runs: pathsRuns(input, heston, problem, { samples, groupBlocks }, centresOf(problem), blocks),
      estimateNs: 200_000 + 1.5 * samples * pathsPerSample * input.time_steps * STEP_NS,
      collectNs: HESTON_COLLECT_NS,
      estimateBytes: INSTANCE_BYTES + 60_000,
    };
  return {
    runs: [
      {
        parameters: {
          payoff: PAYOFFS.indexOf(input.style),
          phi: problem.phi,
          strike: input.K,
          discount: terms.discount,
          spot: market.spot,
          sigma: input.sigma,
          maturity: input.T,
          dates: dates.length,
          barrier: input.style === 'barrier' ? problem.barrier : 0,
          isUp: Number(problem.isUp),
          isKnockIn: Number(problem.isKnockIn),
          isContinuous: Number(problem.isContinuous),
          control: CONTROLS.indexOf(control),
          shift: problem.shift,
          isAntithetic: Number(problem.isAntithetic),
          hasGreeks: Number(hasGreeks),
          isLikelihood: Number(problem.greeks === 'likelihood'),
          samples,
          isSobol: Number(input.sampler === 'sobol'),
          groupBlocks,
          seed: input.seed,
        },
        inputs: {
          dates: Float64Array.from(
            dates.flatMap(({ forward, variance, dividends, weight, time }) => [
              forward,
              variance,
              dividends,
              weight,
              time,
            ]),
          ),
          centres: centresOf(problem),
        },
        steps: blocks,
        outputs: ['records'],
      },
    ],
    // Measured in bench/quant.ts.
    estimateNs: 100_000 + samples * (8 + dates.length * (16 + pathsPerSample * (8 + (hasGreeks ? 12 : 0)))),
    collectNs: 300_000 + 12 * referenceCost(problem, input.style),
    estimateBytes: INSTANCE_BYTES + 1_200 * dates.length + 8 * 32 * QUANT_FACE.columns.record.length,
  };
}

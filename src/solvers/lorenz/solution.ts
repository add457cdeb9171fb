// Builds the solution from the kernel output: the exponents, what follows from them, and how certain they are.

import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { outputOf } from '../parts/outputs.ts';
import { equilibriaOf } from './equilibria.ts';
import type { LorenzFace } from './face.ts';
import { type Growth, growthOf } from './growth.ts';
import type { LorenzInput } from './inputs.ts';
import { type Pair, pairOf } from './pair.ts';
import { picturesOf } from './pictures.ts';
import { TOLERANCE } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';
import { quantitiesOf } from './quantities.ts';
import { MAX_SUM_DRIFT, type Spectrum, spectrumOf } from './spectrum.ts';

const NONE = new Float64Array();

export function solutionOf(outputs: readonly KernelOutput<LorenzFace>[], input: LorenzInput): Solution {
  const problem = problemOf(input);
  const [main, other] = [outputOf(outputs, 0), outputOf(outputs, 1)];
  assertFinite(main, other, problem);
  const n = problem.names.length;
  const growth = growthOf(main.views.blocks ?? NONE, n);
  const second = growthOf(other.views.blocks ?? NONE, n);
  const { path = NONE, end = NONE, maxima = NONE, equilibria: found = NONE } = main.views;
  const equilibria = equilibriaOf(found, problem.start, end, path, growth);
  const tolerated = (TOLERANCE * (other.statistics.tries ?? 0)) / (other.statistics.time ?? 1);
  const spectrum = spectrumOf(growth, second, equilibria, { tolerated, turns: main.statistics.turns ?? 0 });
  const [largest] = spectrum.exponents;
  if (largest === undefined) throw new Error('A system has states.');
  const pair = pairOf(outputOf(outputs, 2), outputOf(outputs, 3), problem);
  const maximaFound = maxima.slice(0, main.statistics.maxima ?? 0);
  const { value, uncertainty, budget } = largest;
  const scale = Math.max(maxMagnitude(spectrum.exponents.map((one) => one.value)), Number.MIN_VALUE);
  const witness = { method: spectrum.method, reference: spectrum.reference, scale };
  const apart = Math.abs(value - spectrum.reference) / Math.max(Math.abs(spectrum.reference), scale);
  return {
    value,
    uncertainty,
    budget,
    bound: Math.max(apart, uncertainty / scale),
    converged: spectrum.doubts.length === 0,
    witness,
    invariants: [sumRule(growth)],
    ...picturesOf(problem, path, maximaFound, growth, equilibria, pair),
    quantities: quantitiesOf(problem, growth, second, spectrum, equilibria, pair, maximaFound.length),
    operatorInputs: separationInputs(pair),
    functional: value,
    notes: [...spectrum.doubts, ...notesOf(spectrum, pair, problem, equilibria.isStart)],
  };
}

/** @throws DomainError UNSTABLE_SCHEME, NUMERIC_OVERFLOW, BUDGET_EXCEEDED */
function assertFinite(
  main: KernelOutput<LorenzFace>,
  other: KernelOutput<LorenzFace>,
  { dt, start, names }: Problem,
): void {
  const time = main.statistics.time ?? 0;
  if (main.info === INFO.ok && other.info === INFO.ok) return;
  if (main.info === INFO.nonFinite && other.info !== INFO.nonFinite) {
    const message = `dt is ${dt}; with this step the states leave every bound at about t = ${time}, with shorter ones they do not.`;
    throw unstableError('dt', message, 'TOO_LONG', { time });
  }
  if (main.info === INFO.nonFinite || other.info === INFO.nonFinite) {
    const from = start.map((one, i) => `${names[i]} = ${one}`).join(', ');
    const when = Math.min(time, other.statistics.time ?? time);
    const message = `From ${from} the states leave every bound, or have no value, at about t = ${when}: no exponents are defined.`;
    throw new DomainError('NUMERIC_OVERFLOW', message, { facts: { time: when } });
  }
  const reached = other.statistics.time ?? 0;
  const message = `The second method spent its ${other.statistics.tries} steps until t = ${reached}: the equations are stiff. Take fewer steps.`;
  throw new DomainError('BUDGET_EXCEEDED', message, { facts: { time: reached } });
}

/** The exponents add up to the mean divergence. */
function sumRule({ exponents, divergence, times }: Growth): Invariant {
  const sum = exponents.reduce((total, { value }) => total + value, 0);
  const sizes = exponents.reduce((total, { value }) => total + Math.abs(value), 0);
  const time = times.at(-1) ?? 1;
  return {
    name: 'sum_of_exponents',
    label: 'the exponents add up to the mean divergence',
    value: sum,
    drift: (sum - divergence.value) / Math.max(sizes, 1 / time),
    bound: MAX_SUM_DRIFT,
  };
}

const MIN_SEPARATION = 1e-15;
const MAX_SEPARATION = 1e6;

/** From the separation of the two close starts, where the law takes the numbers. */
function separationInputs(pair: Pair | undefined): Solution['operatorInputs'] {
  if (pair === undefined) return {};
  const { time: t, distance: d } = pair.last;
  const d0 = pair.distances[0] ?? 0;
  const isIn = (one: number) => one >= MIN_SEPARATION && one <= MAX_SEPARATION;
  return isIn(d) && isIn(d0) && t >= 1e-6 ? { NL10: { d, d0, t } } : {};
}

function notesOf({ kind }: Spectrum, pair: Pair | undefined, problem: Problem, isStart: boolean): readonly string[] {
  const { tolerance, pairTime } = problem;
  const words = {
    chaotic: 'Chaotic: close starts part exponentially.',
    regular: 'Not chaotic within ±: a limit cycle, a torus, or chaos too weak for this time.',
    equilibrium: isStart
      ? 'The start is an equilibrium: the exponents are the real parts of its eigenvalues.'
      : 'The way ends in a stable equilibrium: the exponents are the real parts of its eigenvalues.',
  } as const;
  return [
    words[kind],
    ...(pair === undefined ? ['The two close starts could not be followed to the accuracy that they need.'] : []),
    ...(pair !== undefined && pair.horizon === undefined
      ? [`The two close starts do not come ${tolerance} apart within ${pairTime}.`]
      : []),
    ...(kind === 'chaotic' ? ['NL10 shows the mean growth of their distance, over a much shorter time.'] : []),
  ];
}

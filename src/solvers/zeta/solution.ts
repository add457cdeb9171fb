// Builds the solution from the kernel output: the count with its proof, the zeros, and how Gram's law fared.

import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution, Witness } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ZetaFace } from './face.ts';
import { blocksNeeded, smoothCount, smoothRounding } from './gram.ts';
import { picturesOf } from './pictures.ts';
import { isFromStart, type Problem, problemOf, searchedTo, type ZetaInput } from './problem.ts';
import { countByArgument } from './reference.ts';
import { type Zero, zerosOf } from './zeros.ts';

type Counts = Readonly<Record<ZetaFace['statistics'][number], number>>;

/** What is counted: the window, or for zero_k all up to the zero. */
interface Count {
  readonly value: number;
  /** Zeros that may lie on either side of an end of the window. */
  readonly doubtful: number;
  /** Zeros that Turing's method says there are, and that were not found. */
  readonly missing: number;
  readonly isCertified: boolean;
}

export function solutionOf(outputs: readonly KernelOutput<ZetaFace>[], input: ZetaInput): Solution {
  const problem = problemOf(input);
  const output = outputOf(outputs, 0);
  const counts = output.statistics as Counts;
  const zeros = zerosOf(output.views.zeros ?? new Float64Array(), counts.baseGram + 2);
  const count = countOf(problem, input, counts, zeros);
  const witness = witnessOf(problem, zeros, count);
  const target = zeros.find(({ number }) => number === problem.target);
  const isFound = problem.target === 0 || target?.place !== undefined;
  const agrees = witness.reference === count.value;
  const isComplete = output.info === INFO.ok && count.doubtful === 0 && count.missing === 0 && isFound;
  const difference = Number.isNaN(witness.reference) ? 0 : Math.abs(count.value - witness.reference);
  const uncertainty = Math.max(count.doubtful + Math.abs(count.missing), difference);
  const basis = 'zeros too close to an end of the window, or not found';
  return {
    value: count.value,
    ...uncertain([bound('iteration', uncertainty, basis)]),
    bound: Math.abs(count.value - witness.reference) / Math.max(1, count.value),
    converged: isComplete && agrees && (count.isCertified || !input.turing),
    witness,
    invariants: invariantsOf(counts),
    ...picturesOf(problem, input, output, zeros),
    quantities: quantitiesOf(problem, input, counts, zeros, { ...count, uncertainty }),
    operatorInputs: {},
    functional: count.value,
    notes: notesOf(problem, input, counts, count, target, agrees),
  };
}

function countOf(problem: Problem, { turing }: ZetaInput, counts: Counts, zeros: readonly Zero[]): Count {
  const { tMin, tMax, target } = problem;
  const needed = blocksNeeded(2 * searchedTo(problem, turing) + 1_000);
  const missing = counts.endGram - counts.baseGram - counts.found;
  const isProved = counts.blocksAfter >= needed && (isFromStart(problem) || counts.blocksBefore >= needed);
  const common = { missing: turing ? missing : 0, isCertified: isProved && missing === 0 };
  if (target > 0) return { ...common, value: target, doubtful: 0 };
  const straddles = (t: number): boolean => zeros.some(({ low, high }) => low < t && t < high);
  return {
    ...common,
    value: zeros.filter(({ low, high }) => (low + high) / 2 > tMin && (low + high) / 2 <= tMax).length,
    doubtful: Number(straddles(tMin)) + Number(straddles(tMax)),
  };
}

function witnessOf({ tMin, tMax, target }: Problem, zeros: readonly Zero[], { value }: Count): Witness {
  const method = 'principle of the argument, ζ by Euler–Maclaurin summation in TypeScript';
  const scale = Math.max(1, value);
  const [from, to] = target > 0 ? [0, betweenZeros(zeros, target)] : [tMin, tMax];
  const [first, last] = [countByArgument(from), countByArgument(to)];
  if (first === undefined || last === undefined)
    return { method: 'none: a zero is too close to an end of the window', reference: Number.NaN, scale };
  return { method, reference: Math.round(last) - Math.round(first), scale };
}

/** A place between the zero and the next. */
function betweenZeros(zeros: readonly Zero[], number: number): number {
  const i = zeros.findIndex((zero) => zero.number === number);
  const [zero, next] = [zeros[i], zeros[i + 1]];
  if (zero === undefined || next === undefined) return Number.NaN;
  return (zero.high + next.low) / 2;
}

function invariantsOf({ endGram, baseGram, found }: Counts): readonly Invariant[] {
  const expected = endGram - baseGram;
  return [
    {
      name: 'zeros_between_gram_points',
      label: 'zeros between the good Gram points about the window',
      value: found,
      drift: (found - expected) / Math.max(1, expected),
      bound: 0,
    },
  ];
}

function quantitiesOf(
  problem: Problem,
  { turing }: ZetaInput,
  counts: Counts,
  zeros: readonly Zero[],
  { value, uncertainty, isCertified }: Count & { readonly uncertainty: number },
): readonly Quantity[] {
  const { tMin, tMax, target, locatesAll } = problem;
  const rounding = smoothRounding(tMax);
  const before = zeros.filter(({ low, high }) => (low + high) / 2 <= tMin).length;
  const upTo = counts.baseGram + 1 + before + value;
  const place = (name: string, number: number): readonly Quantity[] => {
    const zero = zeros.find((one) => one.number === number);
    return zero?.place === undefined ? [] : [quantity(name, zero.place, '1', zero.halfWidth)];
  };
  const bad = counts.badPoints;
  return [
    ...(target > 0
      ? [...place('zero', target), ...place('zero_before', target - 1), ...place('zero_after', target + 1)]
      : [
          quantity('zeros_up_to_t_max', upTo, 'zeros', uncertainty),
          quantity('smooth_count', smoothCount(tMax), 'zeros', rounding),
          quantity('s_at_t_max', upTo - smoothCount(tMax), '1', rounding + uncertainty),
        ]),
    ...(locatesAll ? closestOf(zeros, problem) : []),
    exactly('certified', Number(isCertified && turing), '1'),
    exactly('gram_intervals', counts.intervals, '1'),
    exactly('bad_gram_points', bad, '1'),
    exactly('longest_gram_block', counts.longest, '1'),
    exactly('rosser_violations', counts.violations, '1'),
    exactly('evaluations', counts.evaluations, '1'),
  ];
}

/** The smallest distance of two zeros of the window that follow one another. */
function closestOf(zeros: readonly Zero[], { tMin, tMax }: Problem): readonly Quantity[] {
  const inside = zeros.filter(({ place }) => place !== undefined && place > tMin && place <= tMax);
  let least: { readonly gap: number; readonly place: number; readonly error: number } | undefined;
  for (let i = 1; i < inside.length; i++) {
    const [a, b] = [inside[i - 1], inside[i]];
    if (a?.place === undefined || b?.place === undefined) continue;
    const gap = b.place - a.place;
    if (least === undefined || gap < least.gap) least = { gap, place: a.place, error: a.halfWidth + b.halfWidth };
  }
  if (least === undefined) return [];
  return [
    quantity('smallest_gap', least.gap, '1', least.error),
    quantity('smallest_gap_at', least.place, '1', least.error),
  ];
}

function notesOf(
  problem: Problem,
  { turing }: ZetaInput,
  counts: Counts,
  { value, doubtful, missing, isCertified }: Count,
  target: Zero | undefined,
  agrees: boolean,
): readonly string[] {
  const notes: string[] = [];
  if (target?.place !== undefined)
    notes.push(`Zero ${target.number} is at 1/2 + ${target.place} i, within ${target.halfWidth.toPrecision(2)}.`);
  if (isCertified && turing) {
    const start = isFromStart(problem) ? 'the first' : `Gram point ${counts.baseGram}`;
    notes.push(
      `Certified by Turing’s method: from ${start} to Gram point ${counts.endGram} at ${counts.endPlace.toFixed(3)} all ${counts.found} zeros are simple and on the critical line; ${counts.blocksAfter} Gram blocks after it keep Rosser’s rule.`,
    );
  } else if (turing) notes.push(`Not certified: ${missing} zeros of Gram blocks were not found.`);
  if (doubtful > 0)
    notes.push('A zero is closer to an end of the window than Z can tell, so the count may be off by one.');
  if (!agrees) notes.push(`The principle of the argument does not confirm ${value}.`);
  return notes;
}

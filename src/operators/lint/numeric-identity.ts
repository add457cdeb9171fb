// Numeric identity: two laws that give equal or proportional values for all inputs are one law.
//
// Only laws of one signature (dimensions of output and inputs) are compared, and in a large group only those with
// nearly equal fingerprints, which avoids quadratic work. A fingerprint is taken where all inputs of one dimension are
// equal, so exchanging such inputs does not change it.

import { groupBy } from '../../core/group-by.ts';
import { printDimension } from '../../core/units/dimension.ts';
import type { Evaluator } from './evaluator.ts';
import { matchings } from './input-matchings.ts';
import { type PreparedOperator, rowOf } from './prepared-operator.ts';
import { samplePoints } from './sampling.ts';

export interface EquivalentPair {
  readonly one: PreparedOperator;
  readonly other: PreparedOperator;
  /** Value of `other` over that of `one`; 1 is the same function. */
  readonly ratio: number;
}

/** Groups up to this size are compared pair by pair, without fingerprints. */
const MAX_EXHAUSTIVE = 12;
/** Points at which laws are compared, and the samples from which they are selected. */
const POINTS = 5;
const SAMPLES = 24;
/** Relative. Rewriting a law costs some rounding errors; laws that are only approximately equal differ by more. */
const TOLERANCE = 1e-10;
/** Relative, and larger because a fingerprint is a quotient of sums. */
const FINGERPRINT_TOLERANCE = 1e-6;

export function findEquivalentPairs(operators: readonly PreparedOperator[], evaluator: Evaluator): EquivalentPair[] {
  const pairs: EquivalentPair[] = [];
  for (const members of groupBy(operators, signatureOf).values()) {
    for (const [one, other] of candidates(members, evaluator)) {
      const equivalence = compare(one, other, evaluator);
      if (equivalence !== undefined) pairs.push({ one, other, ratio: equivalence.ratio });
    }
  }
  return pairs;
}

function signatureOf({ inputs, output }: PreparedOperator): string {
  const dimensions = inputs.map(({ unit }) => printDimension(unit.dimension)).sort();
  return [printDimension(output.dimension), ...dimensions].join(' ');
}

function* candidates(
  members: readonly PreparedOperator[],
  evaluator: Evaluator,
): Generator<readonly [PreparedOperator, PreparedOperator]> {
  if (members.length <= MAX_EXHAUSTIVE) {
    for (const [i, one] of members.entries()) {
      for (const other of members.slice(i + 1)) yield [one, other];
    }
    return;
  }
  const typical = typicalValues(members);
  const all = members.map((prepared) => ({ prepared, print: fingerprint(prepared, typical, evaluator) }));
  const known = all.filter(({ print }) => print > 0).sort((a, b) => a.print - b.print);
  // Laws without a value where their inputs are equal have no fingerprint and are compared with each other.
  const unknown = all.filter(({ print }) => !(print > 0));
  for (const [i, one] of known.entries()) {
    for (const other of known.slice(i + 1)) {
      if (other.print > one.print * (1 + FINGERPRINT_TOLERANCE)) break;
      yield [one.prepared, other.prepared];
    }
  }
  for (const [i, one] of unknown.entries()) {
    for (const other of unknown.slice(i + 1)) yield [one.prepared, other.prepared];
  }
}

/** A typical value for each dimension: the median over the first examples, rounded where an input must be whole. */
function typicalValues(members: readonly PreparedOperator[]): ReadonlyMap<string, number> {
  const seen = members.flatMap((prepared) =>
    prepared.inputs.map(({ name, declared, unit }) => ({
      dimension: printDimension(unit.dimension),
      isWhole: declared.integer === true,
      value: Math.abs((prepared.operator.examples[0]?.inputs[name] ?? declared.default ?? 1) * unit.factor),
    })),
  );
  return new Map(
    [...groupBy(seen, ({ dimension }) => dimension)].map(([dimension, all]) => {
      const values = all.map(({ value }) => value).sort((a, b) => a - b);
      const median = values[values.length >> 1] || 1;
      return [dimension, all.some(({ isWhole }) => isWhole) ? Math.max(1, Math.round(median)) : median];
    }),
  );
}

/** Quotient of the summed responses at twice the typical values and at the typical values. */
function fingerprint(prepared: PreparedOperator, typical: ReadonlyMap<string, number>, evaluator: Evaluator): number {
  const [single = [], double = []] = [1, 2].map((scale) => responses(prepared, typical, scale, evaluator));
  const size = (values: readonly number[]) => values.reduce((total, value) => total + Math.abs(value), 0);
  return size(double) / size(single);
}

/** The value with one input at a time tripled. */
function responses(
  { inputs, constants, program }: PreparedOperator,
  typical: ReadonlyMap<string, number>,
  scale: number,
  evaluator: Evaluator,
): number[] {
  const level = inputs.map(({ unit }) => (typical.get(printDimension(unit.dimension)) ?? 1) * scale);
  const rows = inputs.map((_, i) => rowOf({ constants }, level.with(i, (level[i] ?? 0) * 3)));
  return evaluator.values(program, rows);
}

interface Equivalence {
  readonly ratio: number;
  /** Index of the input of the first law that replaces each input of the second. */
  readonly matching: readonly number[];
}

/** The constant ratio of the values under some matching of inputs; undefined if there is none. */
function compare(one: PreparedOperator, other: PreparedOperator, evaluator: Evaluator): Equivalence | undefined {
  const points = distinctPoints(one, evaluator);
  const [first, ...rest] = points;
  if (first === undefined) return undefined;
  const typical = typicalValues([one, other]);
  const all = matchings(one, other, (prepared) => responses(prepared, typical, 1, evaluator));
  const exchanged = (point: readonly number[], matching: readonly number[]) =>
    rowOf(
      other,
      matching.map((i) => point[i] ?? Number.NaN),
    );
  const atFirst = evaluator.values(
    other.program,
    all.map((matching) => exchanged(first.point, matching)),
  );
  const found = all.flatMap((matching, m): Equivalence[] => {
    const ratio = (atFirst[m] ?? Number.NaN) / first.value;
    if (!Number.isFinite(ratio) || ratio === 0) return [];
    const values = evaluator.values(
      other.program,
      rest.map(({ point }) => exchanged(point, matching)),
    );
    if (!rest.every((point, i) => isNear(values[i] ?? Number.NaN, ratio * point.value))) return [];
    const equivalence = { ratio: isNear(ratio, 1) ? 1 : ratio, matching };
    return holdsAtPointsOfOther(one, other, equivalence, evaluator) ? [equivalence] : [];
  });
  return found.find(({ ratio }) => ratio === 1) ?? found[0];
}

/**
 * Whether the ratio also holds in the box of the other law: x and sin(x) agree for small x only. Points at which the
 * first law has no value are skipped.
 */
function holdsAtPointsOfOther(
  one: PreparedOperator,
  other: PreparedOperator,
  { ratio, matching }: Equivalence,
  evaluator: Evaluator,
): boolean {
  const points = distinctPoints(other, evaluator);
  const values = evaluator.values(
    one.program,
    points.map(({ point }) =>
      rowOf(
        one,
        one.inputs.map((_, i) => point[matching.indexOf(i)] ?? Number.NaN),
      ),
    ),
  );
  return points.every(({ value }, i) => !Number.isFinite(values[i]) || isNear(value, ratio * (values[i] ?? 0)));
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE * Math.abs(b);

interface Point {
  /** Values of the inputs in coherent SI. */
  readonly point: readonly number[];
  readonly value: number;
}

/** Points at which the law has distinct values other than 0; none if there are too few. */
function distinctPoints(prepared: PreparedOperator, evaluator: Evaluator): Point[] {
  const points = samplePoints(prepared, SAMPLES);
  const values = evaluator.values(
    prepared.program,
    points.map((point) => rowOf(prepared, point)),
  );
  const distinct = points
    .map((point, i) => ({ point, value: values[i] ?? Number.NaN }))
    .filter(({ value }, i) => Number.isFinite(value) && value !== 0 && !values.slice(0, i).includes(value))
    .slice(0, POINTS);
  return distinct.length < POINTS ? [] : distinct;
}

// Numeric identity: two laws that give equal or proportional values whatever they are given are one law.
//
// Only laws of one signature (dimensions of output and inputs) are compared. Where a signature is common, those with
// neighbouring fingerprints are, so that the work grows with the registry and not with its square. A fingerprint does
// not change when inputs of one dimension are exchanged: it is taken where all of them are equal.

import { printDimension } from '../../core/units/dimension.ts';
import type { Evaluator } from './evaluator.ts';
import { matchings } from './matchings.ts';
import { samplePoints } from './sampling.ts';
import { rowOf, type Trial } from './trial.ts';

export interface Twin {
  readonly one: Trial;
  readonly other: Trial;
  /** Value of `other` over that of `one`; 1 is the same function. */
  readonly ratio: number;
}

/** Up to so many laws of one signature are all compared with each other. */
const FEW = 12;
/** Values that are compared, and points that are tried to find so many. */
const POINTS = 5;
const TRIES = 24;
/** Rewriting moves a value by some rounding errors. Laws that are merely close (at low speed) differ by more. */
const ROUNDING = 1e-10;
/** Fingerprints are sums, in which rounding counts for more. */
const NEIGHBOURS = 1e-6;

export function findTwins(trials: readonly Trial[], evaluator: Evaluator): Twin[] {
  const twins: Twin[] = [];
  for (const members of Map.groupBy(trials, signatureOf).values()) {
    for (const [one, other] of candidates(members, evaluator)) {
      const likeness = compare(one, other, evaluator);
      if (likeness !== undefined) twins.push({ one, other, ratio: likeness.ratio });
    }
  }
  return twins;
}

function signatureOf({ inputs, output }: Trial): string {
  const dimensions = inputs.map(({ unit }) => printDimension(unit.dimension)).sort();
  return [printDimension(output.dimension), ...dimensions].join(' ');
}

function* candidates(members: readonly Trial[], evaluator: Evaluator): Generator<readonly [Trial, Trial]> {
  if (members.length <= FEW) {
    for (const [i, one] of members.entries()) {
      for (const other of members.slice(i + 1)) yield [one, other];
    }
    return;
  }
  const typical = typicalValues(members);
  const marked = members.map((trial) => ({ trial, mark: fingerprint(trial, typical, evaluator) }));
  // A law without a value where all its inputs are equal is compared with all of its kind.
  const [marks, blanks] = [marked.filter(({ mark }) => mark > 0), marked.filter(({ mark }) => !(mark > 0))];
  marks.sort((a, b) => a.mark - b.mark);
  for (const [i, one] of marks.entries()) {
    for (const other of marks.slice(i + 1)) {
      if (other.mark > one.mark * (1 + NEIGHBOURS)) break;
      yield [one.trial, other.trial];
    }
  }
  for (const [i, one] of blanks.entries()) {
    for (const other of blanks.slice(i + 1)) yield [one.trial, other.trial];
  }
}

/** A usual value for each dimension: the median over the first examples, whole where an input must be whole. */
function typicalValues(members: readonly Trial[]): ReadonlyMap<string, number> {
  const seen = members.flatMap((trial) =>
    trial.inputs.map(({ name, declared, unit }) => ({
      dimension: printDimension(unit.dimension),
      isWhole: declared.integer === true,
      value: Math.abs((trial.operator.examples[0]?.inputs[name] ?? declared.default ?? 1) * unit.factor),
    })),
  );
  return new Map(
    [...Map.groupBy(seen, ({ dimension }) => dimension)].map(([dimension, all]) => {
      const values = all.map(({ value }) => value).sort((a, b) => a - b);
      const median = values[values.length >> 1] || 1;
      return [dimension, all.some(({ isWhole }) => isWhole) ? Math.max(1, Math.round(median)) : median];
    }),
  );
}

/** How the value grows between two points, each input of a dimension having one value and then another by turns. */
function fingerprint(trial: Trial, typical: ReadonlyMap<string, number>, evaluator: Evaluator): number {
  const [near = [], far = []] = [1, 2].map((scale) => responses(trial, typical, scale, evaluator));
  const size = (values: readonly number[]) => values.reduce((total, value) => total + Math.abs(value), 0);
  return size(far) / size(near);
}

/** Values with one input after the other set apart from the rest. */
function responses(
  { inputs, constants, program }: Trial,
  typical: ReadonlyMap<string, number>,
  scale: number,
  evaluator: Evaluator,
): number[] {
  const level = inputs.map(({ unit }) => (typical.get(printDimension(unit.dimension)) ?? 1) * scale);
  const rows = inputs.map((_, i) => rowOf({ constants }, level.with(i, (level[i] ?? 0) * 3)));
  return evaluator.values(program, rows);
}

interface Likeness {
  readonly ratio: number;
  /** The place of the input of the first law that stands in for each input of the second. */
  readonly matching: readonly number[];
}

/** The one ratio that the values have, under some matching of inputs of one dimension; undefined if there is none. */
function compare(one: Trial, other: Trial, evaluator: Evaluator): Likeness | undefined {
  const points = tellingPoints(one, evaluator);
  const [first, ...rest] = points;
  if (first === undefined) return undefined;
  const typical = typicalValues([one, other]);
  const all = matchings(one, other, (trial) => responses(trial, typical, 1, evaluator));
  const exchanged = (point: readonly number[], matching: readonly number[]) =>
    rowOf(
      other,
      matching.map((i) => point[i] ?? Number.NaN),
    );
  const atFirst = evaluator.values(
    other.program,
    all.map((matching) => exchanged(first.point, matching)),
  );
  const found = all.flatMap((matching, m): Likeness[] => {
    const ratio = (atFirst[m] ?? Number.NaN) / first.value;
    if (!Number.isFinite(ratio) || ratio === 0) return [];
    const values = evaluator.values(
      other.program,
      rest.map(({ point }) => exchanged(point, matching)),
    );
    if (!rest.every((point, i) => isNear(values[i] ?? Number.NaN, ratio * point.value))) return [];
    const likeness = { ratio: isNear(ratio, 1) ? 1 : ratio, matching };
    return isLikeElsewhere(one, other, likeness, evaluator) ? [likeness] : [];
  });
  return found.find(({ ratio }) => ratio === 1) ?? found[0];
}

/**
 * Two laws may be one where the first is declared and another where the second is (x and sin(x) for small x). Points at
 * which the first has no value prove nothing.
 */
function isLikeElsewhere(one: Trial, other: Trial, { ratio, matching }: Likeness, evaluator: Evaluator): boolean {
  const points = tellingPoints(other, evaluator);
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

const isNear = (a: number, b: number) => Math.abs(a - b) <= ROUNDING * Math.abs(b);

interface Point {
  /** Values of the inputs in coherent SI. */
  readonly point: readonly number[];
  readonly value: number;
}

/** Points where the law has values other than 0, which are not all the same. */
function tellingPoints(trial: Trial, evaluator: Evaluator): Point[] {
  const points = samplePoints(trial, TRIES);
  const values = evaluator.values(
    trial.program,
    points.map((point) => rowOf(trial, point)),
  );
  const telling = points
    .map((point, i) => ({ point, value: values[i] ?? Number.NaN }))
    .filter(({ value }, i) => Number.isFinite(value) && value !== 0 && !values.slice(0, i).includes(value))
    .slice(0, POINTS);
  return telling.length < POINTS ? [] : telling;
}

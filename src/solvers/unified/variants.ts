// ± of constants, of given uncertainties and of empirical laws: the same problem once more on both sides of each number,
// two standard deviations away, or as far as a law may be off. What that moves at the end enters ±, half of it where it
// is a standard uncertainty; so a value at a stationary point has the width of the second order.

import { DomainError } from '../../core/errors.ts';
import { bound, type Contribution, standard } from '../../core/uncertainty.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import type { Law } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { parseNumbers } from './entries.ts';
import type { UnifiedInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** A problem on one side of a number. */
export interface Variant {
  readonly input: UnifiedInput;
  readonly problem: Problem;
}

/** What moves the answer, and the problems on both sides of it; a side out of range is left out. */
export interface VariedSource {
  readonly kind: 'constants' | 'inputs' | 'model';
  readonly name: string;
  readonly sides: readonly Variant[];
}

/** Standard deviations from the value to the edge of the interval. */
const EDGE = 2;
/** Sources of one request; each takes up to two runs. */
const MAX_SOURCES = 24;

/** @throws DomainError VALIDATION_FAILED; PRECISION_REFUSED where neither side of a number is allowed */
export function variedSources(input: UnifiedInput, laws: readonly Law[]): readonly VariedSource[] {
  const sources = [...constantSources(laws), ...inputSources(input), ...modelSources(laws)];
  if (sources.length > MAX_SOURCES) {
    const message = `uncertainties: ${sources.length} numbers with an uncertainty enter; at most ${MAX_SOURCES} are allowed.`;
    throw validationError('uncertainties', message, 'TOO_BIG');
  }
  return sources.map(({ kind, name, vary }) => {
    const sides = [1, -1].flatMap((side) => {
      const varied = { input, laws, ...vary(side) };
      const problem = allowed(() => problemOf(varied.input, varied.laws));
      return problem === undefined ? [] : [{ input: varied.input, problem }];
    });
    if (sides.length > 0) return { kind, name, sides };
    throw new DomainError('PRECISION_REFUSED', `The uncertainty of ${name} leaves the range of ${name} on both sides.`);
  });
}

interface Source {
  readonly kind: VariedSource['kind'];
  readonly name: string;
  vary(side: number): { readonly input?: UnifiedInput; readonly laws?: readonly Law[] };
}

function allowed<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** By independent source, so that a constant of two laws counts once, and those that follow from each other together. */
function constantSources(laws: readonly Law[]): readonly Source[] {
  const moved = new Map<string, Map<string, number>>();
  for (const { id, constants = {} } of laws) {
    for (const [symbol, { uncertainty = 0, correlation }] of Object.entries(constants)) {
      if (uncertainty === 0) continue;
      const name = `${id}.${symbol}`;
      for (const [source, share] of Object.entries(correlation ?? { [name]: 1 }))
        moved.set(source, (moved.get(source) ?? new Map()).set(name, share * uncertainty));
    }
  }
  const names = [...moved.keys()].sort();
  return names.map((name) => ({
    kind: 'constants',
    name,
    vary: (side) => ({ laws: laws.map((law) => withConstants(law, moved.get(name) ?? new Map(), side * EDGE)) }),
  }));
}

function withConstants(law: Law, deviations: ReadonlyMap<string, number>, count: number): Law {
  const constants = Object.entries(law.constants ?? {}).map(([symbol, constant]) => {
    const deviation = deviations.get(`${law.id}.${symbol}`) ?? 0;
    return [symbol, { ...constant, value: constant.value + count * deviation }] as const;
  });
  return constants.length === 0 ? law : { ...law, constants: Object.fromEntries(constants) };
}

/** @throws DomainError VALIDATION_FAILED for a name without a number, and for a negative uncertainty */
function inputSources(input: UnifiedInput): readonly Source[] {
  const given = parseNumbers('uncertainties', input.uncertainties);
  const vars = parseNumbers('vars', input.vars);
  const initial = parseNumbers('initial', input.initial);
  return [...given]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, sigma]): Source[] => {
      const path = `uncertainties.${name}`;
      if (!(sigma >= 0)) throw validationError(path, `${path} is ${sigma}; a number from 0 is expected.`);
      const [field, numbers] = vars.has(name) ? (['vars', vars] as const) : (['initial', initial] as const);
      const value = numbers.get(name);
      if (value === undefined) throw validationError(path, `${path} matches no number of vars or initial.`);
      if (sigma === 0) return [];
      const at = (count: number) => Object.fromEntries([...numbers, [name, value + count * sigma]]);
      return [{ kind: 'inputs', name, vary: (side) => ({ input: { ...input, [field]: at(side * EDGE) } }) }];
    });
}

function modelSources(laws: readonly Law[]): readonly Source[] {
  return laws.flatMap((law): Source[] => {
    if (law.accuracy === undefined) return [];
    const [symbol = '', expression = ''] = law.equation.split(/=(.*)/s);
    const { relative, absolute = 0 } = law.accuracy;
    const unit = parseUnit(law.output.unit);
    const size = conversion(unit, coherentUnit(unit))(absolute);
    const off = (side: number) =>
      relative === undefined ? `(${expression}) + (${side * size})` : `(${expression})*(${1 + side * relative})`;
    const moved = (side: number): Law => ({ ...law, equation: `${symbol}= ${off(side)}` });
    return [
      {
        kind: 'model',
        name: law.id,
        vary: (side) => ({ laws: laws.map((one) => (one === law ? moved(side) : one)) }),
      },
    ];
  });
}

/** One number of the answer, and that of both sides of each source, all in its unit. */
export interface Varied {
  readonly source: VariedSource;
  readonly values: readonly number[];
}

/** @throws DomainError PRECISION_REFUSED where a side has no value */
export function contributionsOf(value: number, varied: readonly Varied[]): readonly Contribution[] {
  const parts = varied.map(({ source, values }) => {
    const size = Math.max(...values.map((one) => Math.abs(one - value)));
    if (Number.isFinite(size)) return { ...source, size };
    throw new DomainError(
      'PRECISION_REFUSED',
      `The uncertainty of ${source.name} cannot be propagated: a side of it has no value.`,
    );
  });
  const of = (kind: VariedSource['kind']) =>
    parts.filter((one) => one.kind === kind && one.size > 0).sort((a, b) => b.size - a.size);
  const standards = (['constants', 'inputs'] as const).flatMap((kind) => {
    const own = of(kind);
    const largest = own[0]?.size ?? 0;
    if (largest === 0) return [];
    const squares = own.reduce((sum, { size }) => sum + (size / largest) * (size / largest), 0);
    const names = own.slice(0, 3).map(({ name }) => name);
    return [
      standard(kind, (largest * Math.sqrt(squares)) / EDGE, `runs two standard deviations of ${names.join(', ')} away`),
    ];
  });
  return [...standards, ...of('model').map(({ name, size }) => bound('model', size, `accuracy of ${name}`))];
}

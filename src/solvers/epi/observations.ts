// The observations of a fit: counts between edges in time, and which parameters they decide.

import { validationError } from '../parts/errors.ts';
import { type Cases, parseCases } from './cases.ts';
import { FITTED, type Fitted } from './fitted.ts';
import type { EpiInput } from './inputs.ts';
import type { Defaults } from './presets.ts';

export interface Observations {
  readonly isPrevalence: boolean;
  readonly fitted: readonly Fitted[];
  readonly reporting: number;
  /** Rising times that counts lie between, in days. */
  readonly edges: Float64Array;
  /** f64[counts, 3]: two positions of edges and a count. */
  readonly table: Float64Array;
  readonly days: Float64Array;
  readonly counts: Float64Array;
  readonly notes: readonly string[];
  readonly lastDay: number;
}

/** @throws DomainError VALIDATION_FAILED: counts that cannot be read, or are too few for the parameters */
export function observationsOf(input: EpiInput, preset: Defaults, hasExposed: boolean): Observations | undefined {
  const text = input.cases ?? preset.cases;
  if (text === undefined) return undefined;
  const { observed = preset.observed ?? 'incidence', reporting } = input;
  const asked = input.fit ?? preset.fit ?? ['beta', 'I0'];
  const fitted = FITTED.filter((name) => asked.includes(name));
  if (fitted.includes('sigma') && !hasExposed)
    throw validationError('fit', 'fit has sigma; the model sir has nobody exposed.', 'NOT_ALLOWED');
  if (fitted.includes('I0') && input.I0 === 0)
    throw validationError('I0', 'I0 is 0; a fit of I0 starts from a positive number.', 'NOT_ALLOWED');
  const cases = parseCases(text);
  const isPrevalence = observed === 'prevalence';
  const { step } = cases;
  const used = cases.rows.filter(
    ({ day, count }) => count !== undefined && (isPrevalence || day - step > -1e-9 * step),
  );
  if (used.length < fitted.length + 2) {
    const message = `cases has ${used.length} counts; ${fitted.length} fitted parameters need ${fitted.length + 2} or more.`;
    throw validationError('cases', message, 'TOO_FEW');
  }
  const spans = used.map(({ day }) => [isPrevalence ? day : Math.max(0, day - step), day] as const);
  const edges = [...new Set(spans.flat())].sort((a, b) => a - b);
  const place = new Map(edges.map((edge, i) => [edge, i]));
  const positions = used.flatMap(({ count = 0 }, i) => {
    const [from = 0, to = 0] = spans[i] ?? [];
    return [place.get(from) ?? 0, place.get(to) ?? 0, count];
  });
  return {
    isPrevalence,
    fitted,
    reporting,
    edges: Float64Array.from(edges),
    table: Float64Array.from(positions),
    days: Float64Array.from(used, ({ day }) => day),
    counts: Float64Array.from(used, ({ count = 0 }) => count),
    notes: notesOf(cases, used.length, isPrevalence),
    lastDay: cases.rows.at(-1)?.day ?? 0,
  };
}

function notesOf({ rows, step, missing }: Cases, used: number, isPrevalence: boolean): readonly string[] {
  const left = rows.length - missing - used;
  const gaps = rows.filter(({ day }, i) => i > 0 && day - (rows[i - 1]?.day ?? 0) > step * (1 + 1e-9)).length;
  return [
    ...(missing > 0 ? [`${missing} of ${rows.length} rows have no count and are left out.`] : []),
    ...(left > 0 ? [`${left} rows count cases from before day 0 and are left out.`] : []),
    ...(gaps > 0 && !isPrevalence
      ? [`${gaps} gaps in the days: each count is taken as that of the ${step} days before its row.`]
      : []),
  ];
}

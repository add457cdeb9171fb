// The result of a fit: parameters with intervals, their correlations, the curve and what is left of the data.
//
// The covariance is s² (JᵀJ)⁻¹ at the end, from the triangle R of the slopes: (JᵀJ)⁻¹ = R⁻¹ R⁻ᵀ. The intervals are those of
// the linear model at a level, by Student's distribution with m − n degrees of freedom; scatter is taken as normal and
// equal, or as large as the column of standard deviations says. Bates & Watts, Nonlinear Regression Analysis (1988).

import type { Field, Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { FitData } from './own.ts';
import { studentQuantile } from './student.ts';

export interface Fit {
  readonly isDetermined: boolean;
  readonly quantities: readonly Quantity[];
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
  readonly notes: readonly string[];
}

export interface FitEnd {
  readonly names: readonly string[];
  readonly point: Float64Array;
  readonly residuals: Float64Array;
  readonly triangle: Float64Array;
  /** Sum of squares and its ±. */
  readonly value: number;
  readonly uncertainty: number;
  readonly confidence: number;
}

/** A pivot below this part of its column: the data do not tell the parameters apart. */
const SINGULAR = 1e-13;

export function fitOf({ columns, response, sigma, predictors }: FitData, end: FitEnd): Fit {
  const { names, point, residuals, triangle, value, uncertainty, confidence } = end;
  const n = names.length;
  const m = columns.rows.length;
  const inverse = invertTriangle(triangle, n);
  const variance = value / (m - n);
  const t = studentQuantile(confidence, m - n);
  const position = (name: string) => columns.names.indexOf(name);
  const column = (name: string) => Float64Array.from(columns.rows, (row) => row[position(name)] ?? Number.NaN);
  const measured = column(response);
  const deviations = sigma === undefined ? undefined : column(sigma);
  const fitted = measured.map((y, i) => y + at(residuals, i) * (deviations === undefined ? 1 : at(deviations, i)));
  const isDetermined = inverse !== undefined;
  const covariance = (j: number, k: number) => {
    let sum = 0;
    for (let i = Math.max(j, k); i < n; i++) sum += at(inverse ?? [], j * n + i) * at(inverse ?? [], k * n + i);
    return variance * sum;
  };
  const errors = Float64Array.from(names, (_, j) => (isDetermined ? Math.sqrt(covariance(j, j)) : 0));
  const correlation = Float64Array.from({ length: n * n }, (_, i) => {
    const [j, k] = [Math.floor(i / n), i % n];
    return j === k ? 1 : covariance(j, k) / (at(errors, j) * at(errors, k));
  });
  const mean = measured.reduce((sum, y) => sum + y, 0) / m;
  const total = measured.reduce((sum, y) => sum + (y - mean) * (y - mean), 0);
  const rest = measured.reduce((sum, y, i) => sum + (y - at(fitted, i)) * (y - at(fitted, i)), 0);
  const deviation = Math.sqrt(variance);
  // In order of the abscissa, so that the curve is one.
  const [abscissa] = predictors;
  const order = columns.rows.map((_, i) => i);
  const along = abscissa === undefined ? measured.map((_, i) => i + 1) : column(abscissa);
  order.sort((a, b) => at(along, a) - at(along, b) || a - b);
  const sorted = (values: Float64Array) => Float64Array.from(order, (i) => at(values, i));
  const left = measured.map((y, i) => y - at(fitted, i));
  const words = { predictor: abscissa ?? 'row' };
  return {
    isDetermined,
    quantities: [
      ...names.map((name, j) =>
        quantity(`estimate_${name}`, at(point, j), '1', isDetermined ? t * at(errors, j) : Number.MAX_VALUE),
      ),
      ...names.map((name, j) =>
        quantity(
          `standard_error_${name}`,
          at(errors, j),
          '1',
          0.5 * at(errors, j) * (uncertainty / Math.max(value, Number.MIN_VALUE)) + 1e-9 * at(errors, j),
        ),
      ),
      quantity(
        'residual_deviation',
        deviation,
        '1',
        0.5 * deviation * (uncertainty / Math.max(value, Number.MIN_VALUE)) + 4e-16 * deviation,
      ),
      ...(total > 0 ? [quantity('r_squared', 1 - rest / total, '1', uncertainty / total + m * Number.EPSILON)] : []),
      quantity('student_t', t, '1', 1e-10 * t),
      exactly('degrees_of_freedom', m - n, '1'),
    ].filter(({ value: one, uncertainty: width = 0 }) => Number.isFinite(one) && Number.isFinite(width)),
    series: [
      series('predictor', '1', sorted(along)),
      series('measured', '1', sorted(measured)),
      series('fitted', '1', sorted(fitted)),
      series('residual', '1', sorted(left)),
      series(
        'zero',
        '1',
        order.map(() => 0),
      ),
    ],
    fields: isDetermined ? [field('correlation', '1', [n, n], correlation)] : [],
    plots: [
      {
        kind: 'line',
        title: `Data and fit: ${response} over ${abscissa ?? 'the rows'}`,
        x: 'predictor',
        y: ['measured', 'fitted'],
        words,
      },
      {
        kind: 'line',
        title: 'Residuals: data less fit',
        x: 'predictor',
        y: ['residual', 'zero'],
        words,
        marks: 'points',
      },
    ],
    notes: [
      ...(isDetermined ? [] : ['The data do not tell the parameters apart: their covariance is singular.']),
      `Intervals of the parameters: ${confidence * 100} % by Student's t = ${t.toPrecision(4)} with ${m - n} degrees of freedom, of the linear model at the minimum.`,
    ],
  };
}

/** R⁻¹, row-major and upper; undefined if a pivot is 0 by rounding. */
function invertTriangle(r: Float64Array, n: number): Float64Array | undefined {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    let norm = 0;
    for (let i = 0; i <= j; i++) norm += at(r, i * n + j) * at(r, i * n + j);
    if (!(Math.abs(at(r, j * n + j)) > SINGULAR * Math.sqrt(norm))) return undefined;
    inverse[j * n + j] = 1 / at(r, j * n + j);
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0;
      for (let k = i + 1; k <= j; k++) sum += at(r, i * n + k) * at(inverse, k * n + j);
      inverse[i * n + j] = -sum / at(r, i * n + i);
    }
  }
  return inverse;
}

// Test functions of any number of variables. Sums over all variables are rows of many elements, one a term.

import { type Element, elementOf, type Row, shapeOf, squared } from './model.ts';
import type { TestFunction } from './test-function.ts';

const constant = (value: number) => () => value;
const indices = (n: number) => Array.from({ length: n }, (_, j) => j);
const filled = (value: number) => (n: number) => indices(n).map(() => value);

const FIRST = shapeOf('10*(y - x^2)', 'x y');
const SECOND = shapeOf('1 - x', 'x');
const SCALED = shapeOf('c*x', 'x', 'c');
const NUMBER = shapeOf('c', '', 'c');
const SHIFTED = shapeOf('x - c', 'x', 'c');
const SQUARE = shapeOf('c*x^2', 'x', 'c');
const POWELL = [
  shapeOf('a + 10*b', 'a b'),
  shapeOf('sqrt(5)*(c - d)', 'c d'),
  shapeOf('(b - 2*c)^2', 'b c'),
  shapeOf('sqrt(10)*(a - d)^2', 'a d'),
] as const;

const constantElement = (value: number): Element => elementOf(NUMBER, [], [value]);

/** x1 + t (x2 + t (x3 + …)), and the same with the factors j that its derivative has. */
function horner(n: number, isDerivative: boolean): string {
  let text = '';
  for (let j = n; j > (isDerivative ? 1 : 0); j--) {
    const term = isDerivative && j > 2 ? `${j - 1}*x${j}` : `x${j}`;
    text = text === '' ? term : `(${term} + t*${text})`;
  }
  return text;
}

/** Coefficients of the shifted Chebyshev polynomial of degree i on 0 … 1, ascending. */
function chebyshev(degree: number): readonly number[] {
  let [before, now] = [[1], [-1, 2]];
  if (degree === 0) return before;
  for (let i = 1; i < degree; i++) {
    const next = Array.from({ length: i + 2 }, (_, k) => {
      const [a = 0, b = 0, c = 0] = [now[k - 1], now[k], before[k]];
      return 4 * a - 2 * b - c;
    });
    [before, now] = [now, next];
  }
  return now;
}

function polynomial(coefficients: readonly number[]): string {
  return coefficients
    .reduceRight((text, c) => (text === '' ? `${c}` : `(${c} + x*${text})`), '')
    .replaceAll('+ -', '- ');
}

const CHEBYQUAD_MINIMUM: Readonly<Record<number, number>> = {
  1: 0,
  2: 0,
  3: 0,
  4: 0,
  5: 0,
  6: 0,
  7: 0,
  8: 3.51687372568e-3,
  9: 0,
  10: 4.77271369637e-3,
};
const PENALTY_1: Readonly<Record<number, number>> = { 4: 2.2499775008999e-5, 10: 7.0876514670904e-5 };
const PENALTY_2: Readonly<Record<number, number>> = { 4: 9.376293007355e-6, 10: 2.936605374567e-4 };
const WATSON: Readonly<Record<number, number>> = { 6: 2.28767005355e-3, 9: 1.3997601381e-6, 12: 4.72238110589e-10 };

const sumOfAll = (n: number, factor: (j: number) => number): readonly Element[] =>
  indices(n).map((j) => elementOf(SCALED, [j], [factor(j)]));

export const MANY = {
  watson: {
    n: { min: 2, max: 12, default: 6 },
    start: filled(0),
    minimum: (n) => WATSON[n],
    rows(n) {
      const all = indices(n);
      const names = all.map((j) => `x${j + 1}`).join(' ');
      const shape = shapeOf(`${horner(n, true)} - ${horner(n, false)}^2 - 1`, names, 't');
      return [
        ...Array.from({ length: 29 }, (_, i) => squared(elementOf(shape, all, [(i + 1) / 29]))),
        squared(elementOf(SHIFTED, [0], [0])),
        squared(elementOf(shapeOf('y - x^2 - 1', 'x y'), [0, 1])),
      ];
    },
  },
  'ext-rosenbrock': {
    n: { min: 2, max: 1000, default: 10, multiple: 2 },
    start: (n) => indices(n).map((j) => (j % 2 === 0 ? -1.2 : 1)),
    minimum: constant(0),
    rows: (n) =>
      indices(n / 2).flatMap((i) => [
        squared(elementOf(FIRST, [2 * i, 2 * i + 1])),
        squared(elementOf(SECOND, [2 * i])),
      ]),
  },
  'chained-rosenbrock': {
    n: { min: 2, max: 1000, default: 10 },
    start: (n) => indices(n).map((j) => (j % 2 === 0 ? -1.2 : 1)),
    minimum: constant(0),
    rows: (n) =>
      indices(n - 1).flatMap((i) => [squared(elementOf(FIRST, [i, i + 1])), squared(elementOf(SECOND, [i]))]),
  },
  'ext-powell': {
    n: { min: 4, max: 1000, default: 8, multiple: 4 },
    start: (n) => indices(n).map((j) => [3, -1, 0, 1][j % 4] ?? 0),
    minimum: constant(0),
    rows: (n) =>
      indices(n / 4).flatMap((i) => {
        const [a, b, c, d] = [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3];
        return [
          squared(elementOf(POWELL[0], [a, b])),
          squared(elementOf(POWELL[1], [c, d])),
          squared(elementOf(POWELL[2], [b, c])),
          squared(elementOf(POWELL[3], [a, d])),
        ];
      }),
  },
  'penalty-1': {
    n: { min: 1, max: 200, default: 4 },
    start: (n) => indices(n).map((j) => j + 1),
    minimum: (n) => PENALTY_1[n],
    rows(n) {
      const near = shapeOf('sqrt(0.00001)*(x - 1)', 'x');
      const all = indices(n);
      return [
        ...all.map((j) => squared(elementOf(near, [j]))),
        squared(...all.map((j) => elementOf(SQUARE, [j], [1])), constantElement(-0.25)),
      ];
    },
  },
  'penalty-2': {
    n: { min: 2, max: 200, default: 4 },
    start: filled(0.5),
    minimum: (n) => PENALTY_2[n],
    rows(n) {
      const pair = shapeOf('sqrt(0.00001)*(exp(b/10) + exp(a/10) - exp(i/10) - exp((i - 1)/10))', 'a b', 'i');
      const one = shapeOf('sqrt(0.00001)*(exp(x/10) - exp(-1/10))', 'x');
      const all = indices(n);
      return [
        squared(elementOf(shapeOf('x - 0.2', 'x'), [0])),
        ...all.slice(1).map((j) => squared(elementOf(pair, [j - 1, j], [j + 1]))),
        ...all.slice(1).map((j) => squared(elementOf(one, [j]))),
        squared(...all.map((j) => elementOf(SQUARE, [j], [n - j])), constantElement(-1)),
      ];
    },
  },
  'variable-dim': {
    n: { min: 1, max: 40, default: 10 },
    start: (n) => indices(n).map((j) => 1 - (j + 1) / n),
    minimum: constant(0),
    rows(n) {
      const all = indices(n);
      const text = all.map((j) => `${j + 1}*(x${j + 1} - 1)`).join(' + ');
      const names = all.map((j) => `x${j + 1}`).join(' ');
      return [
        ...all.map((j) => squared(elementOf(SECOND, [j]))),
        squared(elementOf(shapeOf(text, names), all)),
        squared(elementOf(shapeOf(`(${text})^2`, names), all)),
      ];
    },
  },
  trigonometric: {
    n: { min: 1, max: 100, default: 10 },
    start: (n) => indices(n).map(() => 1 / n),
    minimum: constant(0),
    rows(n) {
      const own = shapeOf('i*(1 - cos(x)) - sin(x)', 'x', 'i');
      const other = shapeOf('1 - cos(x)', 'x');
      return indices(n).map((i) =>
        squared(...indices(n).map((j) => elementOf(other, [j])), elementOf(own, [i], [i + 1])),
      );
    },
  },
  'brown-linear': {
    n: { min: 1, max: 50, default: 10 },
    start: filled(0.5),
    minimum: constant(0),
    rows(n) {
      const all = indices(n);
      const names = all.map((j) => `x${j + 1}`);
      const product = shapeOf(`${names.join('*')} - 1`, names.join(' '));
      return [
        ...all.slice(0, n - 1).map((i) => squared(...sumOfAll(n, (j) => (j === i ? 2 : 1)), constantElement(-(n + 1)))),
        squared(elementOf(product, all)),
      ];
    },
  },
  'discrete-boundary': {
    n: { min: 1, max: 1000, default: 10 },
    start: (n) => indices(n).map((j) => ((j + 1) / (n + 1)) * ((j + 1) / (n + 1) - 1)),
    minimum: constant(0),
    rows(n) {
      const own = shapeOf('2*x + (x + i/m + 1)^3/(2*m^2)', 'x', 'i m');
      return indices(n).map((i) =>
        squared(
          ...(i > 0 ? [elementOf(SCALED, [i - 1], [-1])] : []),
          elementOf(own, [i], [i + 1, n + 1]),
          ...(i < n - 1 ? [elementOf(SCALED, [i + 1], [-1])] : []),
        ),
      );
    },
  },
  'discrete-integral': {
    n: { min: 1, max: 100, default: 10 },
    start: (n) => indices(n).map((j) => ((j + 1) / (n + 1)) * ((j + 1) / (n + 1) - 1)),
    minimum: constant(0),
    rows(n) {
      const cube = shapeOf('c/(2*m^3)*(x + i/m + 1)^3', 'x', 'c i m');
      const m = n + 1;
      return indices(n).map((row) =>
        squared(
          elementOf(SCALED, [row], [1]),
          ...indices(n).map((j) => {
            const c = j <= row ? (m - row - 1) * (j + 1) : (row + 1) * (m - j - 1);
            return elementOf(cube, [j], [c, j + 1, m]);
          }),
        ),
      );
    },
  },
  'broyden-tri': {
    n: { min: 1, max: 1000, default: 10 },
    start: filled(-1),
    minimum: constant(0),
    rows(n) {
      const own = shapeOf('(3 - 2*x)*x + 1', 'x');
      return indices(n).map((i) =>
        squared(
          ...(i > 0 ? [elementOf(SCALED, [i - 1], [-1])] : []),
          elementOf(own, [i]),
          ...(i < n - 1 ? [elementOf(SCALED, [i + 1], [-2])] : []),
        ),
      );
    },
  },
  'broyden-banded': {
    n: { min: 1, max: 1000, default: 10 },
    start: filled(-1),
    minimum: constant(0),
    rows(n) {
      const own = shapeOf('x*(2 + 5*x^2) + 1', 'x');
      const other = shapeOf('-x*(1 + x)', 'x');
      return indices(n).map((i) =>
        squared(
          ...indices(n)
            .filter((j) => j !== i && j >= i - 5 && j <= i + 1)
            .map((j) => elementOf(other, [j])),
          elementOf(own, [i]),
        ),
      );
    },
  },
  'linear-full': {
    n: { min: 1, max: 100, default: 10 },
    start: filled(1),
    minimum: (n) => n,
    rows: (n) => {
      const mean = shapeOf('-x/n', 'x', 'n');
      return indices(2 * n).map((i) =>
        squared(
          ...indices(n).map((j) => elementOf(mean, [j], [n])),
          ...(i < n ? [elementOf(SCALED, [i], [1])] : []),
          constantElement(-1),
        ),
      );
    },
  },
  'linear-rank-1': {
    n: { min: 1, max: 100, default: 10 },
    start: filled(1),
    minimum: (n) => (2 * n * (2 * n - 1)) / (2 * (4 * n + 1)),
    rows: (n) => indices(2 * n).map((i) => squared(...sumOfAll(n, (j) => (i + 1) * (j + 1)), constantElement(-1))),
  },
  'linear-zero': {
    n: { min: 3, max: 100, default: 10 },
    start: filled(1),
    minimum: (n) => (4 * n * n + 6 * n - 6) / (2 * (4 * n - 3)),
    rows: (n) =>
      indices(2 * n).map((i): Row => {
        const isZero = i === 0 || i === 2 * n - 1;
        const inner = indices(n - 2).map((j) => elementOf(SCALED, [j + 1], [i * (j + 2)]));
        return squared(...(isZero ? [] : inner), constantElement(-1));
      }),
  },
  chebyquad: {
    n: { min: 1, max: 10, default: 8 },
    start: (n) => indices(n).map((j) => (j + 1) / (n + 1)),
    minimum: (n) => CHEBYQUAD_MINIMUM[n],
    rows: (n) =>
      indices(n).map((row) => {
        const degree = row + 1;
        const shape = shapeOf(`${polynomial(chebyshev(degree))}/n`, 'x', 'n');
        const integral = shapeOf('1/d', '', 'd');
        return squared(
          ...indices(n).map((j) => elementOf(shape, [j], [n])),
          ...(degree % 2 === 0 ? [elementOf(integral, [], [degree * degree - 1])] : []),
        );
      }),
  },
  rastrigin: {
    n: { min: 1, max: 1000, default: 2 },
    start: (n) => indices(n).map((j) => (j % 2 === 0 ? 2.2 : -1.8)),
    minimum: constant(0),
    rows: (n) => {
      const shape = shapeOf('x^2 + 20*sin(pi*x)^2', 'x');
      return [{ kind: 'plain', elements: indices(n).map((j) => elementOf(shape, [j])) }];
    },
  },
  ackley: {
    n: { min: 1, max: 30, default: 2 },
    start: (n) => indices(n).map((j) => (j % 2 === 0 ? 1.5 : -0.8)),
    minimum: constant(0),
    rows(n) {
      const names = indices(n).map((j) => `x${j + 1}`);
      const square = names.map((name) => `${name}^2`).join(' + ');
      const cosine = names.map((name) => `cos(2*pi*${name})`).join(' + ');
      const text = `20 - 20*exp(-0.2*sqrt((${square})/${n})) + exp(1) - exp((${cosine})/${n})`;
      return [{ kind: 'plain', elements: [elementOf(shapeOf(text, names.join(' ')), indices(n))] }];
    },
  },
} as const satisfies Readonly<Record<string, TestFunction>>;

// Test functions of a fixed number of variables, and the data of those that fit a curve.

import { elementOf, type Row, shapeOf, squared } from './model.ts';
import type { TestFunction } from './test-function.ts';

/** A sum of squares of expressions in x1, x2, …, one a row. */
function squares(start: readonly number[], minimum: number, ...texts: readonly string[]): TestFunction {
  const n = start.length;
  const locals = start.map((_, j) => `x${j + 1}`).join(' ');
  const all = start.map((_, j) => j);
  return {
    n: { min: n, max: n, default: n },
    start: () => start,
    rows: () => texts.map((text) => squared(elementOf(shapeOf(text, locals), all))),
    minimum: () => minimum,
  };
}

/** The same expression for every row of constants. */
function curve(
  start: readonly number[],
  minimum: number,
  text: string,
  constants: string,
  table: readonly (readonly number[])[],
): TestFunction {
  const n = start.length;
  const all = start.map((_, j) => j);
  return {
    n: { min: n, max: n, default: n },
    start: () => start,
    rows: () => {
      const shape = shapeOf(text, start.map((_, j) => `x${j + 1}`).join(' '), constants);
      return table.map((row): Row => squared(elementOf(shape, all, row)));
    },
    minimum: () => minimum,
  };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const numbered = (values: readonly number[]) => values.map((y, i) => [i + 1, y]);

const BARD = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39];
const GAUSSIAN = [0.0009, 0.0044, 0.0175, 0.054, 0.1295, 0.242, 0.3521, 0.3989];
const MEYER = [34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872];
const KOWALIK = [
  [4, 0.1957],
  [2, 0.1947],
  [1, 0.1735],
  [0.5, 0.16],
  [0.25, 0.0844],
  [0.167, 0.0627],
  [0.125, 0.0456],
  [0.1, 0.0342],
  [0.0833, 0.0323],
  [0.0714, 0.0235],
  [0.0625, 0.0246],
];
const OSBORNE_1 = [
  0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.85, 0.818, 0.784, 0.751, 0.718, 0.685, 0.658, 0.628, 0.603, 0.58,
  0.558, 0.538, 0.522, 0.506, 0.49, 0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.42, 0.414, 0.411, 0.406,
];
const OSBORNE_2 = [
  1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608, 0.655, 0.616, 0.606, 0.602,
  0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661, 0.612, 0.558, 0.533, 0.495, 0.5, 0.423, 0.395, 0.375,
  0.372, 0.391, 0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591,
  0.559, 0.597, 0.625, 0.739, 0.71, 0.729, 0.72, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054,
];

export const FEW = {
  rosenbrock: squares([-1.2, 1], 0, '10*(x2 - x1^2)', '1 - x1'),
  freudenstein: squares([0.5, -2], 0, 'x1 - 13 + ((5 - x2)*x2 - 2)*x2', 'x1 - 29 + ((x2 + 1)*x2 - 14)*x2'),
  'powell-bad': squares([0, 1], 0, '10000*x1*x2 - 1', 'exp(-x1) + exp(-x2) - 1.0001'),
  'brown-bad': squares([1, 1], 0, 'x1 - 1000000', 'x2 - 0.000002', 'x1*x2 - 2'),
  beale: squares([1, 1], 0, '1.5 - x1*(1 - x2)', '2.25 - x1*(1 - x2^2)', '2.625 - x1*(1 - x2^3)'),
  jennrich: curve(
    [0.3, 0.4],
    124.362182355615,
    '2 + 2*i - exp(i*x1) - exp(i*x2)',
    'i',
    range(10).map((i) => [i]),
  ),
  helical: squares([-1, 0, 0], 0, '10*(x3 - 10*(0.25 - atan2(x1, x2)/(2*pi)))', '10*(sqrt(x1^2 + x2^2) - 1)', 'x3'),
  bard: curve(
    [1, 1, 1],
    8.21487730657896e-3,
    'y - x1 - u/((16 - u)*x2 + w*x3)',
    'u w y',
    BARD.map((y, i) => [i + 1, Math.min(i + 1, 15 - i), y]),
  ),
  gaussian: curve(
    [0.4, 1, 0],
    1.12793276961912e-8,
    'x1*exp(-x2*((8 - i)/2 - x3)^2/2) - y',
    'i y',
    range(15).map((i) => [i, GAUSSIAN[i <= 8 ? i - 1 : 15 - i] ?? 0]),
  ),
  meyer: curve([0.02, 4000, 250], 87.9458551707, 'x1*exp(x2/(45 + 5*i + x3)) - y', 'i y', numbered(MEYER)),
  gulf: curve(
    [5, 2.5, 0.15],
    0,
    'exp(-abs(25 + exp(2/3*log(-50*log(i/100))) - x2)^x3/x1) - i/100',
    'i',
    range(99).map((i) => [i]),
  ),
  'box-3d': curve(
    [0, 10, 20],
    0,
    'exp(-i/10*x1) - exp(-i/10*x2) - x3*(exp(-i/10) - exp(-i))',
    'i',
    range(10).map((i) => [i]),
  ),
  'powell-singular': squares(
    [3, -1, 0, 1],
    0,
    'x1 + 10*x2',
    'sqrt(5)*(x3 - x4)',
    '(x2 - 2*x3)^2',
    'sqrt(10)*(x1 - x4)^2',
  ),
  wood: squares(
    [-3, -1, -3, -1],
    0,
    '10*(x2 - x1^2)',
    '1 - x1',
    'sqrt(90)*(x4 - x3^2)',
    '1 - x3',
    'sqrt(10)*(x2 + x4 - 2)',
    '(x2 - x4)/sqrt(10)',
  ),
  kowalik: curve([0.25, 0.39, 0.415, 0.39], 3.07505603849e-4, 'y - x1*(u^2 + u*x2)/(u^2 + u*x3 + x4)', 'u y', KOWALIK),
  'brown-dennis': curve(
    [25, 5, -5, -1],
    85822.2016264,
    '(x1 + i/5*x2 - exp(i/5))^2 + (x3 + x4*sin(i/5) - cos(i/5))^2',
    'i',
    range(20).map((i) => [i]),
  ),
  'osborne-1': curve(
    [0.5, 1.5, -1, 0.01, 0.02],
    5.46489469748e-5,
    'y - x1 - x2*exp(-10*(i - 1)*x4) - x3*exp(-10*(i - 1)*x5)',
    'i y',
    numbered(OSBORNE_1),
  ),
  'biggs-exp6': curve(
    [1, 2, 1, 1, 1, 1],
    0,
    'x3*exp(-i/10*x1) - x4*exp(-i/10*x2) + x6*exp(-i/10*x5) - exp(-i/10) + 5*exp(-i) - 3*exp(-4*i/10)',
    'i',
    range(13).map((i) => [i]),
  ),
  'osborne-2': curve(
    [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5],
    4.01377362935e-2,
    'y - x1*exp(-(i - 1)/10*x5) - x2*exp(-((i - 1)/10 - x9)^2*x6) - x3*exp(-((i - 1)/10 - x10)^2*x7) - x4*exp(-((i - 1)/10 - x11)^2*x8)',
    'i y',
    numbered(OSBORNE_2),
  ),
  himmelblau: squares([0, 0], 0, 'x1^2 + x2 - 11', 'x1 + x2^2 - 7'),
} as const satisfies Readonly<Record<string, TestFunction>>;

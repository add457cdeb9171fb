// Times parsing and evaluation of expressions. Reports only; asserts nothing.
//
//   npm ci --prefix bench/peers && node bench/expressions.ts
//
// Each value is the best of several interleaved rounds in one thread. The hand-written function is the same formula in
// JavaScript with the engine's Math: a lower bound, not a competitor, because its bits differ between engines. mathjs
// evaluates the compiled formula with an object of numbers, as in its manual. It has no equivalent of `sum`.

import { createRequire } from 'node:module';
import { compileExpression, EXPRESSION_KERNEL, evaluateRows } from '../src/expressions/evaluate.ts';
import { parseEquation, parseExpression } from '../src/expressions/parse.ts';
import { nodeCount } from '../src/expressions/tree.ts';
import { compileKernel, instantiate } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';

const ROWS = 200_000;
const ROUNDS = 9;
const PEER_ROWS = 20_000;
const PEER_ROUNDS = 5;

interface Peer {
  compile(text: string): { evaluate(scope: Record<string, number>): number };
}

/** mathjs, if it is installed in bench/peers. */
function loadMathjs(): Peer | undefined {
  try {
    return createRequire(new URL('./peers/package.json', import.meta.url))('mathjs') as Peer;
  } catch {
    console.error('mathjs is not installed (npm ci --prefix bench/peers): its column is omitted');
    return undefined;
  }
}

type ByHand = (x: number, y: number) => number;

const CASES: readonly (readonly [name: string, text: string, byHand: ByHand])[] = [
  [
    'arithmetic',
    '(x + 1.5)*(y - 2)/(x*x + y*y + 1) - 0.25*x*y + 3',
    (x, y) => ((x + 1.5) * (y - 2)) / (x * x + y * y + 1) - 0.25 * x * y + 3,
  ],
  [
    'one exp, one sin',
    'x*exp(-0.5*y^2)*sin(2*x + y) + 0.1*(x - y)',
    (x, y) => x * Math.exp(-0.5 * y ** 2) * Math.sin(2 * x + y) + 0.1 * (x - y),
  ],
  [
    'trigonometry',
    'sin(x)^2 + cos(x)^2*exp(-x/3) + sqrt(x^2 + 1)/(1 + x)',
    (x) => Math.sin(x) ** 2 + Math.cos(x) ** 2 * Math.exp(-x / 3) + Math.sqrt(x ** 2 + 1) / (1 + x),
  ],
  [
    'branches',
    'x < y and y < 2 ? x + 1 : (x > 1 or y > 1 ? x*y : y - 1)',
    (x, y) => (x < y && y < 2 ? x + 1 : x > 1 || y > 1 ? x * y : y - 1),
  ],
  [
    'sum of 50 terms',
    'sum(k, 1, 50, x/(k*k + y))',
    (x, y) => {
      let total = 0;
      for (let k = 1; k <= 50; k++) total += x / (k * k + y);
      return total;
    },
  ],
];

/** Nanoseconds per item of one call of `body`, which processes `count` items. */
function time(count: number, body: () => void): number {
  const before = performance.now();
  body();
  return ((performance.now() - before) * 1e6) / count;
}

async function main(): Promise<void> {
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  const slots = Float64Array.from({ length: 2 * ROWS }, (_, i) => 0.5 + ((i * 0.618_033_988_75) % 1) * 2);
  const values = new Float64Array(ROWS);

  const mathjs = loadMathjs();
  console.log('case                nodes     words  ns/value  million/s  by hand ns  mathjs ns  mathjs / machine');
  for (const [name, text, byHand] of CASES) {
    const program = compileExpression(text, ['x', 'y']);
    let machine = Number.POSITIVE_INFINITY;
    let script = Number.POSITIVE_INFINITY;
    let other = Number.POSITIVE_INFINITY;
    const compiled = text.includes('sum(') ? undefined : mathjs?.compile(text);
    for (let round = 0; round < ROUNDS; round++) {
      machine = Math.min(
        machine,
        time(ROWS, () => evaluateRows(instance, program, slots, ROWS)),
      );
      script = Math.min(
        script,
        time(ROWS, () => {
          for (let i = 0; i < ROWS; i++) values[i] = byHand(slots[2 * i] ?? 0, slots[2 * i + 1] ?? 0);
        }),
      );
    }
    for (let round = 0; compiled && round < PEER_ROUNDS; round++) {
      other = Math.min(
        other,
        time(PEER_ROWS, () => {
          for (let i = 0; i < PEER_ROWS; i++) {
            values[i] = compiled.evaluate({ x: slots[2 * i] ?? 0, y: slots[2 * i + 1] ?? 0 });
          }
        }),
      );
    }
    const columns = [
      nodeCount(parseExpression(text)),
      program.code.length,
      machine.toFixed(1),
      (1e3 / machine).toFixed(1),
      script.toFixed(1),
      compiled ? other.toFixed(0) : '-',
      compiled ? (other / machine).toFixed(0) : '-',
    ];
    console.log(`${name.padEnd(18)}${columns.map((column) => String(column).padStart(8)).join('  ')}`);
  }

  const equation = 'T = T0*sin(kx*x)*sin(ky*y)*exp(-alpha*(kx^2 + ky^2)*t) + 25';
  let parsing = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    parsing = Math.min(
      parsing,
      time(5_000, () => {
        for (let i = 0; i < 5_000; i++) parseEquation(equation);
      }),
    );
  }
  console.log(`parse of ${equation.length} characters: ${(parsing / 1e3).toFixed(1)} µs`);
}

await main();

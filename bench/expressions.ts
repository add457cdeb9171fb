// Times evaluation of expressions by the byte-code machine and compiled, beside C. Reports only; asserts nothing.
//
//   npm ci --prefix bench/peers && node bench/expressions.ts [rounds]
//
// Nanoseconds a value, one thread, the minimum over interleaved rounds. The kernel's rows are in its memory, as C's are
// in C's; a run of the service copies them in and out as well. The C peer is compiled by `cc -O2`. The function by hand
// is the same formula in JavaScript with the engine's Math, whose bits differ between engines. mathjs evaluates the
// compiled formula with an object of numbers, as in its manual. It has no equivalent of `sum`.

import { createRequire } from 'node:module';
import { emitModule } from '../src/expressions/compiled/emit-module.ts';
import { IMPORTED_FUNCTIONS } from '../src/expressions/compiled/encoding.ts';
import { shapeOfRows } from '../src/expressions/compiled/shape.ts';
import { compileExpression, EXPRESSION_KERNEL, rowsRun } from '../src/expressions/evaluate.ts';
import { parseEquation } from '../src/expressions/parse.ts';
import type { CompiledModule } from '../src/kernels/abi.ts';
import { compileModule } from '../src/kernels/compiled.ts';
import { compileKernel, drive, instantiate, type KernelInstance } from '../src/kernels/instance.ts';
import { loadKernel } from '../src/kernels/load-node.ts';
import { startCompiledPeer } from './harness/peer.ts';
import { fixed, printHead, printRow } from './harness/table.ts';
import { fastestOf, type Timing } from './harness/timing.ts';

const ROWS = 20_000;
const PASSES = 5;
const rounds = Number(process.argv[2] ?? 9);

interface Mathjs {
  compile(text: string): { evaluate(scope: Record<string, number>): number };
}

/** mathjs, if it is installed in bench/peers. */
function loadMathjs(): Mathjs | undefined {
  try {
    return createRequire(new URL('./peers/package.json', import.meta.url))('mathjs') as Mathjs;
  } catch {
    console.error('mathjs is not installed (npm ci --prefix bench/peers): its column is omitted');
    return undefined;
  }
}

interface Case {
  /** Name in bench/peers/expressions.c. */
  readonly peer: string;
  readonly text: string;
  readonly byHand: (x: number, y: number) => number;
}

const CASES: readonly Case[] = [
  {
    peer: 'arithmetic',
    text: '(x + 1.5)*(y - 2)/(x*x + y*y + 1) - 0.25*x*y + 3',
    byHand: (x, y) => ((x + 1.5) * (y - 2)) / (x * x + y * y + 1) - 0.25 * x * y + 3,
  },
  {
    peer: 'branches',
    text: 'x < y and y < 2 ? x + 1 : (x > 1 or y > 1 ? x*y : y - 1)',
    byHand: (x, y) => (x < y && y < 2 ? x + 1 : x > 1 || y > 1 ? x * y : y - 1),
  },
  {
    peer: 'exponential',
    text: 'x*exp(-0.5*y^2)*sin(2*x + y) + 0.1*(x - y)',
    byHand: (x, y) => x * Math.exp(-0.5 * y ** 2) * Math.sin(2 * x + y) + 0.1 * (x - y),
  },
  {
    peer: 'trigonometry',
    text: 'sin(x)^2 + cos(x)^2*exp(-x/3) + sqrt(x^2 + 1)/(1 + x) + tan(0.5*y)',
    byHand: (x, y) =>
      Math.sin(x) ** 2 + Math.cos(x) ** 2 * Math.exp(-x / 3) + Math.sqrt(x ** 2 + 1) / (1 + x) + Math.tan(0.5 * y),
  },
  { peer: 'powers', text: 'x^y + y^1.7', byHand: (x, y) => x ** y + y ** 1.7 },
  {
    peer: 'sum',
    text: 'sum(k, 1, 50, x/(k*k + y))',
    byHand: (x, y) => {
      let total = 0;
      for (let k = 1; k <= 50; k++) total += x / (k * k + y);
      return total;
    },
  },
];

/** Nanoseconds an item of a body that processes `count` items, the fastest of some passes. */
function fastest(passes: number, count: number, body: () => void): Timing<undefined> {
  let time = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passes; pass++) {
    const before = performance.now();
    body();
    time = Math.min(time, ((performance.now() - before) * 1e6) / count);
  }
  return { time, result: undefined };
}

/** Loads the rows into an instance and returns one pass over them. */
function passOf(instance: KernelInstance, run: Parameters<typeof drive>[1], module?: CompiledModule): () => void {
  const chunks = drive(instance, run, () => 0, module);
  let next = chunks.next();
  while (!next.done) next = chunks.next();
  return () => {
    instance.exports.start();
    instance.exports.advance(ROWS);
  };
}

const kernel = await compileKernel(await loadKernel(EXPRESSION_KERNEL));
const slots = Float64Array.from({ length: 2 * ROWS }, (_, i) => 0.5 + ((i * 0.618_033_988_75) % 1) * 2);
const values = new Float64Array(ROWS);
const mathjs = loadMathjs();
const peer = startCompiledPeer('expressions.c', ['-lm']);

/** One pass over all rows. */
const eachRow = (evaluate: (x: number, y: number) => number) => () => {
  for (let i = 0; i < ROWS; i++) values[i] = evaluate(slots[2 * i] ?? 0, slots[2 * i + 1] ?? 0);
};

printHead(
  ...['case', 'words', 'machine ns', 'compiled ns', 'C -O2 ns', 'compiled / C', 'machine / C'],
  ...['by hand ns', 'mathjs ns'],
);
for (const { peer: name, text, byHand } of CASES) {
  const program = compileExpression(text, ['x', 'y']);
  const bytes = emitModule(shapeOfRows(program.code, program.pool, 2));
  if (bytes === undefined) throw new Error(`${text} is not compiled`);
  const run = rowsRun(program, slots, ROWS);
  const interpret = passOf(instantiate(kernel), run);
  const execute = passOf(instantiate(kernel), run, compileModule(bytes, IMPORTED_FUNCTIONS));
  const { machine, compiled, c, script } = await fastestOf(rounds, {
    machine: () => fastest(PASSES, ROWS, interpret),
    compiled: () => fastest(PASSES, ROWS, execute),
    c: () => peer.time(name, ROWS),
    script: () => fastest(PASSES, ROWS, eachRow(byHand)),
  });
  const other = text.includes('sum(') ? undefined : mathjs?.compile(text);
  const slow =
    other &&
    fastest(
      3,
      ROWS,
      eachRow((x, y) => other.evaluate({ x, y })),
    );
  printRow(
    name,
    String(program.code.length),
    fixed(machine.time, 1),
    fixed(compiled.time, 2),
    fixed(c.time, 2),
    fixed(compiled.time / c.time, 2),
    fixed(machine.time / c.time, 2),
    fixed(script.time, 1),
    fixed(slow?.time ?? Number.NaN, 0),
  );
}
peer.stop();

const program = compileExpression(CASES[0]?.text ?? '', ['x', 'y']);
const emitting = fastest(50, 1, () => emitModule(shapeOfRows(program.code, program.pool, 2)));
const equation = 'T = T0*sin(kx*x)*sin(ky*y)*exp(-alpha*(kx^2 + ky^2)*t) + 25';
const parsing = fastest(rounds, 5_000, () => {
  for (let i = 0; i < 5_000; i++) parseEquation(equation);
});
console.log('');
console.log(
  `Parse of ${equation.length} characters: ${fixed(parsing.time / 1e3, 1)} µs. ` +
    `Emission of the arithmetic case: ${fixed(emitting.time / 1e3, 0)} µs.`,
);

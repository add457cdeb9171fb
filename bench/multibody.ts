// The multibody kernel compared with scipy's DOP853 at an error of 10⁻⁶, each with the loosest of the tolerances 10⁻³,
// 10⁻⁴, … that reaches it; and the classical Runge–Kutta method of the kernel with the same in C at -O2 and in plain
// JavaScript.
//
//   node bench/multibody.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { MultibodyFace } from '../src/solvers/multibody/face.ts';
import { inputs } from '../src/solvers/multibody/inputs.ts';
import { planOf } from '../src/solvers/multibody/plan.ts';
import { problemOf } from '../src/solvers/multibody/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { rungeKuttaPlaces } from './peers/multibody.ts';

const ACCURACY = 1e-6;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('multibody');
const scipy = startPythonPeer('multibody.py');
const compiled = startCompiledPeer('multibody.c', ['-lm']);

/** Equal masses that turn as a whole: ω² = m / (4 R³) Σ 1 / sin(π k / n). */
function ringOf(n: number) {
  let sum = 0;
  for (let k = 1; k < n; k++) sum += 1 / Math.sin((Math.PI * k) / n);
  const speed = Math.sqrt(0.25 * sum);
  return Array.from({ length: n }, (_, k) => {
    const [x, y] = [Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)];
    return { mass: 1, position: [x, y], velocity: [-speed * y, speed * x] };
  });
}

const CASES = [
  { preset: 'figure-eight', samples: 2 },
  { preset: 'pythagorean', tMax: 10, samples: 2 },
  { preset: 'kepler', samples: 2 },
  { preset: 'ring', samples: 2 },
  { bodies: ringOf(16), tMax: 2, samples: 2 },
] as const;
const EQUAL = [
  { preset: 'figure-eight', samples: 2, method: 'rk4', dt: 6.32591398 / 4_000 },
  { preset: 'ring', samples: 2, method: 'rk4', dt: 0.002 },
  { bodies: ringOf(16), tMax: 2, samples: 2, method: 'rk4', dt: 0.0005 },
] as const;

const nameOf = (input: { readonly preset?: string; readonly bodies?: readonly unknown[] }): string =>
  input.preset ?? `ring of ${input.bodies?.length}`;

const rowsOf = (input: object): readonly number[] =>
  problemOf(inputs.parse(input)).bodies.flatMap(({ mass, position, velocity }) => [mass, ...position, ...velocity]);

function runOf(input: object): KernelRun<MultibodyFace> {
  const [run] = planOf(inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  return run;
}

const placesOf = (history: Float64Array = new Float64Array(), n = 0): readonly number[] => {
  const width = 1 + 4 * n;
  return [...history.slice(history.length - width + 1, history.length - width + 1 + 2 * n)];
};

type Contender = (rtol: number) => Timing<readonly number[]> | Promise<Timing<readonly number[]>>;

printHead('case', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'error of the kernel', 'error of the peer');
for (const input of CASES) {
  const { tEnd, bodies } = problemOf(inputs.parse(input));
  const base = runOf(input);
  const at = (rtol: number) =>
    placesOf(runKernel({ ...base, parameters: { ...base.parameters, rtol } }).views.history, bodies.length);
  const truth = at(5e-16);
  const errorOf = (found: readonly number[]) =>
    found.reduce((most, one, i) => Math.max(most, Math.abs(one - (truth[i] ?? Number.NaN))), 0);
  const contenders: Readonly<Record<string, Contender>> = {
    kernel: (rtol) => timeBatch(() => at(rtol), 0.05),
    'scipy DOP853': (rtol) => scipy.time(tEnd, rtol, bodies.length, ...rowsOf(input)),
  };
  const chosen: Record<string, () => Timing<readonly number[]> | Promise<Timing<readonly number[]>>> = {};
  for (const [name, contender] of Object.entries(contenders)) {
    let rtol = 1e-3;
    while (rtol > 1e-13 && !(errorOf((await contender(rtol)).result) <= ACCURACY)) rtol /= 10;
    chosen[name] = () => contender(rtol);
  }
  const best = await fastestOf(rounds, chosen);
  const { kernel } = best;
  const peer = best['scipy DOP853'];
  if (kernel === undefined || peer === undefined) throw new Error('Both were timed.');
  const numbers = [kernel.time * 1e3, peer.time * 1e3].map((one) => fixed(one, 3));
  const errors = [kernel.result, peer.result].map((one) => scientific(errorOf(one), 1));
  printRow(`${nameOf(input)}, t = ${tEnd}`, 'scipy DOP853', ...numbers, fixed(peer.time / kernel.time, 0), ...errors);
}

console.log('');
printHead('equal steps', 'peer', 'kernel ns a step', 'peer / kernel', 'largest difference');
for (const input of EQUAL) {
  const { tEnd, bodies, fixed: equal } = problemOf(inputs.parse(input));
  const steps = equal?.steps ?? 1;
  const run = runOf(input);
  const rows = rowsOf(input);
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(() => placesOf(runKernel(run).views.history, bodies.length), 0.05),
    'C -O2, same method': () => compiled.time(tEnd, steps, bodies.length, ...rows),
    'plain JavaScript, same method': () => timeBatch(() => rungeKuttaPlaces(rows, tEnd, steps), 0.05),
  });
  for (const [name, { time, result }] of Object.entries(best)) {
    if (name === 'kernel') continue;
    const difference = result.reduce((most, one, i) => Math.max(most, Math.abs(one - (best.kernel.result[i] ?? 0))), 0);
    const each = fixed((best.kernel.time * 1e9) / steps, 0);
    printRow(`${nameOf(input)}, ${steps}`, name, each, fixed(time / best.kernel.time, 2), scientific(difference, 1));
  }
}
scipy.stop();
compiled.stop();

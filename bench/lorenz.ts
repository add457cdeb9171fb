// The lorenz kernel: the exponents compared with the same method in C at -O2 and in plain JavaScript; two close solutions
// compared with scipy's DOP853, each at the loosest of the tolerances 10⁻³, 10⁻⁴, … at which the six states are within 10⁻⁶
// at t = 10.
//
//   node bench/lorenz.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import { inputs } from '../src/solvers/lorenz/inputs.ts';
import { planOf } from '../src/solvers/lorenz/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { plainExponents } from './peers/lorenz.ts';

const CONSTANTS = [10, 28, 8 / 3] as const;
const STEPS = 200_000;
const TRANSIENT = 20_000;
const DT = 0.005;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('lorenz');
const compiled = startCompiledPeer('lorenz.c', ['-lm']);
const scipy = startPythonPeer('lorenz.py');

const own = "x' = sigma*(y - x)\ny' = x*(rho - z) - y\nz' = x*y - beta*z";
const common = { dt: DT, steps: STEPS, transient: TRANSIENT } as const;
const [native] = planOf(inputs.parse(common)).runs;
const [given] = planOf(
  inputs.parse({ ...common, equations: own, constants: { sigma: 10, rho: 28, beta: 8 / 3 }, start: [1, 1, 1] }),
).runs;
if (!native || !given) throw new Error('The plan has no run.');
const largestOf = (run: typeof native) => {
  const { blocks = new Float64Array() } = runKernel(run).views;
  const last = blocks.subarray(blocks.length - 6);
  return (last[1] ?? Number.NaN) / (last[0] ?? Number.NaN);
};
const { kernel, ...others } = await fastestOf(rounds, {
  kernel: () => timeBatch(() => largestOf(native), 0.05),
  'C -O2, same method': async () => {
    const { time, result } = await compiled.time(...CONSTANTS, DT, STEPS, TRANSIENT);
    return { time, result: result[0] ?? Number.NaN };
  },
  'plain JavaScript, same method': () =>
    timeBatch(() => plainExponents(CONSTANTS, DT, STEPS, TRANSIENT)[0] ?? Number.NaN, 0.05),
  'the kernel, equations as expressions': () => timeBatch(() => largestOf(given), 0.05),
});
printHead('exponents', 'peer', 'kernel ns per step', 'peer ns per step', 'peer / kernel', 'kernel', 'peer');
for (const [name, { time, result }] of Object.entries(others)) {
  const numbers = [kernel.time, time].map((one) => fixed((one * 1e9) / (STEPS + TRANSIENT), 0));
  const exponents = [kernel.result, result].map((one) => fixed(one, 4));
  printRow(`Lorenz, ${STEPS} steps`, name, ...numbers, fixed(time / kernel.time, 2), ...exponents);
}

const END = 10;
const ACCURACY = 1e-6;
const DELTA = 1e-4;
const base = planOf(inputs.parse({ delta: DELTA, pair_time: END })).runs[2];
if (!base) throw new Error('The plan has no pair.');
type Contender = (rtol: number) => Timing<readonly number[]> | Promise<Timing<readonly number[]>>;
const distance = (rtol: number) => {
  const { pair = new Float64Array() } = runKernel({
    ...base,
    parameters: { ...base.parameters, samples: 2, rtol },
  }).views;
  return [...pair.subarray(3, 6)];
};
const truth = distance(1e-14);
const errorOf = (found: readonly number[]) =>
  found.reduce((max, one, i) => Math.max(max, Math.abs(one - (truth[i] ?? Number.NaN))), 0);
const contenders: Readonly<Record<string, Contender>> = {
  kernel: (rtol) => timeBatch(() => distance(rtol), 0.02),
  'scipy DOP853': async (rtol) => {
    const { time, result } = await scipy.time(...CONSTANTS, END, 'DOP853', rtol, 1, 1, 1, DELTA);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = result;
    return { time, result: [Math.hypot(d - a, e - b, f - c), c, f] };
  },
};
const chosen: Record<string, () => ReturnType<Contender>> = {};
for (const [name, contender] of Object.entries(contenders)) {
  let rtol = 1e-3;
  while (rtol > 1e-13 && errorOf((await contender(rtol)).result) > ACCURACY) rtol /= 10;
  chosen[name] = () => contender(rtol);
}
const best = await fastestOf(rounds, chosen);
console.log('');
printHead('two close solutions', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'error of the kernel', 'of the peer');
for (const [name, { time, result }] of Object.entries(best)) {
  if (name === 'kernel' || best.kernel === undefined) continue;
  const numbers = [best.kernel.time * 1e3, time * 1e3].map((one) => fixed(one, 3));
  const errors = [best.kernel.result, result].map((one) => scientific(errorOf(one), 1));
  printRow(`Lorenz to t = ${END}`, name, ...numbers, fixed(time / best.kernel.time, 1), ...errors);
}
scipy.stop();
compiled.stop();

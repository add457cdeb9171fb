// The guard's curve by the protect kernel, in closed form and by its cross-check, compared with scipy's DOP853 at 10⁻¹³,
// what a person would otherwise use for an equation of the second order.
//
//   node bench/protect.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy.

import { cosh } from '../src/core/elementary.ts';
import { inputs } from '../src/solvers/protect/inputs.ts';
import { planOf, RUNS } from '../src/solvers/protect/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const rounds = Number(process.argv[2] ?? 5);
const END = 6.25;
const TRUTH = cosh(END);
const runKernel = await startKernel('protect');
const scipy = startPythonPeer('protect.py');
const { runs } = planOf(inputs.parse({ phase: END, liveness: 0 }));

printHead('l = 0, θ = 6.25', 'kernel µs', 'scipy µs', 'peer / kernel', 'error of the kernel', 'of the peer');
for (const [name, index] of [
  ['closed form, 33 places', RUNS.closed],
  ['Runge–Kutta, 2,560 steps', RUNS.fine],
] as const) {
  const run = runs[index];
  if (run === undefined) throw new Error('The plan has no such run.');
  const { kernel, peer } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).views.history?.at(-2) ?? Number.NaN),
    peer: () => scipy.time(-1, END, 33),
  });
  const errors = [kernel.result, peer.result[0] ?? Number.NaN].map((one) =>
    scientific(Math.abs(one - TRUTH) / TRUTH, 1),
  );
  const times = [kernel.time, peer.time].map((one) => fixed(one * 1e6, 1));
  printRow(name, ...times, fixed(peer.time / kernel.time, 1), ...errors);
}
scipy.stop();

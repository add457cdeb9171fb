// The closedform kernel, with the ± of each number, compared with scipy: ellipj at the same points without ±, and DOP853 at
// 10⁻¹³; and its cross-check with the plain TypeScript of the reference.
//
//   node bench/closedform.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy.

import { coefficientsOf } from '../src/solvers/closedform/coefficients.ts';
import { inputs } from '../src/solvers/closedform/inputs.ts';
import { planOf } from '../src/solvers/closedform/plan.ts';
import { rungeKutta } from '../src/solvers/closedform/reference.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

/** φ″ + φ + φ³ = 0 from rest at 1. mpmath, 30 digits, at t = 5. */
const END = 5;
const TRUTH = 0.94712954208022;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('closedform');
const scipy = startPythonPeer('closedform.py');
const [closed, check] = planOf(inputs.parse({ lambda_eff: 1, t: END })).runs;
if (!closed || !check) throw new Error('The plan has no run.');

printHead(
  'Duffing, φ and φ′',
  'peer',
  'kernel ms, with ±',
  'peer ms',
  'peer / kernel',
  'error of the kernel',
  'of the peer',
);
for (const [points, method] of [
  [100_000, 'ellipj'],
  [2_000, 'ellipj'],
  [2_000, 'DOP853'],
] as const) {
  const run = { ...closed, parameters: { ...closed.parameters, samples: points }, steps: points };
  const { kernel, peer } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => runKernel(run).views.history?.at(-4) ?? Number.NaN),
    peer: () => scipy.time(1, 1, 1, END, points, method),
  });
  const errors = [kernel.result, peer.result[0] ?? Number.NaN].map((one) => scientific(Math.abs(one - TRUTH), 1));
  const times = [kernel.time, peer.time].map((one) => fixed(one * 1e3, 3));
  printRow(`${points} points`, `scipy ${method}`, ...times, fixed(peer.time / kernel.time, 2), ...errors);
}

const STEPS = 100_000;
const run = {
  ...check,
  parameters: { ...check.parameters, samples: 2, stepsPerSample: STEPS },
  steps: STEPS,
};
const coefficients = coefficientsOf(inputs.parse({ lambda_eff: 1 }));
const { kernel, plain } = await fastestOf(rounds, {
  kernel: () => timeBatch(() => runKernel(run).views.history?.at(-4) ?? Number.NaN),
  plain: () => timeBatch(() => rungeKutta(coefficients, [1, 0], END, STEPS)[0]),
});
console.log('');
printHead('cross-check', 'kernel ns per step', 'plain TypeScript ns per step', 'peer / kernel', 'difference');
printRow(
  `Runge–Kutta, ${STEPS} steps`,
  ...[kernel.time, plain.time].map((one) => fixed((one * 1e9) / STEPS, 1)),
  fixed(plain.time / kernel.time, 2),
  scientific(Math.abs(kernel.result - plain.result), 1),
);
scipy.stop();

// The opt kernel compared with scipy.optimize, with analytic slopes on both sides: CPU time and f at the end, from the
// standard starts. The kernel's time includes the certificate and the second run of another method.
//
//   node bench/opt.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy.

import type { Method } from '../src/solvers/opt/face.ts';
import { inputs } from '../src/solvers/opt/inputs.ts';
import { planOf } from '../src/solvers/opt/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES: readonly (readonly [
  name: 'chained-rosenbrock' | 'meyer' | 'watson' | 'powell-bad',
  n: number,
  method: Method,
  peer: string,
  minimum: number,
])[] = [
  ['chained-rosenbrock', 2, 'bfgs', 'BFGS', 0],
  ['chained-rosenbrock', 2, 'nelder-mead', 'Nelder-Mead', 0],
  ['chained-rosenbrock', 100, 'bfgs', 'BFGS', 0],
  ['chained-rosenbrock', 100, 'lbfgs', 'L-BFGS-B', 0],
  ['chained-rosenbrock', 1000, 'lbfgs', 'L-BFGS-B', 0],
  ['powell-bad', 2, 'bfgs', 'BFGS', 0],
  ['powell-bad', 2, 'lm', 'least_squares', 0],
  ['meyer', 3, 'bfgs', 'BFGS', 87.9458551707],
  ['meyer', 3, 'bfgs', 'L-BFGS-B', 87.9458551707],
  ['meyer', 3, 'lm', 'least_squares', 87.9458551707],
  ['watson', 12, 'bfgs', 'BFGS', 4.72238110589e-10],
  ['watson', 12, 'lm', 'least_squares', 4.72238110589e-10],
];

const runKernel = await startKernel('opt');
const scipy = startPythonPeer('opt.py');
const rounds = Number(process.argv[2] ?? 5);

printHead('case', 'method', 'kernel ms', 'scipy ms', 'scipy / kernel', 'f − f* of the kernel', 'f − f* of scipy');
for (const [name, n, method, peer, minimum] of CASES) {
  const free = name === 'chained-rosenbrock' || name === 'watson' ? { n } : {};
  const [run] = planOf(inputs.parse({ function: name, method, ...free })).runs;
  if (!run) throw new Error('The plan has no run.');
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(() => [runKernel(run).statistics.f ?? Number.NaN], 0.05),
    scipy: () => scipy.time(name, n, peer),
  });
  printRow(
    `${name} ${n}`,
    `${method}, ${peer}`,
    fixed(best.kernel.time * 1e3, 3),
    fixed(best.scipy.time * 1e3, 2),
    fixed(best.scipy.time / best.kernel.time, 1),
    ...[best.kernel, best.scipy].map(({ result }) => scientific((result[0] ?? Number.NaN) - minimum, 1)),
  );
}
scipy.stop();

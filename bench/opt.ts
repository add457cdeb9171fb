// The opt kernel compared with scipy.optimize, with analytic slopes on both sides: CPU time and f at the end, from the
// standard starts. The kernel's time includes the certificate, the map of two variables and the second run of another
// method. The search alone is what a run takes longer than one that starts where it ended, both without the map; a dash
// where that is less than a tenth, or the simplex starts anew.
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
  name: 'chained-rosenbrock' | 'meyer' | 'watson' | 'powell-bad' | 'powell-singular' | 'brown-dennis',
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
  ['powell-singular', 4, 'lm', 'least_squares', 0],
  ['brown-dennis', 4, 'lm', 'least_squares', 85822.2016264],
  ['meyer', 3, 'bfgs', 'BFGS', 87.9458551707],
  ['meyer', 3, 'bfgs', 'L-BFGS-B', 87.9458551707],
  ['meyer', 3, 'lm', 'least_squares', 87.9458551707],
  ['watson', 12, 'bfgs', 'BFGS', 4.72238110589e-10],
  ['watson', 12, 'lm', 'least_squares', 4.72238110589e-10],
];

const runKernel = await startKernel('opt');
const scipy = startPythonPeer('opt.py');
const rounds = Number(process.argv[2] ?? 5);

printHead(
  'case',
  'method',
  'kernel ms',
  'search ms',
  'scipy ms',
  'scipy / kernel',
  'scipy / search',
  'values of f',
  'of scipy',
  'f − f* of the kernel',
  'f − f* of scipy',
);
for (const [name, n, method, peer, minimum] of CASES) {
  const free = name === 'chained-rosenbrock' || name === 'watson' ? { n } : {};
  const [run] = planOf(inputs.parse({ function: name, method, ...free })).runs;
  if (!run) throw new Error('The plan has no run.');
  const bare: typeof run = {
    ...run,
    parameters: { ...run.parameters, contour: 0 },
    outputs: (run.outputs ?? []).filter((view) => view !== 'map'),
  };
  const { views, statistics } = runKernel(run);
  const ended: typeof run = { ...bare, inputs: { ...bare.inputs, x0: Float64Array.from(views.point ?? []) } };
  const f = (one: typeof run) => () => [runKernel(one).statistics.f ?? Number.NaN];
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(f(run), 0.05),
    bare: () => timeBatch(f(bare), 0.05),
    ended: () => timeBatch(f(ended), 0.05),
    scipy: () => scipy.time(name, n, peer),
  });
  const search = best.bare.time - best.ended.time;
  const isClear = method !== 'nelder-mead' && search > 0.1 * best.bare.time;
  printRow(
    `${name} ${n}`,
    `${method}, ${peer}`,
    fixed(best.kernel.time * 1e3, 3),
    isClear ? fixed(search * 1e3, 3) : '—',
    fixed(best.scipy.time * 1e3, 2),
    fixed(best.scipy.time / best.kernel.time, 1),
    isClear ? fixed(best.scipy.time / search, 1) : '—',
    fixed(statistics.evaluations ?? Number.NaN, 0),
    fixed(best.scipy.result[1] ?? Number.NaN, 0),
    ...[best.kernel, best.scipy].map(({ result }) => scientific((result[0] ?? Number.NaN) - minimum, 1)),
  );
}
scipy.stop();

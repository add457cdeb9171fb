// Five nodes to their lock by the lattice kernel, Runge–Kutta and its controlled DOP853, compared with scipy's DOP853, and
// its equal steps with the same in C at -O2.
//
//   node bench/lattice.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import { inputs } from '../src/solvers/lattice/inputs.ts';
import { planOf, RUNS } from '../src/solvers/lattice/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

/** r of the locked state of this chain, in closed form. */
const TRUTH = 0.717284844477174;
const OMEGA = [0.9, 1, 1.1, 1.2, 1.3];
const END = 400;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('lattice');
const scipy = startPythonPeer('lattice.py');
const compiled = startCompiledPeer('lattice.c', ['-lm']);
const nodes = OMEGA.map((omega) => ({ inputs: { omega } }));
const { runs } = planOf(inputs.parse({ nodes, K: 0.5, tMax: END }));
const COLUMNS = 9;

printHead(
  'N = 5, K = 0.5, 400 s',
  'steps',
  'kernel ms',
  'error',
  'scipy ms',
  'scipy / kernel',
  'error',
  'C -O2 ms',
  'C / kernel',
  'error',
);
for (const [name, index] of [
  ['Runge–Kutta, N steps', RUNS.coarse],
  ['Runge–Kutta, 2 N steps', RUNS.fine],
  ['DOP853, 1e-13', RUNS.controlled],
] as const) {
  const run = runs[index];
  if (run === undefined) throw new Error('The plan has no such run.');
  const coherence = () => {
    const history = runKernel(run).views.history ?? new Float64Array();
    const rows = history.length / COLUMNS;
    const integral = (row: number) => history[row * COLUMNS + COLUMNS - 1] ?? Number.NaN;
    return (integral(rows - 1) - integral((rows - 1) / 2)) / (END / 2);
  };
  const { kernel, peer, c } = await fastestOf(rounds, {
    kernel: () => timeBatch(coherence),
    peer: () => scipy.time(0.5, END, 1e-11, ...OMEGA),
    c: () => compiled.time(0.5, END, run.steps, ...OMEGA),
  });
  const columnsOf = ({ time, result: [result = Number.NaN] }: typeof peer) => [
    fixed(time * 1e3, 2),
    fixed(time / kernel.time, 2),
    scientific(Math.abs(result - TRUTH), 1),
  ];
  // In C only with equal steps.
  const inC = index === RUNS.controlled ? ['', '', ''] : columnsOf(c);
  const error = scientific(Math.abs(kernel.result - TRUTH), 1);
  printRow(name, String(run.steps), fixed(kernel.time * 1e3, 2), error, ...columnsOf(peer), ...inC);
}
scipy.stop();
compiled.stop();

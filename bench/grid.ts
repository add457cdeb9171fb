// DC flows and all outages of one branch each, compared with scipy's sparse LU, in turn.
//
//   node bench/grid.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Both build their equations in every run; the kernel also refines the
// solution, and finds four sensitivities for its ±. Drawn networks have 2,383 buses, a tree with chords between near buses.
// Needs python3 with numpy and scipy.

import { inputs } from '../src/solvers/grid/inputs.ts';
import { planOf } from '../src/solvers/grid/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

function drawn(buses: number, chords: number) {
  let state = 7;
  const next = (n: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
  const reactance = () => 0.01 + next(1_000) / 5_000;
  const tree = Array.from({ length: buses - 1 }, (_, k) => [Math.max(0, k - next(20)) + 1, k + 2, 0.01, reactance()]);
  const others = Array.from({ length: chords }, () => {
    const from = next(buses - 60) + 1;
    return [from, from + 1 + next(50), 0.01, reactance()];
  });
  return {
    buses: Array.from({ length: buses }, (_, k) => [k + 1, k === 0 ? 3 : 1, next(50)]),
    branches: [...tree, ...others],
  };
}

const CASES = [
  { name: 'ieee118', task: 'flow', input: { network: 'ieee118', contingencies: false } },
  { name: 'ieee118', task: 'outages', input: { network: 'ieee118' } },
  { name: 'drawn, 2383 buses', task: 'flow', input: { ...drawn(2_383, 514), contingencies: false } },
  { name: 'drawn, 2383 buses', task: 'outages', input: drawn(2_383, 514) },
] as const;

const runKernel = await startKernel('grid');
const peer = startPythonPeer('grid.py');
const rounds = Number(process.argv[2] ?? 5);
printHead('network', 'task', 'kernel ms', 'scipy ms', 'kernel / peer', 'entries of L', 'relative difference');
for (const { name, task, input } of CASES) {
  const [run] = planOf(inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  const { buses = new Float64Array(), branches = new Float64Array() } = run.inputs ?? {};
  const words = [task, buses.length / 10, branches.length / 11, ...buses, ...branches];
  const { kernel, scipy } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => answerOf()),
    scipy: () => peer.time(...words),
  });
  function answerOf() {
    if (!run) throw new Error('The plan has no run.');
    const { views, statistics } = runKernel(run);
    const { flows = new Float64Array(), outages = new Float64Array() } = views;
    const largest = flows.reduce((most, flow) => Math.max(most, Math.abs(flow)), 0);
    return { largest, fill: statistics.fill ?? 0, rows: outages.length };
  }
  printRow(
    name,
    task,
    fixed(kernel.time * 1e3, 3),
    fixed(scipy.time * 1e3, 3),
    fixed(kernel.time / scipy.time, 3),
    String(kernel.result.fill),
    task === 'flow' ? scientific(Math.abs(kernel.result.largest / (scipy.result[0] ?? Number.NaN) - 1), 1) : '–',
  );
}
peer.stop();

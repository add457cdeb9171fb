// DC flows and all outages of one branch each, compared with scipy's sparse LU and Octave's, in turn.
//
//   node bench/grid.ts [rounds] [folder of case files of MATPOWER]
//
// CPU time, the minimum over interleaved rounds. Both build their equations in every run; the kernel also refines the
// solution, and finds four sensitivities for its ±. Drawn networks have 2,383 buses, a tree with chords between near buses.
// Needs python3 with numpy and scipy; octave-cli.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputs } from '../src/solvers/grid/inputs.ts';
import { planOf } from '../src/solvers/grid/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startOctavePeer, startPythonPeer } from './harness/peer.ts';
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

const [given = '5', folder] = process.argv.slice(2);
const rounds = Number(given);
const files = (folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.m'))).map((name) => ({
  name: basename(name, '.m'),
  task: 'flow',
  input: { file: readFileSync(join(folder ?? '', name), 'utf8'), contingencies: false },
}));
const CASES = [
  { name: 'ieee118', task: 'flow', input: { network: 'ieee118', contingencies: false } },
  { name: 'ieee118', task: 'outages', input: { network: 'ieee118' } },
  { name: 'drawn, 2383 buses', task: 'flow', input: { ...drawn(2_383, 514), contingencies: false } },
  { name: 'drawn, 2383 buses', task: 'outages', input: drawn(2_383, 514) },
  ...files,
] as const;

const runKernel = await startKernel('grid');
const peers = { scipy: startPythonPeer('grid.py'), octave: startOctavePeer('grid.m') };
printHead(
  'network',
  'task',
  'kernel ms',
  'scipy ms',
  'Octave ms',
  'kernel / scipy',
  'kernel / Octave',
  'entries of L',
  'difference',
);
for (const { name, task, input } of CASES) {
  const [run] = planOf(inputs.parse(input)).runs;
  if (!run) throw new Error('The plan has no run.');
  const { buses = new Float64Array(), branches = new Float64Array() } = run.inputs ?? {};
  const numbers = [buses.length / 10, branches.length / 11, ...buses, ...branches];
  const isFlow = task === 'flow';
  const { kernel, scipy, octave } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => answerOf()),
    scipy: () => peers.scipy.time(task, ...numbers),
    octave: async () => (isFlow ? peers.octave.time(...numbers) : { time: Number.NaN, result: [] }),
  });
  function answerOf() {
    if (!run) throw new Error('The plan has no run.');
    const { views, statistics } = runKernel(run);
    const largest = (views.flows ?? new Float64Array()).reduce((most, flow) => Math.max(most, Math.abs(flow)), 0);
    return { largest, fill: statistics.fill ?? Number.NaN };
  }
  const differences = [scipy, octave].map(({ result: [largest = kernel.result.largest] }) =>
    Math.abs(kernel.result.largest / largest - 1),
  );
  printRow(
    name,
    task,
    ...[kernel, scipy, octave].map(({ time }) => fixed(time * 1e3, 3)),
    ...[scipy, octave].map((peer) => fixed(kernel.time / peer.time, 3)),
    String(kernel.result.fill),
    isFlow ? scientific(Math.max(...differences), 1) : '–',
  );
}
for (const peer of Object.values(peers)) peer.stop();

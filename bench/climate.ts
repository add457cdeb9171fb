// The kernel of climate compared with the same schemes in numpy: a dam that breaks, 5 m over 1 m on 100 m for 3 s, whose
// water is at rest but where its waves have come, which the kernel leaves out; and an even slope from 5 m to 1 m, which
// moves everywhere at once.
//
//   node bench/climate.ts [rounds]
//
// CPU time, the minimum over interleaved rounds, without the runs on other grids. Needs python3 with numpy; without it the
// peer is omitted with a sentence.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { ClimateFace } from '../src/solvers/climate/face.ts';
import { climate } from '../src/solvers/climate/solver.ts';
import { startKernel } from './harness/kernel.ts';
import { startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

const CASES = [
  ['rusanov', 400, 'dam'],
  ['rusanov', 3200, 'dam'],
  ['lax-friedrichs', 3200, 'dam'],
  ['rusanov', 3200, 'slope'],
  ['lax-friedrichs', 3200, 'slope'],
] as const;

const runKernel = await startKernel('climate');

function runOf(...[scheme, nx, shape]: (typeof CASES)[number]): KernelRun<ClimateFace> {
  const [run] = climate.plan(climate.inputs.parse({ scheme, nx })).runs;
  if (run === undefined) throw new Error('A plan has runs.');
  const sloping = Float64Array.from({ length: nx }, (_, i) => 5 - (4 * (i + 0.5)) / nx);
  const inputs = shape === 'dam' ? run.inputs : { ...run.inputs, initialDepth: sloping };
  const parameters = { ...run.parameters, samples: 1, frames: 1 };
  return { ...run, parameters, ...(inputs ? { inputs } : {}), outputs: ['gaugeDepths'] };
}

/** The depth at 60 % of the length, and the steps. */
function answerOf(run: KernelRun<ClimateFace>): readonly number[] {
  const { views, statistics } = runKernel(run);
  return [views.gaugeDepths?.[(statistics.samples ?? 0) - 1] ?? Number.NaN, statistics.steps ?? Number.NaN];
}

const rounds = Number(process.argv[2] ?? 7);
const peer = startPythonPeer('climate.py', ['numpy']);
printHead('case', 'steps', 'kernel ms', 'numpy ms', 'numpy / kernel', 'ns per cell and step', 'difference', 'target');
for (const one of CASES) {
  const [scheme, cells, shape] = one;
  const run = runOf(...one);
  const { kernel, other } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => answerOf(run)),
    other: () => peer.time(scheme, cells, 5, 1, 9.81, 100, 3, 0.9, shape),
  });
  const [depth = Number.NaN, steps = Number.NaN] = kernel.result;
  printRow(
    `${shape}, ${scheme}, ${cells} cells`,
    fixed(steps, 0),
    fixed(kernel.time * 1e3, 2),
    fixed(other.time * 1e3, 2),
    fixed(other.time / kernel.time, 1),
    fixed((kernel.time * 1e9) / (steps * cells), 2),
    scientific(Math.abs(depth - (other.result[1] ?? Number.NaN)), 1),
    '≥ 5',
  );
}
peer.stop();

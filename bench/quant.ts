// A European call by Monte Carlo compared with QuantLib's engine and with numpy: the same number of paths, in turn.
//
//   node bench/quant.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. QuantLib needs its headers (libquantlib0-dev) and a C++ compiler, numpy
// python3. The last column is the variance times the time of a path, over that of plain paths: what a reduction is worth.

import type { z } from 'zod';
import { rowsOf } from '../src/kernels/rows.ts';
import { Sums } from '../src/solvers/quant/estimates.ts';
import { inputs } from '../src/solvers/quant/inputs.ts';
import { centresOf, planOf } from '../src/solvers/quant/plan.ts';
import { problemOf } from '../src/solvers/quant/problem.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, timeBatch } from './harness/timing.ts';

type Input = z.input<typeof inputs>;

const PATHS = 1_000_000;
const CASES: Readonly<Record<string, Input>> = {
  'plain paths': { variance: 'none' },
  antithetic: { variance: 'antithetic' },
  'antithetic and control': {},
  importance: { variance: 'importance' },
  'Sobol, 32 replicates': { variance: 'none', sampler: 'sobol' },
  'Sobol, importance': { variance: 'importance', sampler: 'sobol' },
};

const runKernel = await startKernel('quant');
const rounds = Number(process.argv[2] ?? 5);
const quantlib = startCompiledPeer('quant.cpp', ['-lQuantLib']);
const numpy = startPythonPeer('quant.py', ['numpy']);

function price(given: Input): { readonly value: number; readonly error: number } {
  const input = inputs.parse({ ...given, paths: PATHS, greeks: 'none' });
  const [run] = planOf(input).runs;
  if (!run) throw new Error('The plan has no run.');
  const problem = problemOf(input);
  const { views, columns } = runKernel(run);
  const rows = rowsOf(views.records ?? new Float64Array(), columns.record);
  return new Sums(rows, input.sampler === 'sobol', problem.control !== 'none').estimate('price', centresOf(problem)[1]);
}

printHead(
  'sampling',
  'ns a path',
  'QuantLib',
  'numpy',
  'kernel / QuantLib',
  'kernel / numpy',
  'standard error',
  'cost',
);
let plain = Number.NaN;
for (const [name, input] of Object.entries(CASES)) {
  const { kernel, ql, np } = await fastestOf(rounds, {
    kernel: () => timeBatch(() => price(input)),
    ql: () => quantlib.time(PATHS, 42),
    np: () => numpy.time(PATHS, 42),
  });
  const { error } = kernel.result;
  const cost = error * error * kernel.time;
  if (Number.isNaN(plain)) plain = cost;
  const perPath = ({ time }: { readonly time: number }) => fixed((time * 1e9) / PATHS, 1);
  printRow(
    name,
    perPath(kernel),
    perPath(ql),
    perPath(np),
    fixed(kernel.time / ql.time, 4),
    fixed(kernel.time / np.time, 2),
    scientific(error, 2),
    scientific(cost / plain, 1),
  );
}
quantlib.stop();
numpy.stop();

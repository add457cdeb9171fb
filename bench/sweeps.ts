// Sweeps and samples: CPU time of 10,000 points of laws and of 10^5 samples, sealed, beside single calls; a sweep of a
// solver in the pool; and what is still computed after a sweep of a solver was cancelled.
//
//   node bench/sweeps.ts

import { loadKernel } from '../src/kernels/load-node.ts';
import { createPool, type Pool } from '../src/kernels/pool.ts';
import { definitionOf } from '../src/operators/definition.ts';
import { findOperator } from '../src/operators/load.ts';
import type { ComputeRequest } from '../src/protocol/compute-request.ts';
import { bindSolverSweep } from '../src/protocol/sweep/solver-request.ts';
import { findSolver } from '../src/solvers/index.ts';
import type { SolverBody } from '../src/solvers/request.ts';
import { runPlan } from '../src/solvers/run.ts';
import { compute, envelopeOf } from '../test/protocol/sealed-case.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

const ROUNDS = 24;
const POINTS = 10_000;

const cpuMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e3;
};

/** Minimum of several rounds, in ms; the first ones compile. */
async function best(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage();
    await work();
    least = Math.min(least, cpuMs(begin));
  }
  return least;
}

const sealed = async (request: ComputeRequest) => envelopeOf(await compute(request));
const axis = (from: number, to: number) => ({ from, to, count: POINTS });
const CHAIN = { domain: 'CM', inputs: { v0: 2, a: 1.5 } };

const LAWS: readonly [name: string, ComputeRequest, target: string][] = [
  ['one law', { domain: 'CM9', inputs: { m: 2 }, sweep: { v: axis(1, 9) } }, '≤ 30 ms'],
  [
    'one law, given uncertainties',
    { domain: 'CM9', inputs: { m: 2 }, uncertainties: { m: 0.01 }, sweep: { v: axis(1, 9) } },
    '≤ 100 ms',
  ],
  ['chain of two laws', { ...CHAIN, operators: ['CM3', 'CM4'], sweep: { t: axis(1, 9) } }, '≤ 100 ms'],
  [
    'chain of three laws, given uncertainties',
    {
      ...CHAIN,
      operators: ['CM3', 'CM4', 'CM5'],
      inputs: { ...CHAIN.inputs, theta: 30, g: 9.81 },
      uncertainties: { a: 0.01 },
      sweep: { t: axis(1, 9) },
    },
    '≤ 100 ms',
  ],
  [
    '9,999 samples of a law',
    { domain: 'CM9', inputs: { m: 2, v: 9 }, uncertainties: { m: 0.01, v: 0.1 }, samples: { count: 9_999 } },
    '',
  ],
];

printHead(`${POINTS.toLocaleString('en')} points`, 'CPU ms, sealed', 'CPU ms of a single call', 'target');
for (const [name, request, target] of LAWS) {
  const { sweep = {}, samples, ...single } = request;
  const swept = Object.fromEntries(Object.keys(sweep).map((key) => [key, 5]));
  const one = { ...single, inputs: { ...single.inputs, ...swept } };
  const [many, alone] = [await best(() => sealed(request)), await best(() => sealed(one))];
  printRow(name, fixed(many, 1), fixed(alone, 2), target);
}
const thrown = { domain: 'CM5', inputs: { v: 30, theta: 45, g: 9.81 }, uncertainties: { theta: 5 } };
printRow('one result with 100,000 samples', fixed(await best(() => sealed(thrown)), 1), '', '≤ 100 ms');

const BODY = { dim: 1, nx: 128, dt: 1e-5, t_end: 0.05 };

function planOf(body: SolverBody) {
  const solver = findSolver('heat');
  if (solver === undefined) throw new Error('There is no solver heat.');
  const definitions = solver.operatorChain.map((id) => definitionOf(findOperator(id)));
  const bound = bindSolverSweep(solver, body, { laws: [], definitions });
  if (bound.kind === 'gate') throw new Error('The gate refused the sweep.');
  return bound.computation.plan();
}

const image = await loadKernel('heat');
const sweepOf = (count: number) => planOf({ ...BODY, sweep: { alpha: { from: 0.5, to: 1, count } } });
const runAll = (pool: Pool, count: number) => runPlan(sweepOf(count), image, pool);

/** CPU ms of all threads from the cancellation to the idle pool. */
async function afterCancellation(pool: Pool): Promise<number> {
  const abort = new AbortController();
  const run = runPlan(sweepOf(400), image, pool, {
    signal: abort.signal,
    onProgress: (fraction) => {
      if (fraction > 0.1) abort.abort();
    },
  });
  let begin: NodeJS.CpuUsage | undefined;
  abort.signal.addEventListener('abort', () => {
    begin = process.cpuUsage();
  });
  await run.catch(() => undefined);
  while (pool.load().running > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  return cpuMs(begin);
}

const pool = createPool({ size: 2 });
const [two, hundred] = [await best(() => runAll(pool, 2)), await best(() => runAll(pool, 100), 6)];
const left: number[] = [];
for (let round = 0; round < 12; round++) left.push(await afterCancellation(pool));
await pool.close();
console.log();
printHead('sweep of heat in a pool of two workers', 'CPU ms', 'target');
printRow('2 points, each', fixed(two / 2, 1), '');
printRow('100 points, each', fixed(hundred / 100, 1), '');
printRow('after the cancellation of 400 points, largest of 12', fixed(Math.max(...left), 1), '≤ 100 ms');

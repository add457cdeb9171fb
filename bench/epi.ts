// The curve of the epi kernel compared with scipy's DOP853, with the same method in C at -O2 and in plain JavaScript; and
// the ensemble with the direct method in plain JavaScript. Each contender of a curve takes the loosest of the tolerances
// 10⁻³, 10⁻⁴, … at which the infectious are within 10⁻⁶ of the population at every sample.
//
//   node bench/epi.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, and a C compiler.

import type { KernelRun } from '../src/kernels/abi.ts';
import type { EpiFace } from '../src/solvers/epi/face.ts';
import { inputs } from '../src/solvers/epi/inputs.ts';
import { planOf } from '../src/solvers/epi/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { gillespieInfections, sirCurve } from './peers/epi.ts';

const ACCURACY = 1e-6;
const SIR = { model: 'sir', beta: 0.2, gamma: 0.1, N: 1_000, I0: 1, days: 1_000, samples: 1_001 } as const;
const SEIR = { model: 'seir', beta: 0.5, gamma: 0.1, sigma: 0.2, N: 1e6, I0: 1, days: 1_000, samples: 1_001 } as const;

const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('epi');
const scipy = startPythonPeer('epi.py');
const compiled = startCompiledPeer('epi.c', ['-lm']);

function runOf(input: object, index: number): KernelRun<EpiFace> {
  const run = planOf(inputs.parse(input)).runs[index];
  if (!run) throw new Error(`The plan has no run ${index}.`);
  return run;
}

type Contender = (rtol: number) => Timing<readonly number[]> | Promise<Timing<readonly number[]>>;

printHead('case', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'error of the kernel', 'error of the peer');
for (const input of [SIR, SEIR]) {
  const { beta, gamma, N, I0, days, samples } = input;
  const sigma = 'sigma' in input ? input.sigma : 0;
  const words = [beta, gamma, sigma, N, I0, days, samples] as const;
  const base = runOf(input, 0);
  const width = sigma > 0 ? 6 : 5;
  const curve = (rtol: number) => runKernel({ ...base, parameters: { ...base.parameters, rtol } }).views.samples;
  const infectiousOf = (rows: Float64Array = new Float64Array()) =>
    Array.from({ length: samples }, (_, row) => rows[row * width + width - 3] ?? Number.NaN);
  const timeKernel = (rtol: number) => {
    const { time, result } = timeBatch(() => curve(rtol), 0.05);
    return { time, result: infectiousOf(result) };
  };
  const truth = infectiousOf(curve(1e-13));
  const errorOf = (found: readonly number[]) =>
    found.reduce((max, one, i) => Math.max(max, Math.abs(one - (truth[i] ?? 0)) / N), 0);
  const contenders: Readonly<Record<string, Contender>> = {
    kernel: timeKernel,
    'scipy DOP853': (rtol) => scipy.time(...words, 'DOP853', rtol),
    'C -O2, same method': (rtol) => compiled.time(...words, rtol),
    ...(sigma > 0 ? {} : { 'plain JavaScript, same method': (rtol) => timePlain(SIR, rtol) }),
  };
  const chosen: Record<string, () => Timing<readonly number[]> | Promise<Timing<readonly number[]>>> = {};
  for (const [name, contender] of Object.entries(contenders)) {
    let rtol = 1e-3;
    while (rtol > 1e-13 && errorOf((await contender(rtol)).result) > ACCURACY) rtol /= 10;
    chosen[name] = () => contender(rtol);
  }
  const best = await fastestOf(rounds, chosen);
  const kernel = best.kernel;
  for (const [name, { time, result }] of Object.entries(best)) {
    if (name === 'kernel' || kernel === undefined) continue;
    const numbers = [kernel.time * 1e3, time * 1e3].map((one) => fixed(one, 3));
    const errors = [kernel.result, result].map((one) => scientific(errorOf(one), 1));
    printRow(`${input.model.toUpperCase()} 1000 days`, name, ...numbers, fixed(time / kernel.time, 1), ...errors);
  }
}

function timePlain(input: typeof SIR, rtol: number): Timing<readonly number[]> {
  const { time, result } = timeBatch(() => sirCurve(input, rtol), 0.05);
  return { time, result: result.map((row) => row[1] ?? Number.NaN) };
}

const village = { ...SIR, N: 2_000, I0: 10, days: 200, ensemble: 200 } as const;
const ensemble = runOf(village, 2);
let events = 0;
const { kernel, plain } = await fastestOf(rounds, {
  kernel: () =>
    timeBatch(() => {
      const output = runKernel(ensemble);
      events = output.statistics.events ?? 0;
      const outcomes = output.views.outcomes ?? new Float64Array();
      return outcomes.reduce((sum, one, i) => sum + (i % 5 === 0 ? one : 0), 0) / village.ensemble;
    }),
  plain: () => timeBatch(() => gillespieInfections(village, village.ensemble)),
});
console.log('');
printHead('ensemble', 'peer', 'kernel ns per event', 'peer / kernel', 'mean infected', 'of the peer');
printRow(
  `SIR, ${village.N} people, ${village.ensemble} runs`,
  'plain JavaScript, Math.random',
  fixed((kernel.time * 1e9) / events, 1),
  fixed(plain.time / kernel.time, 2),
  fixed(kernel.result, 1),
  fixed(plain.result, 1),
);
scipy.stop();
compiled.stop();

// Kepler's orbit, e = 0.5: the maps of the action kernel with the same in C at -O2 and in plain JavaScript; the map of order 8
// at the longest step whose place is within 10⁻⁶ after 100 orbits, with scipy's DOP853 and npm's odex (Bulirsch and Stoer) at
// the loosest tolerances that reach it.
//
//   node bench/action.ts [rounds]
//
// CPU time, the minimum over interleaved rounds. Needs python3 with numpy and scipy, a C compiler, and npm ci --prefix
// bench/peers for odex.

import { createRequire } from 'node:module';
import type { KernelRun } from '../src/kernels/abi.ts';
import type { ActionFace } from '../src/solvers/action/face.ts';
import { inputs } from '../src/solvers/action/inputs.ts';
import { planOf } from '../src/solvers/action/plan.ts';
import { startKernel } from './harness/kernel.ts';
import { startCompiledPeer, startPythonPeer } from './harness/peer.ts';
import { fixed, printHead, printRow, scientific } from './harness/table.ts';
import { fastestOf, type Timing, timeBatch } from './harness/timing.ts';
import { keplerMap } from './peers/action.ts';

const ECCENTRICITY = 0.5;
const ORBITS = 100;
const TURN = 2 * Math.PI;
const ACCURACY = 1e-6;
const rounds = Number(process.argv[2] ?? 5);
const runKernel = await startKernel('action');
const compiled = startCompiledPeer('action.c', ['-lm']);
const scipy = startPythonPeer('action.py');

/** The map alone: half of the steps of the run, which also goes all steps back. */
function mapOf(order: number, perOrbit: number): KernelRun<ActionFace> {
  const [run] = planOf(
    inputs.parse({
      eccentricity: ECCENTRICITY,
      order,
      dt: TURN / perOrbit,
      steps: ORBITS * perOrbit,
      compare: false,
      sample: 2,
    }),
  ).runs;
  if (!run) throw new Error('The plan has no run.');
  return { ...run, parameters: { ...run.parameters, sections: 0 }, steps: run.steps / 2, outputs: ['history'] };
}

/** After whole orbits the exact place is the start. */
const distanceOf = ([x = Number.NaN, y = Number.NaN]: readonly number[]) => {
  const off = x - (1 - ECCENTRICITY);
  return Math.sqrt(off * off + y * y);
};

function placeOf(run: KernelRun<ActionFace>): readonly number[] {
  const { views } = runKernel(run);
  return [...(views.history?.slice(7, 9) ?? [])];
}

printHead('map, 200 steps an orbit', 'peer', 'kernel ms', 'peer ms', 'peer / kernel', 'difference of the places');
for (const order of [2, 4, 6, 8]) {
  const run = mapOf(order, 200);
  const [steps, dt] = [ORBITS * 200, TURN / 200];
  const best = await fastestOf(rounds, {
    kernel: () => timeBatch(() => placeOf(run), 0.05),
    'C -O2': () => compiled.time(order, steps, dt, ECCENTRICITY),
    'plain JavaScript': () => timeBatch(() => keplerMap(order, steps, dt, ECCENTRICITY), 0.05),
  });
  for (const [peer, { time, result }] of Object.entries(best)) {
    if (peer === 'kernel') continue;
    const [x, y] = best.kernel.result;
    const difference = Math.abs((result[0] ?? 0) - (x ?? 0)) + Math.abs((result[1] ?? 0) - (y ?? 0));
    const times = [best.kernel.time * 1e3, time * 1e3].map((one) => fixed(one, 2));
    printRow(`order ${order}`, peer, ...times, fixed(time / best.kernel.time, 2), scientific(difference, 1));
  }
}

type Contender = (rtol: number) => Timing<readonly number[]> | Promise<Timing<readonly number[]>>;

type Slopes = (t: number, y: number[]) => number[];

interface OdexSolver {
  absoluteTolerance: number;
  relativeTolerance: number;
  maxSteps: number;
  solve(slopes: Slopes, t: number, y: number[], end: number): { readonly y: number[] };
}

function odexOrbit(): Contender | undefined {
  try {
    const { Solver } = createRequire(new URL('./peers/package.json', import.meta.url))('odex') as {
      readonly Solver: new (n: number) => OdexSolver;
    };
    const slopes: Slopes = (_, [x = 0, y = 0, vx = 0, vy = 0]) => {
      const r2 = x * x + y * y;
      const w = -1 / (r2 * Math.sqrt(r2));
      return [vx, vy, w * x, w * y];
    };
    const start = [1 - ECCENTRICITY, 0, 0, Math.sqrt((1 + ECCENTRICITY) / (1 - ECCENTRICITY))];
    return (rtol) =>
      timeBatch(() => {
        const solver = new Solver(4);
        solver.absoluteTolerance = rtol;
        solver.relativeTolerance = rtol;
        solver.maxSteps = 1e6;
        return solver.solve(slopes, 0, start, ORBITS * TURN).y;
      }, 0.05);
  } catch {
    console.error('odex is not installed (npm ci --prefix bench/peers): its row is omitted');
    return undefined;
  }
}

console.log('');
printHead('100 orbits, place within 1e-6', 'setting', 'ms', 'peer / kernel', 'error of the place');
let perOrbit = 20;
while (distanceOf(placeOf(mapOf(8, perOrbit))) > ACCURACY) perOrbit += 2;
const run = mapOf(8, perOrbit);
const odex = odexOrbit();
const contenders: Readonly<Record<string, Contender>> = {
  'scipy DOP853': (rtol) => scipy.time(ECCENTRICITY, ORBITS * TURN, rtol),
  ...(odex === undefined ? {} : { odex }),
};
const chosen: Record<string, () => Timing<readonly number[]> | Promise<Timing<readonly number[]>>> = {
  kernel: () => timeBatch(() => placeOf(run), 0.05),
};
const settings: Record<string, string> = { kernel: `order 8, ${perOrbit} steps an orbit` };
for (const [name, contender] of Object.entries(contenders)) {
  let rtol = 1e-6;
  while (rtol > 1e-13 && !(distanceOf((await contender(rtol)).result) <= ACCURACY)) rtol /= 10;
  chosen[name] = () => contender(rtol);
  settings[name] = `tolerance ${scientific(rtol, 0)}`;
}
const best = await fastestOf(rounds, chosen);
for (const [name, { time, result }] of Object.entries(best)) {
  const ratio = fixed(time / (best.kernel?.time ?? Number.NaN), 1);
  printRow(name, settings[name] ?? '', fixed(time * 1e3, 2), ratio, scientific(distanceOf(result), 1));
}
scipy.stop();
compiled.stop();

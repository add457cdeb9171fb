// The kernel runs of a problem and their estimated cost: the sampled run, and a second one where no closed form exists.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { GAUGE_FACE, type GaugeFace } from './face.ts';
import type { GaugeInput } from './inputs.ts';
import { LOOP_NS, linkNs, type Problem, problemOf } from './problem.ts';

const GROUPS: readonly GaugeInput['group'][] = ['z2', 'u1', 'su2'];
/** Time of Metropolis and of over-relaxation over that of the heat bath, and of a plaquette over a link. */
const METROPOLIS = 1.6;
const RELAXATION = 0.7;
const PLAQUETTE_NS = 20;
/** Time of a link of signs or complex numbers over that of quaternions. */
const SHARE = { z2: 0.4, u1: 0.9, su2: 1 } as const satisfies Record<GaugeInput['group'], number>;

export function planOf(input: GaugeInput): Plan<GaugeFace> {
  const problem = problemOf(input);
  const { side, interval } = problem;
  const first = runOf(input, problem, { side, interval, replica: 0 });
  // The other update, from the other start, with other random numbers.
  const second = runOf(
    {
      ...input,
      algorithm: input.algorithm === 'heatbath' ? 'metropolis' : 'heatbath',
      start: input.start === 'cold' ? 'hot' : 'cold',
    },
    problem,
    { side: 0, interval: 1, replica: 1 },
  );
  const runs = input.dim === 2 ? [first] : [first, second];
  const width = GAUGE_FACE.columns.history.length;
  const numbers =
    4.75 * problem.links +
    (4.5 * side * problem.links + (input.sweeps / interval) * side * side) +
    width * input.sweeps;
  return { runs, estimateNs: costOf(input, problem, runs.length), estimateBytes: INSTANCE_BYTES + 8 * numbers };
}

function runOf(
  input: GaugeInput,
  { time }: Problem,
  { side, interval, replica }: { readonly side: number; readonly interval: number; readonly replica: number },
): KernelRun<GaugeFace> {
  return {
    parameters: {
      group: GROUPS.indexOf(input.group),
      dim: input.dim,
      size: input.L,
      time,
      beta: input.beta,
      isMetropolis: Number(input.algorithm === 'metropolis'),
      overrelaxation: input.overrelaxation,
      isHot: Number(input.start === 'hot'),
      thermalisation: input.thermalisation,
      sweeps: input.sweeps,
      side,
      interval,
      seed: input.seed,
      replica,
    },
    steps: input.thermalisation + input.sweeps,
    outputs: side > 0 ? ['history', 'loops'] : ['history'],
    statistics: GAUGE_FACE.statistics,
  };
}

/** Measured by bench/gauge.ts. */
function costOf(input: GaugeInput, problem: Problem, runs: number): number {
  const { links, plaquettes, side, interval, sites } = problem;
  const kinds = runs === 2 ? 1 + METROPOLIS : input.algorithm === 'metropolis' ? METROPOLIS : 1;
  const update = SHARE[input.group] * links * linkNs(input.dim) * (kinds + runs * RELAXATION * input.overrelaxation);
  const loops = (plaquettes * side * side * 2 + sites * input.dim * side) * LOOP_NS;
  const steps = input.thermalisation + input.sweeps;
  return 200_000 + steps * update + input.sweeps * (runs * plaquettes * PLAQUETTE_NS + loops / interval);
}

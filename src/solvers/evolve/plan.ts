// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { EVOLVE_FACE, type EvolveFace } from './face.ts';
import { BINS, type EvolveInput, type Problem, problemOf } from './problem.ts';

/** Maximum atom-steps of a run that is repeated with half the step. */
const MAX_REFINED_ATOM_STEPS = 1_000_000;

export function planOf(input: EvolveInput): Plan<EvolveFace> {
  const problem = problemOf(input);
  const runs = [runOf(problem, input, input.steps)];
  const cost = costOf(problem, input.steps);
  if (!isRefined(problem, input)) return { runs, estimateNs: cost.ns, estimateBytes: cost.bytes };
  runs.push(runOf(problem, input, finerSteps(input)));
  return { runs, estimateNs: cost.ns * (1 + MAX_FINER_STEPS), estimateBytes: cost.bytes };
}

/**
 * Whether a second run with another step judges the motion at constant energy: where the energy is smooth, because the
 * force goes to zero at rc, and for atoms that the caller places, whose positions are the question.
 */
export function isRefined({ atoms, isFree, pair }: Problem, { thermostat, steps }: EvolveInput): boolean {
  const isAsked = thermostat === 'none' && (isFree || pair.cutoff === 'force-shifted');
  return isAsked && atoms * steps <= MAX_REFINED_ATOM_STEPS;
}

/** Steps of the second run: about half as many again, so that it is no halving of the first. */
export const finerSteps = ({ steps }: EvolveInput): number => Math.ceil(1.5 * steps) + 1;
/** Upper bound of that factor, for at least 10 steps. */
const MAX_FINER_STEPS = 1.6;

/** The kernel run: the same duration in so many steps. */
function runOf(problem: Problem, input: EvolveInput, steps: number): KernelRun<EvolveFace> {
  const { atoms, box, pair, skin, positions, velocities } = problem;
  const isFirst = steps === input.steps;
  return {
    parameters: {
      atoms,
      boxX: box.x,
      boxY: box.y,
      boxZ: box.z,
      t0: problem.t0,
      dt: isFirst ? input.dtSim : (input.dtSim * input.steps) / steps,
      eps: pair.eps,
      sig: pair.sig,
      rc: pair.rc,
      skin,
      isForceShifted: Number(pair.cutoff === 'force-shifted'),
      seed: input.seed,
      hasVelocities: Number(velocities !== undefined),
      chainLength: problem.chainLength,
      kBond: problem.bonds.k,
      r0Bond: problem.bonds.r0,
      steps,
      frames: problem.frames,
      recordEvery: problem.recordEvery,
      thermostatTime: input.thermostat === 'bussi' ? input.tau : 0,
      histogramFrom: isFirst ? problem.histogramFrom : problem.frames,
      histogramEvery: problem.histogramEvery,
      bins: BINS,
      histogramRange: problem.histogramRange,
      maxNeighbours: maxNeighboursOf(problem),
      correlationFrom: problem.correlationFrom,
      correlationLags: isFirst ? problem.correlationLags : 0,
    },
    inputs: velocities ? { positions, velocities } : { positions },
    steps,
    outputs: EVOLVE_FACE.views,
    statistics: EVOLVE_FACE.statistics,
  };
}

/** Half the volume of the sphere within the list cutoff: the list holds each pair once. */
const halfSphereVolume = ({ pair, skin }: Problem): number => {
  const listCutoff = pair.rc + skin;
  return ((2 * Math.PI) / 3) * listCutoff * listCutoff * listCutoff;
};

/** Capacity of the list in partners per atom: condensed drops are denser than the box average. */
function maxNeighboursOf(problem: Problem): number {
  const { pair, rho, atoms } = problem;
  const neighbours = halfSphereVolume(problem) * Math.max(1.3 * rho, 1.1 / (pair.sig * pair.sig * pair.sig));
  // Fewer atoms than that list every pair, unless the box is so small that images count too.
  return Math.max(Math.min(neighbours, atoms), 1.3 * halfSphereVolume(problem) * rho) + 8;
}

/** Cost measured on one 2.5 GHz core (bench/evolve.ts): atoms, listed pairs, ghosts and distances. */
function costOf(problem: Problem, steps: number): { ns: number; bytes: number } {
  const { atoms, box, pair, skin, rho } = problem;
  const listCutoff = pair.rc + skin;
  const edges = [box.x, box.y, box.z] as const;
  const ghosts = (edges[0] + 2 * listCutoff) * (edges[1] + 2 * listCutoff) * (edges[2] + listCutoff) * rho - atoms;
  const histogramFrames = Math.ceil((problem.frames - problem.histogramFrom) / problem.histogramEvery);
  const records = Math.floor(steps / problem.recordEvery) + 1;
  // Chains stay dense in any box; the last term is the witness.
  const localDensity = problem.chainLength > 0 ? Math.max(rho, 0.6 / (pair.sig * pair.sig * pair.sig)) : rho;
  const partners = halfSphereVolume(problem) * localDensity;
  const step = atoms * (30 + 2.7 * partners + (problem.chainLength > 0 ? 40 : 0)) + 6 * ghosts;
  const record = atoms * (6 + partners);
  const ns = 20e6 + steps * step + records * record + histogramFrames * 3 * atoms * atoms + 20 * atoms * atoms;

  const imagesOf = (edge: number) => 2 * Math.ceil(listCutoff / edge) + 1;
  const maxGhosts = atoms * (imagesOf(edges[0]) * imagesOf(edges[1]) * ((imagesOf(edges[2]) + 1) / 2) - 1);
  const bytes =
    INSTANCE_BYTES +
    atoms * (3 * 64 + 2 * 64 + 4 * 24 + 4 * maxNeighboursOf(problem) + 24 * problem.frames) +
    maxGhosts * (64 + 32 + 4 + 28) +
    8 * EVOLVE_FACE.columns.record.length * (records + problem.frames);
  return { ns, bytes };
}

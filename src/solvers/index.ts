// One line registers a solver.

import { acoustic } from './acoustic/solver.ts';
import { action } from './action/solver.ts';
import { buckling } from './buckling/solver.ts';
import { climate } from './climate/solver.ts';
import { closedform } from './closedform/solver.ts';
import type { SolverDefinition } from './definition.ts';
import { device } from './device/solver.ts';
import { dock } from './dock/solver.ts';
import { epi } from './epi/solver.ts';
import { evolve } from './evolve/solver.ts';
import { fea } from './fea/solver.ts';
import { flow } from './flow/solver.ts';
import { fracture } from './fracture/solver.ts';
import { gauge } from './gauge/solver.ts';
import { grid } from './grid/solver.ts';
import { heat } from './heat/solver.ts';
import { kalman } from './kalman/solver.ts';
import { lattice } from './lattice/solver.ts';
import { lorenz } from './lorenz/solver.ts';
import { lotka } from './lotka/solver.ts';
import { multibody } from './multibody/solver.ts';
import { opt } from './opt/solver.ts';
import { protect } from './protect/solver.ts';
import { quant } from './quant/solver.ts';
import { react } from './react/solver.ts';
import { reactor } from './reactor/solver.ts';
import { sat } from './sat/solver.ts';
import { schrodinger } from './schrodinger/solver.ts';
import { shift } from './shift/solver.ts';
import { solve } from './solve/solver.ts';
import { tumor } from './tumor/solver.ts';
import { unified } from './unified/solver.ts';
import { wave } from './wave/solver.ts';
import { zeta } from './zeta/solver.ts';

// biome-ignore format: one line each, so that another solver is one line.
export const SOLVERS: readonly SolverDefinition[] = [
  acoustic,
  action,
  buckling,
  climate,
  closedform,
  device,
  dock,
  epi,
  evolve,
  fea,
  flow,
  fracture,
  gauge,
  grid,
  heat,
  kalman,
  lattice,
  lorenz,
  lotka,
  multibody,
  opt,
  protect,
  quant,
  react,
  reactor,
  sat,
  schrodinger,
  shift,
  solve,
  tumor,
  unified,
  wave,
  zeta,
];

/** The solver that a visitor sees first. */
export const START_SOLVER: string = heat.id;

/** The example that the home page computes as it opens: quick, and its picture explains itself. */
export const HOME_EXPERIMENT = { solver: flow.id, example: 'A disc in a channel' } as const;

export function findSolver(id: string): SolverDefinition | undefined {
  return SOLVERS.find((solver) => solver.id === id);
}

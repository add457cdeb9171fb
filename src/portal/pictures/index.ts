// Pictures by solver; other solvers get the line plots suggested in their definition.

import { h } from 'preact';
import { Curves } from './curves.ts';
import { EvolvePicture, LiveParticles } from './evolve.ts';
import { HeatPicture, LiveHeat } from './heat.ts';
import type { LivePicture, Picture as PictureOf } from './picture.ts';
import { SchrodingerPicture } from './schrodinger.ts';

const PICTURES: Readonly<Record<string, PictureOf>> = {
  heat: HeatPicture,
  schrodinger: SchrodingerPicture,
  evolve: EvolvePicture,
};

const LIVE_PICTURES: Readonly<Record<string, LivePicture>> = { heat: LiveHeat, evolve: LiveParticles };

export const Picture: PictureOf = ({ solver, solution }) => {
  const SolverPicture = PICTURES[solver.id];
  return SolverPicture ? h(SolverPicture, { solver, solution }) : h(Curves, { solution, plots: solution.plots });
};

export const Live: LivePicture = ({ solver, frame }) => {
  const SolverPicture = LIVE_PICTURES[solver.id];
  return SolverPicture ? h(SolverPicture, { solver, frame }) : null;
};

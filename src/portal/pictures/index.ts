// The pictures of each solver; a solver without its own gets the curves that its record suggests.

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

const LIVE: Readonly<Record<string, LivePicture>> = { heat: LiveHeat, evolve: LiveParticles };

export const Picture: PictureOf = ({ solver, solution }) => {
  const own = PICTURES[solver.id];
  return own ? h(own, { solver, solution }) : h(Curves, { solution, plots: solution.plots });
};

export const Live: LivePicture = ({ solver, glimpse }) => {
  const own = LIVE[solver.id];
  return own ? h(own, { solver, glimpse }) : null;
};

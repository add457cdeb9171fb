// Uncertainty of an energy in eV by the fundamental constants, after the theorem of Hellmann and Feynman.
//
// ħ and e are exact. ħ²/2m_e = E_h a_0²/2 follows from the fine-structure constant and the Rydberg constant as
// α² / R∞, and e²/4πε₀ = E_h a_0 as α: two independent adjusted constants.

import { CODATA } from '../../core/codata.ts';
import type { Moment } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';

export interface Constants {
  /** Standard uncertainty of the energy. */
  readonly deviation: number;
  readonly names: readonly string[];
}

interface Level {
  readonly energy: number;
  readonly kinetic: number;
  readonly moment: (name: Moment) => number;
}

const ALPHA = 'fine-structure constant';
const RYDBERG = 'Rydberg constant';

export function constantsOf(problem: Problem, level: Level): Constants {
  if (problem.units.photon === undefined) return { deviation: 0, names: [] };
  const { toKinetic, toCoulomb } = slopesOf(problem, level);
  const parts = [
    { name: ALPHA, slope: 2 * toKinetic + toCoulomb },
    { name: RYDBERG, slope: -toKinetic },
  ].map(({ name, slope }) => ({ name, part: Math.abs(slope) * relativeUncertainty(name) }));
  const used = parts.filter(({ part }) => part > 0);
  return {
    deviation: Math.sqrt(used.reduce((sum, { part }) => sum + part * part, 0)),
    names: used.map(({ name }) => name),
  };
}

/** dE / d ln(ħ²/2m_e) and dE / d ln(e²/4πε₀), with the inputs as they are. */
function slopesOf(
  { kind, c1, program }: Problem,
  { energy, kinetic, moment }: Level,
): { readonly toKinetic: number; readonly toCoulomb: number } {
  switch (kind) {
    case KIND.polynomial:
      // The spring m ω²/2 falls as ħ²/2m rises.
      return { toKinetic: kinetic - c1 * moment('xx'), toCoulomb: 0 };
    case KIND.coulomb:
      return { toKinetic: -energy, toCoulomb: 2 * energy };
    case KIND.poschlTeller:
      // Its depth is a multiple of ħ²/2m.
      return { toKinetic: energy, toCoulomb: 0 };
    case KIND.expression:
      // An expression may contain the mass in any way.
      return { toKinetic: kinetic + (program?.usesMass === true ? Math.abs(moment('potential')) : 0), toCoulomb: 0 };
    default:
      return { toKinetic: kinetic, toCoulomb: 0 };
  }
}

function relativeUncertainty(name: string): number {
  const constant = CODATA.get(name);
  if (constant === undefined) throw new Error(`CODATA has no constant ${name}.`);
  return constant.uncertainty / constant.value;
}

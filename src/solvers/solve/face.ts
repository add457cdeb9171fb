// Names of assembly/solvers/solve.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const SOLVE_FACE = {
  parameters: [
    'samples',
    'steps',
    'ticks',
    'turns',
    'closed',
    'gravity',
    'radius',
    'alpha',
    'beta',
    'kappa',
    'mu',
    'damping',
    'drag',
    'drive',
    'omega',
    'phase',
    'couplings',
    'codeWords',
    'poolValues',
    'phi0',
    'dphi0',
    'hasGround',
    'ground',
    'tEnd',
    'dt',
    'tolerance',
    'iterations',
    'maxSteps',
    'firstStep',
    'maxStep',
    'judges',
  ],
  views: ['shifted', 'weights', 'programs', 'code', 'pool', 'history', 'turnsFirst', 'turnsSecond', 'terms'],
  statistics: [
    'outcome',
    'stopTime',
    'stopSpeed',
    'lastPhi',
    'turns',
    'otherOutcome',
    'otherTime',
    'otherSpeed',
    'otherTurns',
    'tuning',
    'tuningTries',
    'tuningError',
    'stepsPerSample',
    'accepted',
  ],
  columns: {
    history: [
      't',
      'phi',
      'dphi',
      'work',
      'dissipated',
      'phiFirst',
      'dphiFirst',
      'workFirst',
      'dissipatedFirst',
      'phiSecond',
      'dphiSecond',
      'workSecond',
      'dissipatedSecond',
      'phiClosed',
      'dphiClosed',
    ],
  },
} as const satisfies KernelFace;

export type SolveFace = typeof SOLVE_FACE;

/** Why a run ended. */
export const OUTCOME = { ended: 1, ground: 2, singular: 3 } as const;

/** How the tuning of the step ended. */
export const TUNING = { agrees: 1, triesSpent: 2, stepsSpent: 3, stalled: 4 } as const;

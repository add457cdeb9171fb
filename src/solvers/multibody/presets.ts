// Presets: bodies and what a request leaves out. The first is the default.

import { cos, sin } from '../../core/elementary.ts';
import { PLANETS } from './planets.ts';
import type { PresetBody } from './preset-body.ts';

export interface Preset {
  readonly law: 'gravity' | 'field';
  readonly units: 'one' | 'si' | 'au';
  readonly tMax: number;
  readonly bodies: readonly PresetBody[];
  readonly softening?: number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly pairwiseCoupling?: number;
  readonly pairwiseSoftening?: number;
  readonly koSettings?: Readonly<Record<string, number>>;
}

/** Chenciner & Montgomery, Annals of Mathematics 152 (2000) 881, with the numbers of Simó. */
const FIGURE_EIGHT: readonly PresetBody[] = [
  { mass: 1, position: [0.97000436, -0.24308753], velocity: [0.466203685, 0.43236573] },
  { mass: 1, position: [-0.97000436, 0.24308753], velocity: [0.466203685, 0.43236573] },
  { mass: 1, position: [0, 0], velocity: [-0.93240737, -0.86473146] },
];

/** A ring of equal masses that turns as a whole: ω² = G m / (4 R³) Σ 1 / sin(π k / n). */
function ringOf(n: number): readonly PresetBody[] {
  let sum = 0;
  for (let k = 1; k < n; k++) sum += 1 / sin((Math.PI * k) / n);
  const speed = Math.sqrt(0.25 * sum);
  return Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * k) / n;
    return { mass: 1, position: [cos(angle), sin(angle)], velocity: [-speed * sin(angle), speed * cos(angle)] };
  });
}

const JUPITER = 1 / 1047.348644;

export const PRESETS = {
  /** Three equal masses follow one another along an eight. */
  'figure-eight': { law: 'gravity', units: 'one', tMax: 6.32591398, bodies: FIGURE_EIGHT },
  /** Burrau's problem: 3, 4 and 5 at rest at the corners of a triangle of these sides; the lightest is thrown out. */
  pythagorean: {
    law: 'gravity',
    units: 'one',
    tMax: 62,
    bodies: [
      { mass: 3, position: [1, 3] },
      { mass: 4, position: [-2, -1] },
      { mass: 5, position: [1, -1] },
    ],
  },
  /** Two bodies with an eccentricity of 0.6: elements that stay, and five revolutions. */
  kepler: {
    law: 'gravity',
    units: 'one',
    tMax: 31.4,
    bodies: [{ mass: 0.75 }, { mass: 0.25, orbit: { a: 1, e: 0.6 } }],
  },
  /** Six equal masses on a turning ring, which is not stable. */
  ring: { law: 'gravity', units: 'one', tMax: 8, bodies: ringOf(6) },
  /** Two bodies that pass through each other, softened by a tenth of their distance. */
  softened: {
    law: 'gravity',
    units: 'one',
    tMax: 20,
    softening: 0.1,
    bodies: [
      { mass: 1, position: [0.5, 0], velocity: [0, 0.5] },
      { mass: 1, position: [-0.5, 0], velocity: [0, -0.5] },
    ],
  },
  /** The Sun and the planets from 2000 January 1.5 on, for a revolution of Jupiter. */
  'solar-system': { law: 'gravity', units: 'au', tMax: 12, bodies: PLANETS },
  /** The Sun, Jupiter, and a body of no mass near the triangular point ahead of it. */
  trojan: {
    law: 'gravity',
    units: 'au',
    tMax: 300,
    bodies: [
      { mass: 1, object: 'Sun' },
      { mass: JUPITER, orbit: { a: 5.2 }, object: 'Jupiter' },
      { mass: 0, orbit: { a: 5.2, anomaly: 70 }, object: 'Trojan' },
    ],
  },
  /** A planet about two stars, as that of Kepler-16. */
  circumbinary: {
    law: 'gravity',
    units: 'au',
    tMax: 2,
    bodies: [
      { mass: 0.69, object: 'star A' },
      { mass: 0.2, orbit: { a: 0.224, e: 0.16 }, object: 'star B' },
      { mass: 0.00032, orbit: { a: 0.7048, anomaly: 90 }, object: 'planet' },
    ],
  },
  /** The master field: three oscillators that attract each other. */
  field: {
    law: 'field',
    units: 'one',
    tMax: 20,
    pairwiseCoupling: 0.5,
    pairwiseSoftening: 0.3,
    bodies: [
      { mass: 1, phi0: 0.5, position: -1 },
      { mass: 2, phi0: -0.2, position: 0 },
      { mass: 1, dphi0: 0.4, position: 1.2 },
    ],
  },
  /** The master field on the Earth: two bodies on springs under their weight, one of them in water. */
  springs: {
    law: 'field',
    units: 'one',
    tMax: 20,
    alpha: 4,
    pairwiseSoftening: 0.5,
    bodies: [
      { mass: 1, location: 'earth', medium: 'air', position: 0, object: 'ball in air' },
      { mass: 1, location: 'earth', medium: 'water', position: 3, object: 'ball in water' },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;

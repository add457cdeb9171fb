// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const WITH_LOSSES = { coreOnly: [false] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Energy' },
  labels: {
    prompt: 'Title',
    mass: 'Mass',
    location: 'Location',
    medium: 'Medium',
    object: 'Object',
    alpha: 'Spring',
    beta: 'Cubic spring',
    koSettings: 'Weights of couplings',
    tMax: 'Time',
    position: 'Place at the start',
    dt: 'Longest step',
    useOperatorModules: 'Use couplings',
    normalizeOperators: 'Normalise couplings',
    coreOnly: 'Core only',
    referenceMode: 'Reference',
    maxIterations: 'Tries of shorter steps',
    velocity: 'Velocity at the start',
    height: 'Height over the ground',
    ground: 'Ground',
    gravity: 'Gravity',
    latitude: 'Latitude',
    altitude: 'Altitude',
    damping: 'Linear damping',
    drag: 'Quadratic drag',
    dragArea: 'Drag area',
    exponential: 'Exponential force',
    exponent: 'Exponent',
    drive: 'Drive',
    driveFrequency: 'Frequency of the drive',
    drivePhase: 'Phase of the drive',
    duration: 'Longer time',
    samples: 'Times of the curves',
    tolerance: 'Tolerance',
  },
  numerics: ['dt', 'maxIterations', 'samples', 'tolerance'],
  usedWhen: {
    tMax: { duration: [null] },
    medium: { ...WITH_LOSSES, drag: [null] },
    koSettings: WITH_LOSSES,
    position: { height: [null] },
    height: { position: [null] },
    useOperatorModules: { ...WITH_LOSSES, koSettings: 'given' },
    normalizeOperators: { ...WITH_LOSSES, koSettings: 'given' },
    gravity: { latitude: [null], altitude: [null] },
    latitude: { location: [null, 'earth'], gravity: [null] },
    altitude: { gravity: [null] },
    damping: WITH_LOSSES,
    drag: WITH_LOSSES,
    dragArea: { ...WITH_LOSSES, drag: [null], medium: ['air', 'water'] },
    exponent: { exponential: { not: [0] } },
    drive: WITH_LOSSES,
    driveFrequency: { ...WITH_LOSSES, drive: { not: [0] } },
    drivePhase: { ...WITH_LOSSES, drive: { not: [0] } },
  },
  shown: ['location', 'medium', 'position', 'height'],
  examples: [
    {
      title: 'A fall of 100 m at 45° of latitude',
      look: 'A fall with the gravity of its latitude.',
      input: { referenceMode: 'free-fall', height: 100, latitude: 45 },
    },
    {
      title: 'A stone in air',
      look: 'Air slows the stone, so its path becomes straighter.',
      input: { referenceMode: 'free-fall', height: 100, medium: 'air', mass: 0.5, dragArea: 0.004, tMax: 10 },
    },
    {
      title: 'Thrown upwards on the Moon',
      look: 'Weak gravity: high up, and slowly down again.',
      input: { referenceMode: 'free-fall', location: 'moon', height: 2, velocity: 10, tMax: 20 },
    },
    {
      title: 'A fall from 400 km, gravity by height',
      look: 'Gravity grows on the way down.',
      input: { referenceMode: 'gravity', position: 400_000, duration: 400 },
    },
    {
      title: 'Spring with damping',
      look: 'Each swing is smaller than the one before.',
      input: { referenceMode: 'shm', alpha: 4, damping: 0.4, tMax: 10 },
    },
    {
      title: "Duffing's double well",
      look: 'The mass swings in one of two wells.',
      input: { referenceMode: 'shm', alpha: -1, beta: 1, position: 1.2, tMax: 20 },
    },
    {
      title: 'Driven double well',
      look: 'A drive shakes a mass that has two wells to rest in.',
      input: { alpha: -1, beta: 1, damping: 0.15, drive: 0.3, position: 1, tMax: 20 },
    },
    {
      title: 'Toda oscillator',
      look: 'A spring that is hard on one side and soft on the other.',
      input: { alpha: 0, exponential: 1, gravity: -1, tMax: 20 },
    },
    {
      title: 'Escape in finite time',
      look: 'Nothing holds the mass, and it runs away at a finite time.',
      input: { alpha: 0, exponential: -1, position: 0 },
    },
    {
      title: 'Van der Pol',
      look: 'The oscillator finds its own size of swing, from any start.',
      input: { koSettings: { KO29: 1 }, position: 2, tMax: 20 },
    },
    {
      title: 'Pendulum with friction',
      look: 'A wide swing that friction makes smaller.',
      input: { alpha: 0, koSettings: { KO6: 1, KO31: 0.02 }, position: 2, tMax: 20 },
    },
  ],
};

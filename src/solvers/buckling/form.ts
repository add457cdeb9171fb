// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const FRAMES = ['portal', 'storeys'] as const;
/** Any of these makes a column of what would be a frame. */
const COLUMN = [
  { nodes: [null], preset: { not: FRAMES } },
  { nodes: [null], length: 'given' },
  { nodes: [null], EI: 'given' },
] as const;
const FRAME = [{ nodes: 'given' }, { preset: FRAMES, length: [null], EI: [null] }] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Lowest critical load' },
  quantities: {
    effective_length_factor: 'Effective length factor',
    slenderness: 'Slenderness',
    critical_stress: 'Critical stress',
    transition_slenderness: 'Slenderness between plastic and elastic buckling',
    bearable_load: 'Load that the column bears',
    elements: 'Elements',
    unknowns: 'Unknowns',
  },
  labels: {
    preset: 'Preset',
    length: 'Length',
    bottom: 'Lower end',
    top: 'Upper end',
    E: "Young's modulus",
    section: 'Section',
    I: 'Second moment of area',
    A: 'Area',
    EI: 'Bending stiffness',
    foundation: 'Elastic foundation',
    springs: 'Springs and supports',
    loads: 'Loads',
    weight: 'Own weight',
    vary: 'What grows',
    load: 'Load at the top',
    yield_stress: 'Yield stress',
    nodes: 'Nodes of a frame',
    members: 'Members of a frame',
    elements: 'Elements',
    modes: 'Critical loads',
    tolerance: 'Tolerance of the iteration',
  },
  arrays: {
    mode_shapes: 'mode',
    euler_stress: 'Euler',
    bearable_stress: 'bearable',
    critical_load_uncertainty: '±',
    member_compression: 'compression',
  },
  numerics: ['elements', 'tolerance'],
  usedWhen: {
    bottom: COLUMN,
    top: COLUMN,
    foundation: COLUMN,
    springs: COLUMN,
    weight: COLUMN,
    vary: COLUMN,
    load: COLUMN,
    yield_stress: COLUMN,
    members: FRAME,
  },
  shown: ['length', 'bottom', 'top', 'E', 'section', 'load'],
  examples: [
    {
      title: 'A steel bar',
      look: 'The shapes that a pressed bar bends into, at the lowest load and the next ones.',
      input: { preset: 'bar' },
    },
    {
      title: 'A mast under its own weight',
      look: 'How tall a mast may be before its own weight bends it.',
      input: { preset: 'mast' },
    },
    {
      title: 'A tapered pole',
      look: 'A pole that is thinner at the top bends mostly there.',
      input: { preset: 'pole' },
    },
    {
      title: 'A braced column',
      look: 'A brace in the middle forces the column into shorter waves, which need more load.',
      input: { preset: 'braced' },
    },
    {
      title: 'A pile in soil',
      look: 'Soil holds the pile at its sides, so it buckles in several short waves.',
      input: { preset: 'pile' },
    },
    {
      title: 'A portal frame',
      look: 'The frame beside the shape that it buckles into at the lowest load.',
      input: { preset: 'portal' },
    },
    {
      title: 'A frame of storeys',
      look: 'All storeys of the frame beside the shape that they buckle into.',
      input: { preset: 'storeys' },
    },
  ],
};

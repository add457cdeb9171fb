// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Lowest critical load' },
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
  numerics: ['elements', 'tolerance'],
  examples: [
    { title: 'A steel bar', input: { preset: 'bar' } },
    { title: 'A mast under its own weight', input: { preset: 'mast' } },
    { title: 'A tapered pole', input: { preset: 'pole' } },
    { title: 'A braced column', input: { preset: 'braced' } },
    { title: 'A pile in soil', input: { preset: 'pile' } },
    { title: 'A portal frame', input: { preset: 'portal' } },
    { title: 'A frame of storeys', input: { preset: 'storeys' } },
  ],
};

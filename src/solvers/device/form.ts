// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Potential at the probe' },
  labels: {
    mode: 'Problem',
    profile: 'Doping profile',
    Na: 'Acceptors',
    Nd: 'Donors',
    doping: 'Own doping',
    width: 'Width of a linear profile',
    lp: 'Length left of 0',
    ln: 'Length right of 0',
    bias: 'Bias, or gate voltage',
    cv_from: 'First bias of C-V',
    cv_to: 'Last gate voltage of C-V',
    body: 'Body under the gate',
    tox: 'Thickness of the oxide',
    eps_ox: 'Permittivity of the oxide',
    phi_m: 'Work function of the gate',
    Qf: 'Fixed charges at the interface',
    T: 'Temperature',
    ni: 'Intrinsic density',
    eps: 'Relative permittivity',
    chi: 'Electron affinity',
    Eg: 'Band gap',
    probe: 'Probe on the line',
    cells: 'Cells of the line',
    lx: 'Length along x',
    ly: 'Length along y',
    left: 'Left side',
    right: 'Right side',
    bottom: 'Lower side',
    top: 'Upper side',
    permittivity: 'Permittivity of the plane',
    source: 'Charge over ε0',
    electrode: 'Electrode',
    electrode_v: 'Potential of the electrode',
    nx: 'Cells along x',
    ny: 'Cells along y',
    probe_x: 'Probe, x',
    probe_y: 'Probe, y',
    tolerance: 'Tolerance of the iteration',
  },
  numerics: ['cells', 'nx', 'ny', 'tolerance'],
  examples: [
    {
      title: 'A one-sided junction under reverse bias',
      look: 'Nearly all of the voltage falls on the side with few dopants.',
      input: { Na: 1e17, Nd: 1e15, bias: -5 },
    },
    {
      title: 'A linear grade',
      look: 'Doping changes evenly across the junction, and the potential is a smooth step.',
      input: { profile: 'linear', width: 4e-7 },
    },
    {
      title: 'Acceptors diffused into n material',
      look: 'Dopants come in from the left; the junction is where both kinds are equal.',
      input: { profile: 'gaussian', Na: 1e18, Nd: 1e16 },
    },
    {
      title: 'A p-i-n diode',
      look: 'Between the doped sides, the potential rises evenly across the nearly pure layer.',
      input: { doping: 'x < -5e-7 ? -1e17 : (x < 5e-7 ? 1e14 : 1e17)', lp: 1e-6, ln: 1e-6 },
    },
    {
      title: 'Gallium arsenide',
      look: 'A wider band gap than that of silicon makes a higher step of potential.',
      input: { eps: 12.9, ni: 2.1e6, chi: 4.07, Eg: 1.424, Na: 1e17, Nd: 1e17 },
    },
    {
      title: 'A MOS capacitor in inversion',
      look: 'The gate voltage bends the bands so far that a layer of electrons forms.',
      input: { mode: 'mos', bias: 2, cv_from: -3, cv_to: 3 },
    },
    {
      title: 'Thick oxide with fixed charges on an n body',
      look: 'Charges in the oxide shift the voltage at which the layer forms.',
      input: { mode: 'mos', body: 'n', Nd: 1e15, tox: 1e-7, Qf: 1e11, bias: -5, cv_from: -10 },
    },
    {
      title: 'A box with one side at 1 V',
      look: 'The potential fades from the side at 1 V to the grounded ones.',
      input: { mode: 'plane' },
    },
    {
      title: 'Oxide on silicon',
      look: 'The potential falls faster in the oxide than in the silicon below.',
      input: {
        mode: 'plane',
        left: 'insulated',
        right: 'insulated',
        permittivity: 'y > 0.75 ? 3.9 : 11.7',
        probe_y: 0.75,
      },
    },
    {
      title: 'A charge in a grounded box',
      look: 'A cloud of charge raises the potential around it; the walls hold it at zero.',
      input: { mode: 'plane', top: '0', source: '100*exp(-((x-0.3)^2+(y-0.6)^2)/0.01)' },
    },
  ],
};

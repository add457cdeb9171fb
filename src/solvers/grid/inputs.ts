// The inputs of a power flow.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, whole } from '../parts/inputs.ts';
import { NETWORK_NAMES } from './cases/index.ts';

const MAX_BUS = 2_147_483_647;
/** Rows of a table in a request; a larger network is a file. */
const MAX_ROWS = 3_000;

const table = (help: string) =>
  z.array(z.array(z.number()).max(32)).max(MAX_ROWS).optional().describe(help).meta({ unit: '1' });

export const inputs = z.strictObject({
  network: z
    .enum(NETWORK_NAMES)
    .optional()
    .describe('A network of the program, if neither a file nor tables are given; by default ieee14')
    .meta({ unit: '1' }),
  file: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('A case file of MATPOWER (.m), which is read and not run, or of the IEEE Common Data Format')
    .meta({ unit: '1', rows: 7 }),
  buses: table(
    'Rows [number, type, Pd, Qd, Gs, Bs, area, Vm, Va, baseKV]; the first two are needed. Types as in MATPOWER',
  ),
  generators: table('Rows [bus, Pg, Qg, Qmax, Qmin, Vg, mBase, status]; the first two are needed'),
  branches: table('Rows [from, to, r, x, b, rateA, rateB, rateC, ratio, angle, status]; the first four are needed'),
  base: real('Base power of the tables; a file has its own', { unit: 'MW', min: 1e-6, max: 1e9, default: 100 }),
  method: choice('dc: linear, active power alone; ac: Newton, with the DC flow beside it', ['dc', 'ac']),
  branch: whole('The branch whose flow is the value, from 1; by default the one with the largest', {
    min: 1,
    max: LIMITS.grid.branches,
  }),
  outage: whole('A branch that is out of service, from 1; 0 for none', {
    min: 0,
    max: LIMITS.grid.branches,
    default: 0,
  }),
  load_factor: real('Factor of all loads', { unit: '1', min: 0, max: 100, default: 1 }),
  at_bus: whole('The bus whose load is changed by extra_load', { min: 1, max: MAX_BUS }),
  extra_load: real('Active load that is added at at_bus', { unit: 'MW', min: -1e6, max: 1e6, default: 0 }),
  reference: whole('The bus that is the reference instead of those given', { min: 1, max: MAX_BUS }),
  rating: choice('Which of the three ratings of a branch counts', ['a', 'b', 'c']),
  contingencies: z.boolean().default(true).describe('Ranks the outages of one branch each').meta({ unit: '1' }),
  factors: z
    .boolean()
    .default(false)
    .describe('Returns the matrices of distribution factors: PTDF and LODF')
    .meta({ unit: '1' }),
  q_limits: z
    .boolean()
    .default(false)
    .describe('ac: a generator at a limit of reactive power gives up its voltage')
    .meta({ unit: '1' }),
  start: choice('ac: voltages of 1 at the angles of the DC flow, at one angle, or those of the file', [
    'dc',
    'flat',
    'given',
  ]),
});

export type GridInput = z.output<typeof inputs>;

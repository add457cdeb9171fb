// Forty solvers as large as the largest of today: they stand for the 33 of the specification in tests of size.

import { z } from 'zod';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { heat } from '../../src/solvers/heat/solver.ts';

const UNITS = ['m', 's', 'kg', 'm/s', 'K', 'W/(m K)', 'Pa', '1'];
const NUMBERS = [
  ...['sigma', 'rho', 'beta', 'mass', 'omega', 'alpha', 'lambda', 'Du', 'Dv', 'F', 'k'],
  ...['t_end', 'dt', 'tol'],
];

const numberField = (index: number) => {
  const field = z.number().min(1e-6).max(1e3);
  const documented = index % 5 === 4 ? field.optional() : field.default(index + 0.5);
  return documented
    .describe(`Coefficient ${index} of the equations, positive, with a remark on its range`)
    .meta({ unit: UNITS[index % UNITS.length], symbol: 'x' });
};

/** Twenty inputs: fourteen numbers, two counts, two choices, a switch and a text. */
const inputs = z.strictObject({
  mode: z.enum(['membrane', 'maxwell', 'wave1d']).default('membrane').describe('Equations that are solved'),
  method: z.enum(['explicit', 'implicit', 'spectral']).default('implicit').describe('Scheme of the time steps'),
  ...Object.fromEntries(NUMBERS.map((name, index) => [name, numberField(index)])),
  nx: z.int().min(8).max(512).default(64).describe('Cells along x; the nodes are one more').meta({ unit: '1' }),
  steps: z.int().min(1).max(200_000).optional().describe('Number of time steps').meta({ unit: '1' }),
  adaptive: z.boolean().default(true).describe('Adapt the time step to the error'),
  source: z.string().max(640).optional().describe('Source as an expression in x, y and t, which may use the numbers'),
});

/** The definition of heat under other words and with these inputs; it is listed, never run. */
export const LARGE_SOLVERS: readonly SolverDefinition[] = Array.from({ length: 40 }, (_, index) => ({
  ...(heat as unknown as SolverDefinition),
  id: `largesolver${String.fromCharCode(97 + (index % 26))}${index >= 26 ? 'b' : 'a'}`,
  title: `Large coupled system number ${index + 1}`,
  summary:
    'A coupled system of partial differential equations by splitting, with energy balance, spectra and a closed form.',
  inputs,
}));

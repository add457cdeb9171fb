// The schema of a plot, by kind. The shapes that each kind draws stand in solvers/plot.ts.

import { z } from 'zod';
import type { Plot } from '../../solvers/plot.ts';

const Name = z.string().describe('Name of a series or field of this result.');
const title = z.string();
const labels = z.array(z.string()).optional();
const words = z.record(z.string(), z.string()).optional().describe('Words for arrays by name, for pictures.');

export const PlotSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('line'),
      title,
      words,
      x: Name,
      y: z.array(Name),
      time: Name.optional(),
      band: z
        .tuple([Name, Name])
        // Readers of OpenAPI want an array to say what its items are.
        .meta({ description: 'Lower and upper edge of a shaded band.', items: { type: 'string' }, maxItems: 2 })
        .optional(),
      marks: z.enum(['line', 'points']).optional(),
      roundOff: z.number().min(0).optional().describe('Values that are no larger are drawn as zero.'),
      events: z
        .strictObject({ at: Name, kinds: Name.optional(), names: z.array(z.string()) })
        .optional()
        .describe('Moments that are marked: times, the number of the name of each from 1, and the names.'),
    }),
    z.strictObject({
      kind: z.literal('field'),
      title,
      words,
      x: Name,
      y: Name.optional(),
      time: Name.optional(),
      values: Name,
      over: z.strictObject({ x: Name, y: Name }).optional().describe('Points that are drawn on the map.'),
      range: z
        .tuple([z.number(), z.number()])
        .meta({ description: 'Limits of the values by their nature.', items: { type: 'number' }, maxItems: 2 })
        .optional(),
      blank: z.literal('zero').optional().describe('Values of exactly zero lie outside of the domain.'),
    }),
    z.strictObject({
      kind: z.literal('particles'),
      title,
      words,
      positions: Name,
      box: Name,
      time: Name.optional(),
      diameter: z.number().positive().optional().describe('In the unit of the positions.'),
    }),
    z.strictObject({
      kind: z.literal('levels'),
      title,
      words,
      x: Name,
      potential: Name,
      waves: Name,
      levels: Name,
      uncertainty: Name.optional(),
      bound: Name.optional(),
    }),
    z.strictObject({
      kind: z.literal('phase'),
      title,
      words,
      x: Name,
      y: Name,
      hasOneScale: z.literal(true).optional().describe('Both are places of one plane: a circle looks like one.'),
      marks: z.enum(['path', 'points']).optional(),
      labels,
    }),
    z.strictObject({
      kind: z.literal('histogram'),
      title,
      words,
      edges: Name,
      counts: Name,
      expected: Name.optional(),
    }),
    z.strictObject({
      kind: z.literal('bars'),
      title,
      words,
      y: z.array(Name),
      x: Name.optional(),
      labels,
      limit: Name.optional().describe('Shape [n]: lines at plus and minus it.'),
    }),
    z.strictObject({
      kind: z.literal('network'),
      title,
      words,
      edges: Name.describe('Shape [m, 2]: indices of nodes, from 0.'),
      positions: Name.optional(),
      values: Name.optional(),
      flows: Name.optional(),
      loads: Name.optional(),
      labels,
    }),
    z.strictObject({ kind: z.literal('table'), title, words, columns: z.array(Name), labels }),
  ])
  .meta({
    id: 'Plot',
    description: 'A suggested plot, which names arrays of the same result.',
  }) satisfies z.ZodType<Plot>;

// Schemas of the registry: domains and operators.

import { z } from 'zod';
import { AccuracyShape, Aliases, AllowedNumbers, ConstantShape, Requires } from '../../operators/definition.ts';
import type { Domain } from '../../operators/find-domain.ts';
import { RELATIONS } from '../../operators/related.ts';

/** Name and completeness of a domain. */
export const DOMAIN_ROW = {
  prefix: z.string().describe('Prefix of its operator ids, except ids fixed by the interface.'),
  name: z.string(),
  operators: z.int().describe('Operators available.'),
  budget: z.int().describe('Operators planned.'),
  complete: z.boolean(),
} as const;

export const domainRow = ({ prefix, name, operators, budget }: Domain) => ({
  prefix,
  name,
  operators: operators.length,
  budget,
  complete: operators.length >= budget,
});

const Tier = z
  .literal([0, 1, 2, 3])
  .describe('0 definition, 1 fundamental law or exact result, 2 derived or empirical relation, 3 advanced.');

const Where = z.record(z.string(), z.string()).optional().describe('Intermediate expressions, in order.');

/** Common fields of summary and record. */
const OPERATOR_HEAD = {
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  prefix: z.string(),
  tier: Tier,
  equation: z.string(),
  where: Where,
};

export const OperatorSummary = z
  .strictObject({
    ...OPERATOR_HEAD,
    accepted: z.record(z.string(), z.string()).describe('Accepted keys of `inputs` and their units.'),
    defaults: z.record(z.string(), z.number()).optional().describe('Optional keys and their defaults.'),
    output: z.strictObject({ symbol: z.string(), unit: z.string() }),
  })
  .meta({ id: 'OperatorSummary', description: 'A closed-form law: its inputs and output.' });

const Relation = z.strictObject({ id: z.string(), reason: z.string() });

export const OperatorRecord = z
  .strictObject({
    ...OPERATOR_HEAD,
    output: z.strictObject({ symbol: z.string(), unit: z.string(), description: z.string().optional() }),
    inputs: z.record(
      z.string(),
      z.strictObject({
        unit: z.string(),
        description: z.string(),
        min: z.number().optional(),
        max: z.number().optional(),
        default: z.number().optional().describe('Makes the input optional.'),
        integer: z.boolean().optional(),
        enum: AllowedNumbers.optional(),
        aliases: Aliases.optional(),
      }),
    ),
    constants: z.record(z.string(), ConstantShape).describe('Values and their sources.'),
    requires: Requires.optional(),
    validity: z.string().describe('Where the law holds.'),
    accuracy: AccuracyShape.optional(),
    source: z.strictObject({ cite: z.string(), locator: z.string(), doi: z.string().optional() }),
    examples: z
      .array(
        z.strictObject({
          inputs: z.record(z.string(), z.number()).describe('In the declared units.'),
          expected: z.number().describe('In the unit of the output.'),
          rtol: z.number().optional(),
          published: z.strictObject({ value: z.number(), digits: z.int() }).optional(),
          source: z.string().describe('The independent route to the number.'),
        }),
      )
      .describe('Checked by the tests of this version.'),
    published: z
      .array(
        z.strictObject({
          inputs: z.record(z.string(), z.number()).describe('In the declared units.'),
          value: z.number().describe('In the unit of the output.'),
          tolerance: z.number(),
          source: z.strictObject({ cite: z.string(), locator: z.string(), url: z.string() }),
        }),
      )
      .optional()
      .describe('Numbers that others printed.'),
    related: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          relation: z.enum(RELATIONS).describe('What the other law does: gives an input, needs the output, …'),
          symbols: z.array(z.string()).describe('Quantities of this law that both have.'),
        }),
      )
      .describe('Other laws beside this one, at most six.'),
    variantOf: Relation.optional(),
    analogOf: Relation.optional(),
    tags: z.array(z.string()).optional(),
  })
  .meta({ id: 'Operator', description: 'A closed-form law with its complete registry record.' });

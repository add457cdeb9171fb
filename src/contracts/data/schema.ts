// The schema of collections and of the actions on them.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { expression, identifier, scalarType } from '../definition-parts.ts';

const { entries: MAX_ENTRIES } = LIMITS.contracts.collections;

export const collection = z
  .strictObject({
    kind: z.enum(['map', 'list', 'set']).describe('A map from texts to values, a list, or a set of distinct values.'),
    of: scalarType.describe('Type of its values.'),
    max: z.int().min(1).max(MAX_ENTRIES).describe('Most entries.'),
    at_limit: z
      .enum(['refuse', 'drop_oldest'])
      .optional()
      .describe('What happens to one more entry: refused, the default, or the oldest is dropped.'),
    description: multiLine(300).optional(),
  })
  .describe('Empty at the deployment; its entries keep the order in which they came.');

/** Actions on collections, and the distribution of an amount over the keys of a map. */
export const dataActions = [
  z.strictObject({ put: z.strictObject({ into: identifier, key: expression, value: expression }) }),
  z.strictObject({ append: z.strictObject({ to: identifier, value: expression }) }),
  z.strictObject({ add: z.strictObject({ to: identifier, value: expression }) }),
  z.strictObject({ remove: z.strictObject({ from: identifier, entry: expression }) }),
  z.strictObject({ take: z.strictObject({ from: identifier, into: identifier }) }),
  z.strictObject({ clear: identifier }),
  z.strictObject({
    distribute: z.strictObject({
      amount: expression,
      by: identifier.describe('A map of weights, numbers or money; its keys are the holders who receive.'),
      from: expression,
      token: singleLine(48).optional(),
    }),
  }),
] as const;

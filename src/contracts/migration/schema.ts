// The schema of a migration, which says what becomes of the state of a contract: docs/contracts.md, "Migration between versions".

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { expression, identifier, named } from '../definition-parts.ts';

const { states, variables, clocks, dropped } = LIMITS.contracts.migration;

export const Migration = z
  .strictObject({
    states: named(identifier, states).optional().describe('Former state: new state.'),
    context: named(expression, variables)
      .optional()
      .describe('New variable: expression of the former context, parameters, collections and stopwatches.'),
    collections: named(identifier, LIMITS.contracts.collections.perContract)
      .optional()
      .describe('New collection: former collection of the same type.'),
    clocks: named(identifier, clocks).optional().describe('New stopwatch: former stopwatch.'),
    drop: z
      .array(z.string().regex(/^(clock\.)?[a-z][a-z0-9_]{0,47}$/))
      .max(dropped)
      .optional()
      .describe('Former variables, collections and stopwatches (clock.<name>) whose values end.'),
  })
  .meta({ id: 'ContractMigration', description: 'What becomes of the state of a contract in a new version.' });

export type Migration = z.output<typeof Migration>;

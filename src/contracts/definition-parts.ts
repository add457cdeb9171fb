// Parts of the schema of definitions: names, expressions and types of values.

import { z } from 'zod';
import { multiLine } from '../core/text-schema.ts';

export const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,47}$/);

/** A record by names, with at most `max` of them. */
export const named = <Schema extends z.ZodType>(schema: Schema, max: number) =>
  z.record(identifier, schema).refine((record) => Object.keys(record).length <= max, `at most ${max} are allowed`);

export const expression = multiLine(400, 1).describe(
  'Numbers, "text", parameters, context names, event.*, event.actor (who sent it), agg.value, agg.count, op.value, oracle.value, oracle.age, state.age, state.entries, now, in edition 2 clock.*, accrual.*, <window>.value, <window>.count, <window>.empty, second, minute, hour, day, week (in ticks); + - * / ^ comparisons and or not ?: and min max abs floor ceil round sqrt exp log; in edition 2 names of let, and functions of collections, money and hashes.',
);

const money = z.templateLiteral(['money<', z.string().regex(/^[A-Z]{3}$/), '>'], {
  error: 'number, integer, boolean, string, ticks, or in edition 2 money such as money<EUR>, is expected',
});

/** The type of a value; money counts minor units of a currency. */
export const scalarType = z.union([z.enum(['number', 'integer', 'boolean', 'string', 'ticks']), money], {
  error: 'number, integer, boolean, string, ticks, or in edition 2 money such as money<EUR>, is expected',
});

export type ScalarType = z.output<typeof scalarType>;

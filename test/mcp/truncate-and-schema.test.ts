// Unit tests: truncation of results, compact argument schemas, merging of a body into a query.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { argumentsSchema, solverArgumentsSchema } from '../../src/mcp/schema.ts';
import { truncate } from '../../src/mcp/truncate.ts';
import { mergeQuery } from '../../src/operations/query-method.ts';

describe('truncate', () => {
  test('keeps short values and replaces long ones with a placeholder', () => {
    const whole = {
      ok: true,
      value: 1.5,
      name: 'x'.repeat(500),
      series: [{ data: Array.from({ length: 99 }, (_, i) => i) }],
    };
    expect(truncate(whole, 10_000)).toEqual({
      ok: true,
      value: 1.5,
      name: `${'x'.repeat(400)}… (500 characters)`,
      series: [{ data: { omitted: 99, first: 0, last: 98 } }],
    });
  });

  test('first reduces detail, then drops fields, to keep within the limit', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ i, text: 'y'.repeat(100) }));
    expect(truncate({ ok: true, rows }, 5_000)).toEqual({ ok: true, rows });
    expect(truncate({ ok: true, rows }, 500)).toMatchObject({ ok: true, rows: { omitted: 20, first: { i: 0 } } });
    expect(truncate({ ok: true, rows }, 60)).toEqual({ ok: true });
    expect(truncate({ ok: true, rows }, 5)).toEqual({});
    expect(truncate([1, 2, 3], 100)).toEqual({});
  });

  test('never exceeds its limit', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 2, max: 2_000 }), (whole, limit) => {
        expect(Buffer.byteLength(JSON.stringify(truncate(whole, limit)))).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

test('the schema of arguments keeps type, range, default and unit, and drops other keywords', () => {
  const input = z.strictObject({
    nx: z
      .int()
      .min(8)
      .max(128)
      .default(64)
      .describe('Cells along x; the nodes are one more than the cells of the grid'),
    alpha: z.number().positive().max(1e12).default(1).describe('Diffusivity').meta({ unit: 'm^2/s', symbol: 'α' }),
    seed: z.int().optional(),
    unit: z.enum(['K', 'T']).describe('A field named like a keyword'),
    tags: z.record(z.string(), z.number()).optional(),
    query: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
  });
  expect(argumentsSchema(input)).toEqual({
    type: 'object',
    properties: {
      nx: { default: 64, type: 'integer', minimum: 8, maximum: 128, description: 'Cells along x' },
      alpha: { default: 1, type: 'number', exclusiveMinimum: 0, description: 'Diffusivity [m^2/s]' },
      seed: { type: 'integer' },
      unit: { type: 'string', enum: ['K', 'T'], description: 'A field named like a keyword' },
      tags: { type: 'object', additionalProperties: { type: 'number' } },
      query: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } },
      body: { type: 'object', additionalProperties: true },
    },
    required: ['unit'],
  });
});

test('the schema of a solver has names, types, choices, and defaults by unit', () => {
  const text = z.union([z.string(), z.array(z.string())]);
  const inputs = z.strictObject({
    scheme: z.enum(['implicit', 'explicit']).default('implicit'),
    mode: z.enum(['sine', 'step']).default('step').describe('Initial profile'),
    walls: z.enum(['hard', 'soft']).optional(),
    nx: z.int().min(8).max(128).default(64).describe('Cells along x'),
    lx: z.number().positive().default(2).describe('Length').meta({ unit: 'm' }),
    dt: z.number().positive().optional().describe('Time step').meta({ unit: 's' }),
    ly: z.number().positive().default(1).describe('Width').meta({ unit: 'm' }),
    equations: text.default("x' = v, v' = -x, x(0) = 1").describe('One per line'),
    couplings: z.array(z.number()).optional(),
    count: z.int(),
  });
  expect(solverArgumentsSchema(inputs)).toEqual({
    type: 'object',
    properties: {
      scheme: { type: 'string', enum: ['implicit', 'explicit'] },
      mode: { type: 'string', enum: ['sine', 'step'] },
      walls: { type: 'string', enum: ['hard', 'soft'] },
      nx: { type: 'integer' },
      lx: { type: 'number' },
      dt: { type: 'number' },
      ly: { type: 'number' },
      equations: { type: 'string', description: 'One per line' },
      couplings: { type: 'array', items: { type: 'number' } },
      count: { type: 'integer' },
    },
    required: ['count'],
    description: 'mode=step, walls unset, nx=64 [m] lx=2, ly=1 [s] dt',
  });
});

test('body values merged into a query become text and take precedence', () => {
  const merged = mergeQuery({ a: '1', b: '2' }, { b: 3, c: true, d: ['x', 4], e: null });
  expect(merged).toEqual({ a: '1', b: '3', c: 'true', d: ['x', '4'] });
  expect(() => mergeQuery({}, { f: { g: 1 } })).toThrow('f is {"g":1}');
  expect(() => mergeQuery({}, { f: [[1]] })).toThrow('is expected in a query');
});

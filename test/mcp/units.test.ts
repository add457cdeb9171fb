// Small parts of the MCP room by themselves.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { outline } from '../../src/mcp/outline.ts';
import { argumentsSchema } from '../../src/mcp/schema.ts';
import { mergeQuery } from '../../src/operations/query.ts';

describe('an outline', () => {
  test('keeps what is short and names what is not', () => {
    const whole = {
      ok: true,
      value: 1.5,
      name: 'x'.repeat(500),
      series: [{ data: Array.from({ length: 99 }, (_, i) => i) }],
    };
    expect(outline(whole, 10_000)).toEqual({
      ok: true,
      value: 1.5,
      name: `${'x'.repeat(400)}… (500 characters)`,
      series: [{ data: { omitted: 99, first: 0, last: 98 } }],
    });
  });

  test('gives up detail before fields, and fields before the limit', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ i, text: 'y'.repeat(100) }));
    expect(outline({ ok: true, rows }, 5_000)).toEqual({ ok: true, rows });
    expect(outline({ ok: true, rows }, 500)).toMatchObject({ ok: true, rows: { omitted: 20, first: { i: 0 } } });
    expect(outline({ ok: true, rows }, 60)).toEqual({ ok: true });
    expect(outline({ ok: true, rows }, 5)).toEqual({});
    expect(outline([1, 2, 3], 100)).toEqual({});
  });

  test('never passes its limit', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 2, max: 2_000 }), (whole, limit) => {
        expect(Buffer.byteLength(JSON.stringify(outline(whole, limit)))).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

test('the schema of arguments keeps type, range, default and unit, and drops what nobody reads', () => {
  const input = z.strictObject({
    nx: z
      .int()
      .min(8)
      .max(128)
      .default(64)
      .describe('Cells along x; the nodes are one more than the cells of the grid'),
    alpha: z.number().positive().max(1e12).default(1).describe('Diffusivity').meta({ unit: 'm^2/s', symbol: 'α' }),
    seed: z.int().optional(),
    unit: z.enum(['K', 'T']).describe('A field by the name of a keyword'),
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
      unit: { type: 'string', enum: ['K', 'T'], description: 'A field by the name of a keyword' },
      tags: { type: 'object', additionalProperties: { type: 'number' } },
      query: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } },
      body: { type: 'object', additionalProperties: true },
    },
    required: ['unit'],
    additionalProperties: false,
  });
});

test('a body merged into a query becomes text, and wins', () => {
  const merged = mergeQuery({ a: '1', b: '2' }, { b: 3, c: true, d: ['x', 4], e: null });
  expect(merged).toEqual({ a: '1', b: '3', c: 'true', d: ['x', '4'] });
  expect(() => mergeQuery({}, { f: { g: 1 } })).toThrow('f is {"g":1}');
  expect(() => mergeQuery({}, { f: [[1]] })).toThrow('is expected in a query');
});

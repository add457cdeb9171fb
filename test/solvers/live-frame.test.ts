// Frames as they are sent: bounded numbers, exact values, and sentences about them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedArray } from '../../src/client/live-run.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Field } from '../../src/solvers/field.ts';
import { frameSentence, sentFrame } from '../../src/solvers/live-frame.ts';
import type { Drawing } from '../../src/solvers/plot.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';

const array = (name: string, shape: readonly number[], unit = '1'): Field => {
  const length = shape.reduce((product, n) => product * n, 1);
  return { name, unit, shape, data: Float64Array.from({ length }, (_, i) => i) };
};
const mapOf = (rows: number, columns: number): Drawing => ({
  plot: { kind: 'field', title: 'T', x: 'x', y: 'y', values: 'T' },
  arrays: [array('x', [columns], 'm'), array('y', [rows], 'm'), array('T', [rows, columns], 'K')],
});

test('a map of any size has bounded numbers, and each is that of the map', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 2, max: 400 }), (rows, columns) => {
      const { plot, arrays = [], every = 1 } = sentFrame(0.5, mapOf(rows, columns));
      const [x, y, T] = arrays.map(decodedArray);
      if (!plot || !x || !y || !T) throw new Error('The picture is missing.');
      expect(plotFault(plot, [x, y, T])).toBeUndefined();
      expect(x.data.length + y.data.length + T.data.length).toBeLessThanOrEqual(LIMITS.live.numbers);
      const expected = Array.from(y.data, (row) => Array.from(x.data, (column) => row * columns + column)).flat();
      expect(T.data).toEqual(Float64Array.from(expected));
      // No coarser than it must be.
      const finer = (n: number) => (n <= 64 ? n : Math.ceil(n / (every - 1)));
      if (every > 1)
        expect(finer(rows) * finer(columns) + finer(rows) + finer(columns)).toBeGreaterThan(LIMITS.live.numbers);
    }),
    { numRuns: 60 },
  );
});

test('coordinates of particles are whole, and every some particle is left out', () => {
  const drawing: Drawing = {
    plot: { kind: 'particles', title: 'P', positions: 'r', box: 'box' },
    arrays: [array('r', [10_000, 3]), array('box', [3])],
  };
  const { arrays, every } = sentFrame(0, drawing);
  expect([every, arrays?.map(({ shape }) => shape)]).toEqual([4, [[2_500, 3], [3]]]);
});

test('numbers arrive exactly; those that are not finite are null in decimal', () => {
  const data = Float64Array.of(0.1, -0, 5e-324, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY);
  const long = new Float64Array(100).fill(Math.PI).map((x, i) => data[i] ?? x * i);
  const drawing: Drawing = {
    plot: { kind: 'table', title: 'T', columns: ['short', 'long'] },
    arrays: [
      { name: 'short', unit: '1', shape: [6], data },
      { name: 'long', unit: '1', shape: [100], data: long },
    ],
  };
  const { arrays = [] } = JSON.parse(JSON.stringify(sentFrame(0, drawing))) as ReturnType<typeof sentFrame>;
  expect(arrays[0]?.data).toEqual([0.1, 0, 5e-324, Number.MAX_VALUE, null, null]);
  const decoded = decodedArray(arrays[1] ?? { name: '', unit: '', shape: [] });
  expect(Buffer.compare(Buffer.from(decoded.data.buffer), Buffer.from(long.buffer))).toBe(0);
});

test('what cannot be thinned is not drawn if it is too large', () => {
  const n = LIMITS.live.numbers;
  const histogram: Drawing = {
    plot: { kind: 'histogram', title: 'H', edges: 'e', counts: 'c' },
    arrays: [array('e', [n + 1]), array('c', [n])],
  };
  expect(sentFrame(0.25, histogram)).toEqual({ fraction: 0.25 });
  expect(sentFrame(0.25, undefined)).toEqual({ fraction: 0.25 });
});

test.each([
  [undefined, '42 % done.'],
  [mapOf(2, 3), '42 % done. T: T from 0 to 5 K.'],
  [{ ...mapOf(1, 1), arrays: [array('T', [1], 'K')] }, '42 % done. T: T 0 K.'],
] as const)('a sentence says what is to be seen: %#', (drawing, sentence) => {
  expect(frameSentence(0.4299, drawing as Drawing | undefined)).toBe(sentence);
});

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { curveOfText, POINTS, textOfCurve } from '../../src/portal/solve/drawn/curve-text.ts';
import {
  cellsOfText,
  hasRoom,
  type Spots,
  spotsOfText,
  textOfCells,
  textOfSpots,
} from '../../src/portal/solve/drawn/plane-text.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { fieldFunction } from '../../src/solvers/parts/field-expression.ts';
import { runSolver } from '../suites/run-solver.ts';

/** A curve as a hand draws it: no straight pieces, both signs. */
const waves = (count: number) =>
  Array.from({ length: count }, (_, i) => Math.round(200 * Math.sin(i) * Math.cos(0.4 * i)) / 200);

describe('texts of drawn curves', () => {
  test.each(['numbers', 'pairs', 'curve'] as const)('%s: what is drawn is read again', (as) => {
    for (const length of [1, 0.36, 7, 400_000]) {
      const values = waves(POINTS[as]);
      const text = textOfCurve(as, values, length);
      const read = curveOfText(as, text, length, values.length);
      expect(read).toHaveLength(values.length);
      for (const [i, value] of values.entries()) expect(Math.abs((read?.[i] ?? Number.NaN) - value)).toBeLessThan(1e-3);
    }
  });

  test('a formula has room for every curve, and no terms where the curve is straight', () => {
    const values = waves(POINTS.curve).map((value) => value * 123.456);
    expect(textOfCurve('curve', values, 0.123456).length).toBeLessThanOrEqual(LIMITS.expression.characters);
    const ramp = Array.from({ length: POINTS.curve }, (_, i) => 0.3 + 0.1 * i);
    expect(textOfCurve('curve', ramp, 1.6)).toBe('0.3+1*x');
    const tent = [0, 0.1, 0.2, 0.1, 0];
    expect(textOfCurve('curve', tent, 4)).toBe('x<2?0.1*x:0.1*(4-x)');
    expect(textOfCurve('curve', [2, 2, 2], 4)).toBe('2');
  });

  test('a formula is nowhere below or above what was drawn', () => {
    const values = Array.from({ length: POINTS.curve }, (_, i) => (i % 3 === 0 ? 0 : (i % 7) / 8));
    for (const length of [1, 10, 0.37, 0.7, 1.3, 1234.5]) {
      const at = fieldFunction(textOfCurve('curve', values, length), 'initial_u');
      const sampled = Array.from({ length: 4_001 }, (_, i) => at((length * i) / 4_000, 0));
      expect(Math.min(...sampled)).toBe(0);
      expect(Math.max(...sampled)).toBeLessThanOrEqual(0.75 * (1 + 1e-11));
    }
  });

  test('ripples of a percent stay in a formula', () => {
    const values = Array.from({ length: POINTS.curve }, (_, i) => 1 + 0.01 * (i % 2));
    const read = curveOfText('curve', textOfCurve('curve', values, 3), 3, values.length);
    for (const [i, value] of values.entries()) expect(read?.[i]).toBeCloseTo(value, 5);
  });

  test('numbers are read as they are typed, and what is no curve is none', () => {
    expect(curveOfText('numbers', '0; 1; 0', 3, 5)).toEqual([0, 0.5, 1, 0.5, 0]);
    expect(curveOfText('numbers', '[0, 1]', 3, 3)).toEqual([0, 0.5, 1]);
    expect(curveOfText('pairs', '[[1,5],[2,7]]', 4, 5)).toEqual([5, 5, 7, 7, 7]);
    expect(curveOfText('curve', 'exp(x)', 1, 3)).toEqual([1, Math.exp(0.5), Math.exp(1)]);
    for (const text of ['', '0, one', '[[', 'exp(q)']) {
      expect(curveOfText('numbers', text, 1, 3)).toBeUndefined();
      expect(curveOfText('curve', text, 1, 3)).toBeUndefined();
    }
  });
});

describe('texts of painted planes', () => {
  const spot = { height: -2.5, x: 0.441, y: 0.67, radius: 0.1 };

  test('spots follow what stands in the field, and are read again', () => {
    const drawing: Spots = { base: '20+x', spots: [spot, { ...spot, height: 1e-7, x: 0 }] };
    const text = textOfSpots(drawing);
    expect(spotsOfText(text)).toEqual(drawing);
    const at = fieldFunction(text, 'initial');
    expect(at(0.441, 0.67)).toBeCloseTo(20.441 - 2.5, 4);
    expect(at(0.541, 0.67)).toBeCloseTo(20.541 - 2.5 / Math.E, 4);
    expect(spotsOfText('sin(x)')).toEqual({ base: 'sin(x)', spots: [] });
  });

  test('a formula has room for a dozen spots and no more than fit', () => {
    const of = (count: number): Spots => ({ base: '', spots: Array.from({ length: count }, () => spot) });
    expect(hasRoom(of(12))).toBe(true);
    expect(hasRoom(of(30))).toBe(false);
  });

  test('marked cells are read again; numbers and ragged rows are none', () => {
    const text = '..#\n.#.';
    expect(cellsOfText(text)).toEqual({ columns: 3, rows: 2, marks: [false, false, true, false, true, false] });
    expect(textOfCells(cellsOfText(text) ?? { columns: 0, rows: 0, marks: [] })).toBe(text);
    expect(textOfCells({ columns: 2, rows: 1, marks: [false, false] })).toBe('');
    expect(cellsOfText('1 2\n3 4')).toBeUndefined();
    expect(cellsOfText('..#\n.#')).toBeUndefined();
  });
});

test('what a form says may be drawn is taken by its solver, as it is drawn', async () => {
  const forms = SOLVERS.flatMap((solver) =>
    Object.entries(solver.form?.drawn ?? {}).flatMap(([field, drawn = []]) =>
      drawn.map((form) => ({ solver, field, form })),
    ),
  );
  expect(forms.length).toBeGreaterThanOrEqual(12);
  for (const { solver, field, form } of forms) {
    const { as, over, range: [low, high] = [0, 1] } = form;
    const fields = Object.keys(solver.inputs.shape);
    for (const name of over) expect(fields).toContain(name);
    const chosen = Object.fromEntries(
      Object.entries(form.when ?? {}).flatMap(([name, values]) =>
        Array.isArray(values) && values[0] !== null ? [[name, values[0]]] : [],
      ),
    );
    const length = Number((solver.inputs.parse(chosen) as Record<string, unknown>)[over[0] ?? ''] ?? 1);
    const bump = (count: number) =>
      Array.from({ length: count }, (_, i) => low + ((high - low) * Math.round(100 * Math.exp(-2 * i * i))) / 100);
    const text =
      as === 'spots'
        ? textOfSpots({ base: '', spots: [{ height: 1, x: length / 2, y: length / 3, radius: length / 10 }] })
        : as === 'marks'
          ? '....\n.##.\n....'
          : textOfCurve(as, bump(POINTS[as]), length);
    const value = as === 'numbers' ? text.split(', ').map(Number) : as === 'pairs' ? JSON.parse(text) : text;
    const solution = await runSolver(solver, { ...chosen, [field]: value });
    expect(Number.isFinite(solution.value), `${solver.id}.${field}`).toBe(true);
  }
});

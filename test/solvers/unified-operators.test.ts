// The unified solver with registered laws and the caller's equations, over HTTP: results, rejections and replays.

import { describe, expect, test } from 'vitest';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { heat } from '../../src/solvers/heat/solver.ts';
import { unified } from '../../src/solvers/unified/solver.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const BOX = { m: 9.1093837139e-31, L: 2.5e-9 };
/** QM5 for n = 3, from mpmath with 40 digits and the CODATA 2022 constants. */
const BOX_ENERGY = 8.675521047412691e-20;

async function solve(json: unknown): Promise<{ status: number; body: Json; text: string }> {
  const { status, text } = await service.call('POST /api/svc/unified', { as: 'write', json });
  return { status, text, body: JSON.parse(text) as Json };
}

async function replay(text: string): Promise<Json> {
  const response = await service.call('POST /api/svc/replay', { body: text });
  return response.json() as Json;
}

describe('operators of the registry', () => {
  test('a single law returns its value, unit and operator id, and replays', async () => {
    const { status, body, text } = await solve({ equations: [], operators: ['KO42', 'QM5'], inputs: { ...BOX, n: 3 } });
    expect(status, text).toBe(200);
    expect(Math.abs(Number(body.value) / BOX_ENERGY - 1)).toBeLessThan(1e-15);
    expect(body).toMatchObject({ solver: 'unified', operatorChain: ['KO42', 'QM5'], operator_id: 'QM5', unit: 'J' });
    expect((body.equations as string[])[1]).toMatch(
      /^E = 3\^2\*pi\^2\*1\.05457\d+e-34\^2.* with n = 3, m = 9\.1093837139e-31 kg, L = 2\.5e-9 m$/,
    );
    expect(await replay(text)).toMatchObject({ ok: true, equal: true });
  });

  test('a law without equations is computed alone, over HTTP and in the library', async () => {
    const vars = { ...BOX, n: 3 };
    const { body } = await solve({ operators: ['QM5'], vars });
    expect(body).toMatchObject({ operatorChain: ['KO42', 'QM5'], inputs: { equations: [] } });
    const { value } = await unified.solve({ vars }, { laws: [definitionOf(findOperator('QM5'))] });
    expect(value).toBe(body.value);
    const rejected = heat.solve({}, { laws: [definitionOf(findOperator('QM5'))] });
    await expect(rejected).rejects.toThrow('Solver heat has a fixed chain and accepts no laws.');
  });

  test('an equation may use the result of a law, and its dimension is checked', async () => {
    const request = {
      equations: 'nu = E/h; ratio = E/E1',
      operators: ['QM5'],
      vars: { h: 6.62607015e-34, E1: 1, 'QM5.n': 3, ...BOX },
      units: { h: 'J*s', E1: 'eV' },
      outputs: ['nu', 'ratio', 'E'],
    };
    const { status, body, text } = await solve(request);
    expect(status, text).toBe(200);
    expect(body.unit).toBe('1/s');
    expect(Number(body.value)).toBeCloseTo(BOX_ENERGY / 6.62607015e-34, -1);
    const results = body.results as Json[];
    expect(results.map(({ operator_id }) => operator_id)).toEqual(['QM5', expect.stringMatching(/^own:[0-9a-f]{16}$/)]);
    expect((body.master_sum as Json).total).toBe(body.value);
    const ratio = (body.quantities as Json[]).find(({ name }) => name === 'ratio');
    expect(Number(ratio?.value)).toBeCloseTo(BOX_ENERGY / 1.602176634e-19, 12);
    expect(await replay(text)).toMatchObject({ ok: true, equal: true });
    const mismatched = await solve({ ...request, equations: 'nu = E + h; ratio = E/E1' });
    expect([mismatched.status, mismatched.body.code]).toEqual([422, 'UNIT_MISMATCH']);
  });

  test('a law may be used in a differential equation', async () => {
    const { status, body, text } = await solve({
      equations: "x' = E/P; x(0) = 0",
      operators: ['QM5'],
      vars: { P: 1e-20, n: 1, ...BOX },
      units: { P: 'J*s', t: 's' },
      t_end: 2,
      outputs: ['x'],
    });
    expect(status, text).toBe(200);
    expect(Number(body.value)).toBeCloseTo((2 * BOX_ENERGY) / 9 / 1e-20, 9);
    expect(await replay(text)).toMatchObject({ ok: true, equal: true });
  });

  test('a value computed by an equation or a law is checked against the input range of a law', async () => {
    const laminar = await solve({ operators: ['FL4', 'FL21'], vars: { rho: 1000, v: 2, L: 0.1, mu: 1e-3 } });
    expect([laminar.status, laminar.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(laminar.body.error).toMatch(/FL21\.Re, which comes from .*FL4.*, is 200000; a number .*up to \d+ \[1\]/);
    const halfInteger = await solve({ equations: 'n = k + 0.5', operators: ['QM5'], vars: { k: 1, ...BOX } });
    expect(halfInteger.body.error).toMatch(
      /QM5\.n, which comes from equations\.1 \(n = k \+ 0\.5\), is 1\.5; a whole number/,
    );
    const growing = await solve({
      equations: "n' = 1; n(0) = 1",
      operators: ['QM5'],
      vars: BOX,
      units: { t: 's', n: '1' },
      t_end: 2,
      outputs: ['E'],
    });
    expect(growing.status).toBe(422);
  });

  test.each([
    ['an unknown operator', { operators: ['QM999'] }, 404, /QM999/],
    [
      'a missing input',
      { operators: ['QM5'], inputs: { n: 1, m: 1 } },
      422,
      /QM5\.L is missing; a finite number \[m\]/,
    ],
    [
      'an input out of range',
      { operators: ['QM5'], inputs: { ...BOX, n: 0.5 } },
      422,
      /QM5\.n is 0\.5; a whole number from 1/,
    ],
    [
      'a law and an equation for one symbol',
      { equations: 'E = 2', operators: ['QM5'], inputs: { ...BOX, n: 1 } },
      422,
      /E is on the left of two equations/,
    ],
  ])('%s is rejected', async (_, request, status, message) => {
    const response = await solve({ equations: [], ...request });
    expect(response.status, response.text).toBe(status);
    expect(response.body.error).toMatch(message);
  });
});

describe('numbers in inputs and consts', () => {
  test('are values of symbols; top-level values take precedence', async () => {
    const { body, text } = await solve({
      equations: 'a = b*c + d',
      inputs: { b: 2, c: 3 },
      consts: { d: 4 },
      vars: { c: 5 },
    });
    expect(body.value).toBe(14);
    expect(body.inputs).toMatchObject({ vars: { b: 2, c: 5, d: 4 } });
    expect(body.consts).toEqual({ d: 4 });
    expect(body.notes).toContain('c is given twice; 5 from the top level is used.');
    expect(await replay(text)).toMatchObject({ ok: true, equal: true });
  });

  test('that no equation reads are rejected by the dimensional gate, with the accepted symbols', async () => {
    const { status, body } = await solve({ equations: 'a = b*c', inputs: { b: 2, c: 3, e: 4 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ value: null, gate: { ok: false, unrecognised: ['e'], accepted: { b: '1', c: '1' } } });
  });

  test.each([
    ['no equation reads', { equations: 'a = b*c', inputs: { b: 2 }, consts: { c: 3, site: 9 } }, 'consts.site'],
    ['are constants of a law', { operators: ['QM5'], inputs: { ...BOX, n: 3 }, consts: { hbar: 1 } }, 'consts.hbar'],
    ['a law holds', { operators: ['QM5'], inputs: { ...BOX, n: 3 }, consts: { 'QM5.hbar': 1 } }, 'consts.QM5.hbar'],
    ['are fields', { equations: 'a = 2', consts: { rtol: 1e-3 } }, 'consts.rtol'],
  ])('in consts that %s are rejected by the dimensional gate too', async (_, request, key) => {
    const { status, body } = await solve(request);
    expect(status).toBe(200);
    expect(body).toMatchObject({ value: null, gate: { ok: false, unrecognised: [key] } });
  });

  test('an input and a constant under one name: the input is used', async () => {
    const { body } = await solve({ equations: 'a = 2*b', inputs: { b: 2 }, consts: { b: 3 } });
    expect(body.value).toBe(4);
    expect(body.notes).toContain('b is given as an input and as a constant; the input is used.');
  });

  test('the default problem replays, and a changed number does not', async () => {
    const { text, body } = await solve({});
    // A browser replays from the parsed defaults, so the sealed inputs must equal them.
    expect(body.inputs).toEqual(unified.inputs.parse({}));
    expect(await replay(text)).toMatchObject({ ok: true, equal: true });
    const changed = { ...body, inputs: { ...(body.inputs as Json), rtol: 1e-8 } };
    expect(await replay(JSON.stringify(changed))).toMatchObject({ equal: false });
    const broken = { ...body, inputs: { ...(body.inputs as Json), equations: 'a = b' } };
    expect(await replay(JSON.stringify(broken))).toMatchObject({
      equal: false,
      first_difference: { field: 'inputs' },
    });
  });
});

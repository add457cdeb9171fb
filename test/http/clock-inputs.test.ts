// A time that a request leaves out is bound from the clock as an input: it stands in the receipt, which replays later.

import { describe, expect, test } from 'vitest';
import { nsFromSeconds } from '../../src/core/clock.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const solve = async (slug: string, json: Json) => {
  const answer = await service.call(`POST /api/svc/${slug}`, { as: 'write', json });
  return { status: answer.status, body: answer.json() };
};
const replay = async (receipt: Json) =>
  (await service.call('POST /api/svc/replay', { json: receipt })).json() as unknown as Report;

interface Report {
  readonly equal: boolean;
  readonly claims: readonly { readonly claim: string; readonly ok: boolean | null }[];
}

interface Inputs {
  readonly t: number;
}

describe('protect', () => {
  test('binds the time of the request, and replays without a clock', async () => {
    const { status, body } = await solve('protect', { health: 'slow' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ guardState: 'DEGRADED', branch: 'harmonic', value: 1, unit: 'P' });
    expect(body.reasons).toEqual(['health slow holds the liveness at 0.5']);
    const time = nsFromSeconds((body.inputs as Inputs).t);
    const [first = 0n, ...later] = (body.stamps as readonly string[]).map(BigInt);
    expect(time).toBeGreaterThanOrEqual(first - 500n);
    expect(time).toBeLessThanOrEqual((later.at(-1) ?? 0n) + 500n);
    expect((await replay(body)).equal).toBe(true);
  });

  test('takes a time that is given, at the top or in inputs, and none of the clock', async () => {
    for (const json of [{ t: 1_790_000_000.25 }, { inputs: { t: 1_790_000_000.25 } }]) {
      const { body } = await solve('protect', json);
      expect((body.inputs as Inputs).t).toBe(1_790_000_000.25);
      expect(body.value).toBe(-0.4357024454966048);
    }
  });

  test('a state that was changed breaks the seal, words do not', async () => {
    const { body } = await solve('protect', { status: 503 });
    expect(body.guardState).toBe('BREACH');
    expect((await replay({ ...body, guardState: 'OK' })).equal).toBe(false);
    expect((await replay({ ...body, branch: 'harmonic' })).equal).toBe(false);
    expect((await replay({ ...body, reasons: ['none'] })).equal).toBe(true);
  });

  test('a swept time is not bound twice', async () => {
    const { status, body } = await solve('protect', { sweep: { t: [1_790_000_000, 1_790_000_001] } });
    expect(status).toBe(200);
    expect(body.inputs).not.toHaveProperty('t');
    expect((await replay(body)).equal).toBe(true);
  });

  test.each([
    [{ liveness: 1.2 }, 'liveness'],
    [{ t: -1 }, 't'],
    [{ health: 'green' }, 'health'],
    [{ phase: 'NaN' }, 'phase'],
    [{ status: 1e300 }, 'status'],
  ])('%j is refused by its field', async (json, field) => {
    const { status, body } = await solve('protect', json);
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect((body.details as { readonly path: string }[])[0]?.path).toBe(field);
  });
});

describe('shift', () => {
  const law = { domain: 'CM9', inputs: { m: 2, v: 3 } };

  test('reads the clock at 16 steps, a token each', async () => {
    const { status, body } = await solve('shift', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ value: 1, unit: '1', billing: { tokens: 16 } });
    const steps = body.steps as readonly Json[];
    expect(steps.length).toBe(16);
    expect(Object.keys(steps[0] ?? {})).toEqual(expect.arrayContaining(['t', 'phase', 'svcond', 'R_t', 'delta']));
    expect(steps[0]?.delta).toBe(0);
    expect((await replay(body)).equal).toBe(true);
  });

  test('computes the law once, and holds its receipt', async () => {
    const { body } = await solve('shift', { ...law, t: 1_790_000_000, steps: 3 });
    expect(body).toMatchObject({ value: 9, unit: 'J', billing: { tokens: 3 } });
    const [receipt, ...others] = body.receipts as readonly Json[];
    expect(others).toEqual([]);
    expect(receipt).toMatchObject({ solver: 'compute', operator_id: 'CM9', value: 9 });
    expect((await replay(receipt ?? {})).equal).toBe(true);
    const whole = await replay(body);
    expect(whole.claims.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(whole.claims.map(({ claim }) => claim)).toContain('receipts');
  });

  test('a receipt that is missing or another one shows', async () => {
    const { body } = await solve('shift', { ...law, t: 1_790_000_000, steps: 2 });
    const { receipts, ...without } = body;
    const claim = async (one: Json) => (await replay(one)).claims.find((found) => found.claim === 'receipts');
    expect(await claim(without)).toMatchObject({ ok: null });
    const [receipt = {}] = receipts as readonly Json[];
    expect(await claim({ ...body, receipts: [{ ...receipt, value: 10 }] })).toMatchObject({ ok: null });
    const inputs = body.inputs as { readonly computed: Json };
    const forged = { ...body, inputs: { ...inputs, computed: { ...inputs.computed, value: 10 } } };
    expect((await replay(forged)).equal).toBe(false);
  });

  test.each([
    [{ steps: 65 }, 422, 'steps'],
    [{ steps: 0 }, 422, 'steps'],
    [{ inputs: { m: 'NaN' } }, 422, 'inputs.m'],
    [{ domain: 'CM9', inputs: { m: 2, v: 3, warp: 1 } }, 422, 'inputs.warp'],
    [
      {
        domain: 'CM9',
        inputs: { m: 2, v: 3 },
        computed: { operator_id: 'CM9', value: 1, unit: 'J', uncertainty: 0, converged: true },
      },
      422,
      'computed',
    ],
    [{ t: -5 }, 422, 't'],
  ])('%j is refused by its field', async (json, code, field) => {
    const { status, body } = await solve('shift', json);
    expect([status, (body.details as { readonly path: string }[])[0]?.path]).toEqual([code, field]);
  });

  test('an unknown domain is a 404 with the nearest, with and without inputs', async () => {
    for (const json of [{ domain: 'Quantm Mechanics' }, { domain: 'Quantm Mechanics', inputs: { n: 1 } }]) {
      const { status, body } = await solve('shift', json);
      expect([status, body.code]).toEqual([404, 'DOMAIN_UNKNOWN']);
      expect(body.error).toContain('Quantum Mechanics');
    }
  });

  test('a time among the inputs belongs to the law', async () => {
    const { body } = await solve('shift', { domain: 'CM1', inputs: { v: 1, a: 2, t: 3 } });
    if (body.ok === true) expect((body.inputs as Inputs).t).toBeGreaterThan(1_000_000_000);
    else expect(body.code).not.toBe('INTERNAL');
  });
});

describe('lattice', () => {
  const nodes = [
    { domain: 'CM9', inputs: { m: 2, v: 3, theta0: 0 } },
    { inputs: { theta0: 1 } },
    { domain: 'QM5', inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9, theta0: 2 } },
  ];

  test('gives the R(t) of each node, its law, a score and an equation; a token a node', async () => {
    const { status, body } = await solve('lattice', { nodes });
    expect(status).toBe(200);
    expect(body).toMatchObject({ billing: { tokens: 3 }, locked: true });
    expect(body.coherenceScore).toBe(body.value);
    expect(body.lattice_equation).toContain('sin(θ2 − θ1)');
    const found = body.nodes as readonly Json[];
    expect(found[0]).toMatchObject({ domain: 'CM9', operator_id: 'CM9', value: 9, unit: 'J' });
    expect(found[1]).not.toHaveProperty('value');
    for (const { R_t } of found) expect(Math.abs((R_t as number) - 1)).toBeLessThanOrEqual(0.001);
    expect((body.receipts as readonly Json[]).map(({ operator_id }) => operator_id)).toEqual(['CM9', 'QM5']);
    const report = await replay(body);
    expect(report.claims.filter(({ ok }) => ok !== true)).toEqual([]);
    expect((await replay({ ...body, coherenceScore: 0.5 })).equal).toBe(false);
  });

  test.each([
    [[{}], 422, 'nodes', 'nodes'],
    [[{}, {}, {}, {}, {}, {}], 422, 'nodes', 'nodes'],
    [[{}, { domain: 'Quantm Mechanics' }], 404, 'nodes[1].domain', 'Node 2'],
    [[{ domain: 'CM9', inputs: { m: 2 } }, {}], 422, 'nodes[0]', 'Node 1'],
    [[{}, { domain: 'CM9', inputs: { m: 2, v: 3, warp: 9 } }], 422, 'nodes[1].inputs.warp', 'Node 2'],
    [[{}, { inputs: { omega: 1e9 } }], 422, 'nodes.1.inputs.omega', 'omega'],
    [[{ inputs: { omega: 'NaN' } }, {}], 422, 'nodes.0.inputs.omega', 'omega'],
    [
      [{ computed: { operator_id: 'CM9', value: 1, unit: 'J', uncertainty: 0, converged: true } }, {}],
      422,
      'nodes[0].computed',
      'computed',
    ],
  ])('%j is refused by its node', async (bad, code, path, words) => {
    const { status, body } = await solve('lattice', { nodes: bad });
    expect(status).toBe(code);
    expect(JSON.stringify(body.details)).toContain(path);
    expect(body.error).toContain(words);
  });
});

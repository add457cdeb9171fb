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
  (await service.call('POST /api/svc/replay', { json: receipt })).json() as { readonly equal: boolean };

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

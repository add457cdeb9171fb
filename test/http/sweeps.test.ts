// Sweeps and samples over HTTP: tokens, links, streams, refusals and replay.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const CM9 = { domain: 'CM', operators: ['CM9'], inputs: { m: 2 } };

async function envelopeOf(route: string, json: unknown): Promise<Json> {
  const { status, text } = await service.call(route, { as: 'write', json });
  expect(status, text).toBe(200);
  return JSON.parse(text) as Json;
}
const compute = (json: unknown) => envelopeOf('POST /api/svc/compute', json);

describe('a sweep of a law', () => {
  test('of ten thousand points costs ten tokens, and its rows are behind a link', async () => {
    const { billing, table, value } = await compute({ ...CM9, sweep: { v: { from: 1, to: 3, count: 10_000 } } });
    expect(billing).toEqual({ tokens: 10 });
    const { href, sha256, bytes } = table as { href: string; sha256: string; bytes: number };
    const answer = await service.call(`GET ${href}`);
    const body = Buffer.from(answer.bytes);
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    expect(body.length).toBe(bytes);
    expect([body.readDoubleLE(0), body.readDoubleLE(8)]).toEqual([1, 1]);
    expect(body.readDoubleLE(bytes - 16)).toBe(value);
  });

  test('equals a single call, and replays on the node', async () => {
    const envelope = await compute({ ...CM9, units: { v: 'km/h' }, sweep: { v: [10, 40] } });
    const single = await compute({ ...CM9, inputs: { m: 2, v: 40 }, units: { v: 'km/h' } });
    expect([envelope.value, envelope.uncertainty]).toEqual([single.value, single.uncertainty]);
    expect(envelope.billing).toEqual({ tokens: 1 });
    const report = await envelopeOf('POST /api/svc/replay', envelope);
    expect(report.equal).toBe(true);
  });

  test('with every point refused is a 422 that names the first', async () => {
    const { status, text } = await service.call('POST /api/svc/compute', {
      as: 'write',
      json: { ...CM9, sweep: { v: [-1, -2] } },
    });
    expect(status).toBe(422);
    expect(text).toContain('All 2 points of the sweep are refused, the first: CM9.v is -1');
  });

  test('takes samples instead', async () => {
    const request = { ...CM9, inputs: { m: 2, v: 25 }, uncertainties: { v: 1 }, samples: { count: 999, seed: 3 } };
    const { samples, billing, uncertainty } = await compute(request);
    expect(billing).toEqual({ tokens: 1 });
    expect(samples).toMatchObject({ count: 999, seed: 3, inputs: [{ name: 'v', value: 25, uncertainty: 1 }] });
    expect(Number(uncertainty)).toBeGreaterThan(90);
    expect(Number(uncertainty)).toBeLessThan(120);
  });
});

describe('an unknown', () => {
  test('is searched at every point, in a worker, and its receipt replays on the node', async () => {
    const envelope = await compute({ ...CM9, solve_for: 'v', sweep: { K: [4, 16, -1] } });
    const { rows, refused } = envelope.table as { rows: number[][]; refused: unknown };
    expect(rows.map(([, value]) => value)).toEqual([2, 4, null]);
    expect(refused).toEqual([{ from: 2, to: 2, code: 'ROOT_NOT_FOUND' }]);
    expect((await envelopeOf('POST /api/svc/replay', envelope)).equal).toBe(true);
  });

  test('of one call has all roots with their ±, and its receipt replays on the node', async () => {
    const json = {
      domain: 'CM9',
      inputs: { m: 2, K: 100 },
      units: { m: 'kg' },
      uncertainties: { K: 1 },
      solve_for: 'v',
    };
    const envelope = await compute(json);
    expect(envelope).toMatchObject({ solve_for: 'v', operator_id: 'CM9', value: 10, unit: 'm/s', complete: true });
    // The farther of √(100 ± 2) from 10.
    expect(envelope.uncertainty).toBeCloseTo(10 - Math.sqrt(98), 4);
    expect(envelope.quantities).toMatchObject([{ value: 10, uncertainty: envelope.uncertainty }]);
    expect((await envelopeOf('POST /api/svc/replay', envelope)).equal).toBe(true);
    const inKmh = await compute({ ...json, as: 'km/h' });
    expect([inKmh.value, inKmh.unit]).toEqual([36, 'km/h']);
  });

  test.each([
    [{ m: 2, K: -1 }, 'v', 'ROOT_NOT_FOUND'],
    [{ m: 2, K: 1 }, 'w', 'VALIDATION_FAILED'],
    [{ m: 2, v: 1, K: 1 }, 'v', 'VALIDATION_FAILED'],
  ])('that %j has not, %s, is a 422', async (inputs, name, code) => {
    const json = { domain: 'CM9', inputs, solve_for: name };
    const { status, text } = await service.call('POST /api/svc/compute', { as: 'write', json });
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([422, code]);
  });

  test('of samples is refused', async () => {
    const json = { ...CM9, inputs: { m: 2, K: 1 }, solve_for: 'v', uncertainties: { K: 0.1 }, samples: { count: 60 } };
    const { status, text } = await service.call('POST /api/svc/compute', { as: 'write', json });
    expect([status, text]).toEqual([422, expect.stringContaining('solve_for does not go with samples')]);
  });
});

describe('a sweep of a solver', () => {
  const body = { dim: 1, t_end: 0.05, sweep: { nx: [8, 16, 32] } };

  test('costs a token for each run', async () => {
    const { billing, table, runs } = await envelopeOf('POST /api/svc/heat', body);
    expect(billing).toEqual({ tokens: 3 });
    expect((table as { shape: number[] }).shape).toEqual([3, 3]);
    expect(runs).toHaveLength(3);
  });

  test('is streamed with progress, and the last event is its envelope', async () => {
    const { text } = await service.call('POST /api/svc/heat', {
      as: 'write',
      json: body,
      headers: { accept: 'text/event-stream' },
    });
    const events = text.split('\n\n').flatMap((frame) => /event: (\w+)/.exec(frame)?.[1] ?? []);
    expect(events.at(-1)).toBe('result');
    const fractions = [...text.matchAll(/"fraction":([\d.e-]+)/g)].map(([, fraction]) => Number(fraction));
    expect(fractions.length).toBeGreaterThan(0);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBeLessThanOrEqual(1);
    expect(text).toContain('"columns":["nx","value","uncertainty"]');
  });
});

// The compute route over HTTP: results, filing, errors and seals.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { COMPUTE_REVISION } from '../../src/protocol/chain-computation.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
const COMPUTE = 'POST /api/svc/compute';
const PLAYGROUND = 'POST /api/playground/compute';
const BOX = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };
/** mpmath, 40 digits, from the constants of CODATA 2022. */
const BOX_ENERGY = 8.675521047412691e-20;
const RECTANGLE = { T0: 80, kx: 2.5, ky: 1.75, x: 0.37, y: 0.6, alpha: 1.11e-4, t: 320 };

const compute = (json: unknown, as: Caller = 'write', headers: Record<string, string> = {}) =>
  service.call(COMPUTE, { as, json, headers });
const refusalOf = async (json: unknown) => {
  const answer = await compute(json);
  const { code, error, details } = answer.json() as { code: string; error: string; details?: Json[] };
  return { status: answer.status, code, error, details, body: answer.json() };
};

describe('a result', () => {
  test('is the value of the law in its unit, sealed, with KO42 first everywhere', async () => {
    const { status, text } = await compute(BOX);
    expect(status, text).toBe(200);
    const envelope = JSON.parse(text) as Json;
    expect(Math.abs(Number(envelope.value) / BOX_ENERGY - 1)).toBeLessThan(1e-15);
    expect(envelope).toMatchObject({
      ok: true,
      solver: 'compute',
      domain: 'Quantum Mechanics',
      operatorChain: ['KO42', 'QM5'],
      operator_id: 'QM5',
      unit: 'J',
      converged: true,
      precisionBound: 1e-4,
      errorPct: 0.01,
      billing: { tokens: 1 },
      version: 'v2',
      inputs: BOX.inputs,
      selection: {
        by: 'caller',
        operators: [{ operator_id: 'QM5', name: 'Particle-in-a-box eigenenergy', why: 'named by the caller' }],
        chain: [],
      },
      series: [],
      fields: [],
      notes: [],
    });
    expect(envelope.masterSum).toBe(Number(envelope.R_t) * Number(envelope.value));
    expect(envelope.equations).toEqual([
      expect.stringMatching(/^Rt = 8\.67552104741269\d*e-20\*\(1 \+ 0\.001\*sin\(2\*pi\*1\.287\*t \+ 0\)\) \[J\]$/),
      'E = 3^2*pi^2*1.0545718176461565e-34^2/(2*9.1093837139e-31*2.5e-9^2) [J] with n = 3, m = 9.1093837139e-31 kg, L = 2.5e-9 m',
    ]);
    const { terms, total, unit } = envelope.master_sum as { terms: Json[]; total: number; unit: string };
    expect([total, unit]).toEqual([envelope.value, 'J']);
    expect(terms.map(({ term, operator_id, included }) => [term, operator_id, included])).toEqual([
      ['S', 'QM5', true],
      ['modulation', 'KO42', false],
    ]);
    expect(envelope.stamps).toHaveLength(7);
    expect(envelope).not.toHaveProperty('run_id');
  });

  test('is UTF-8 in the length that the answer declares, also beyond Latin-1', async () => {
    const { bytes, text, headers } = await service.call('POST /api/svc/heat', {
      as: 'write',
      json: { dim: 1, nx: 8, steps: 4, dt: 0.001 },
    });
    expect(text).toContain('Crank–Nicolson');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Buffer.from(text).equals(bytes)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ ok: true, solver: 'heat' });
  });

  test('is equal for a name, a prefix and an alias, in any case', async () => {
    const values = await Promise.all(
      ['Quantum Mechanics', 'qm', 'QM', 'quantum mechanics'].map(async (domain) => {
        const { value, domain: name } = (await compute({ ...BOX, domain })).json();
        return [value, name];
      }),
    );
    expect(new Set(values.map(String)).size).toBe(1);
    const heat = (await compute({ domain: 'thermal diffusion', operators: ['CHE17'], inputs: RECTANGLE })).json();
    expect(heat).toMatchObject({ domain: 'Chemical Engineering', unit: 'K' });
    expect(heat.value).toBeCloseTo(39.81123972796528, 12);
  });

  test('without named operators is selected by the wizard, with reasons', async () => {
    const { operators: _, ...unnamed } = BOX;
    const found = (await compute(unnamed)).json();
    expect(found.operatorChain).toEqual(['KO42', 'QM5']);
    expect(found.selection).toMatchObject({
      by: 'wizard',
      operators: [{ operator_id: 'QM5', why: 'uses n, m, L' }],
    });
    expect((await compute({ ...BOX, operators: ['KO42'] })).json().operatorChain).toEqual(['KO42', 'QM5']);
  });

  test('is chosen by the question in words or by the output asked for, and a tie is refused', async () => {
    const car = { domain: 'CM', inputs: { m: 1200, v: 30 } };
    const tie = await compute(car);
    expect([tie.status, tie.json().code]).toEqual([422, 'OPERATOR_AMBIGUOUS']);
    expect((tie.json().candidates as Json[]).map(({ operator_id, unit }) => [operator_id, unit])).toEqual([
      ['CM9', 'J'],
      ['CM11', 'kg*m/s'],
    ]);
    const asked = (await compute({ ...car, query: 'kinetic energy of a car of 1200 kg at 108 km/h' })).json();
    expect([asked.operator_id, asked.value, asked.unit]).toEqual(['CM9', 540_000, 'J']);
    expect((await compute({ domain: 'CS', inputs: { m: 10_000, n: 1_000, k: 7 } })).json().code).toBe(
      'OPERATOR_AMBIGUOUS',
    );
  });

  test('is in the unit asked for, with its budget, sealed and replayed', async () => {
    const car = { domain: 'CM', operators: ['CM9'], inputs: { m: 1200, v: 30 }, uncertainties: { v: 0.3 } };
    const joules = (await compute(car)).json();
    const envelope = (await compute({ ...car, as: 'MJ' })).json();
    expect(envelope).toMatchObject({ value: 0.54, unit: 'MJ', as: 'MJ', results: [{ value: 0.54, unit: 'MJ' }] });
    expect(envelope.master_sum).toMatchObject({ total: 0.54, unit: 'MJ' });
    expect(Number(envelope.uncertainty)).toBeCloseTo(Number(joules.uncertainty) / 1e6, 12);
    const units = (envelope.uncertainty_budget as Json[]).map(({ unit }) => unit);
    expect(new Set(units)).toEqual(new Set(['MJ']));
    const replayed = (await service.call('POST /api/svc/replay', { json: envelope })).json();
    expect(replayed).toMatchObject({ equal: true });
    expect((await compute({ ...car, as: 'm' })).json().code).toBe('UNIT_MISMATCH');
  });

  test('accepts other units and uncertainties, and lists all terms of the master equation on request', async () => {
    const plain = (await compute(BOX)).json();
    const rich = (
      await compute({
        ...BOX,
        inputs: { ...BOX.inputs, L: 2.5 },
        units: { L: 'nm' },
        uncertainties: { L: 0.05 },
        detail: 'full',
      })
    ).json();
    expect(rich.value).toBe(plain.value);
    // E ~ L^-2: twice the relative uncertainty, and twice for 95 %.
    expect(Number(rich.uncertainty) / Number(rich.value)).toBeCloseTo(4 * (0.05 / 2.5), 9);
    expect(rich).toMatchObject({ units: { L: 'nm' }, uncertainties: { L: 0.05 }, detail: 'full' });
    const { terms } = rich.master_sum as { terms: Json[] };
    expect(terms.map(({ term }) => term)).toEqual([
      'S',
      'modulation',
      'box',
      'mass',
      'self-coupling',
      'screening',
      'kernel sum',
      'trace',
      'field',
      'source',
    ]);
    expect(terms.slice(1).every(({ value, included }) => value === 0 && included === false)).toBe(true);
  });

  test('is verified, replays from its envelope alone, and has a valid receipt', async () => {
    const envelope = (await compute(BOX)).json();
    const { svcProof: proof, operatorChain: operatorIds, R_t, svcond, keyPrefix, value, unit, epoch } = envelope;
    const checked = await service.call('POST /api/svc/verify', {
      as: 'write',
      json: { proof, operatorIds, R_t, svcond, keyPrefix, value, unit, epoch },
    });
    expect(checked.json()).toMatchObject({ valid: true, kind: 'computation', version: 'v2' });
    const report = (await service.call('POST /api/svc/replay', { json: envelope })).json();
    expect(report).toMatchObject({
      equal: true,
      revision: { sealed: COMPUTE_REVISION, current: COMPUTE_REVISION },
      laws: { verdict: 'registered', by_id: { KO42: 'registered', QM5: 'registered' } },
    });
  });

  test('is filed with a folder or an Idempotency-Key, and can be read again', async () => {
    const filed = (await compute({ ...BOX, folder: 'boxes' })).json();
    const { rows } = (await service.call('GET /api/svc/runs?solver=compute', { as: 'write' })).json() as {
      rows: Json[];
    };
    expect(rows[0]).toMatchObject({
      id: filed.run_id,
      folder: 'boxes',
      solver: 'compute',
      unit: 'J',
      value: filed.value,
    });
    const again = (await service.call(`GET /api/svc/runs/${filed.run_id}`, { as: 'write' })).json();
    expect(JSON.stringify(again.envelope)).toBe(JSON.stringify(filed));

    const key = randomUUID();
    const first = await compute(BOX, 'write', { 'idempotency-key': key });
    const second = await compute(BOX, 'write', { 'idempotency-key': key });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(first.json()).toHaveProperty('run_id');
    const other = await compute({ ...BOX, inputs: { ...BOX.inputs, n: 4 } }, 'write', { 'idempotency-key': key });
    expect([other.status, other.json().code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('is a tool of the Model Context Protocol', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_compute', arguments: BOX } };
    const answer = await service.call('POST /api/mcp', {
      as: 'write',
      json: message,
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    });
    const [, data = ''] = /^data: (.+)$/m.exec(answer.text) ?? [];
    const { result } = JSON.parse(data) as { result: { structuredContent: Json } };
    expect(result.structuredContent).toMatchObject({ solver: 'compute', operator_id: 'QM5', unit: 'J' });
  });
});

describe('the dimensional gate', () => {
  test('returns no value, bills nothing, files nothing, and lists accepted keys', async () => {
    const { status, text } = await compute({ ...BOX, inputs: { ...BOX.inputs, mass: 1 }, folder: 'gated' });
    expect(status).toBe(200);
    const answer = JSON.parse(text) as Json;
    expect(answer).toMatchObject({
      ok: true,
      solver: 'compute',
      operatorChain: ['KO42', 'QM5'],
      value: null,
      value_repr: 'NaN',
      unit: 'J',
      gate: {
        ok: false,
        reason: 'QM5 takes no mass',
        unrecognised: ['mass'],
        accepted: { n: '1', m: 'kg', L: 'm', 'KO42.phi0': 'rad' },
      },
      billing: { tokens: 0 },
      version: 'v1',
    });
    expect(answer).not.toHaveProperty('seal');
    const { rows } = (await service.call('GET /api/svc/runs?folder=gated', { as: 'write' })).json();
    expect(rows).toEqual([]);
    const replayed = await service.call('POST /api/svc/replay', { body: text });
    expect([replayed.status, replayed.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });
});

describe('rejects', () => {
  const wrong: readonly (readonly [
    what: string,
    body: unknown,
    status: number,
    code: string,
    detail: string | undefined,
    words: RegExp,
  ])[] = [
    [
      'an unknown domain',
      { ...BOX, domain: 'Alchemy' },
      404,
      'DOMAIN_UNKNOWN',
      'UNKNOWN',
      /no domain "Alchemy"; the nearest are .*\(.+\), .*\(.+\), .*\(.+\)\.$/,
    ],
    [
      'a fourth operator',
      { ...BOX, operators: ['QM1', 'QM2', 'QM3', 'QM5'] },
      422,
      'VALIDATION_FAILED',
      'TOO_MANY_OPERATORS',
      /^4 operators are named .* at most 3/,
    ],
    [
      'an operator that does not exist',
      { ...BOX, operators: ['QM999'] },
      404,
      'OPERATOR_UNKNOWN',
      undefined,
      /has no operator QM999\. The nearest are/,
    ],
    [
      'an operator of another domain',
      { ...BOX, operators: ['CHE17'] },
      404,
      'OPERATOR_UNKNOWN',
      undefined,
      /CHE17 belongs to the domain CHE/,
    ],
    [
      'a missing input',
      { ...BOX, inputs: { n: 3, L: 1e-9 } },
      422,
      'VALIDATION_FAILED',
      'MISSING',
      /^QM5\.m is missing; a finite number from 1e-36 up to 1 \[kg\] is expected\.$/,
    ],
    [
      'a value out of range',
      { ...BOX, inputs: { ...BOX.inputs, n: 0 } },
      422,
      'VALIDATION_FAILED',
      'OUT_OF_RANGE',
      /^QM5\.n is 0; a whole number from 1 up to 1000000 \[1\]/,
    ],
    [
      'a broken whole number',
      { ...BOX, inputs: { ...BOX.inputs, n: 1.5 } },
      422,
      'VALIDATION_FAILED',
      'OUT_OF_RANGE',
      /^QM5\.n is 1\.5; a whole number/,
    ],
    [
      'a unit of another dimension',
      { ...BOX, units: { L: 'kg' } },
      422,
      'UNIT_MISMATCH',
      'UNIT_MISMATCH',
      /units\.L is kg \(kg\); QM5\.L takes m \(m\)/,
    ],
    ['a unit that is none', { ...BOX, units: { L: 'cubit' } }, 422, 'UNIT_INVALID', undefined, /cubit/],
    [
      'a unit of nothing',
      { ...BOX, units: { l: 'm' } },
      422,
      'VALIDATION_FAILED',
      'UNKNOWN_FIELD',
      /units\.l matches no input\. Did you mean L\?/,
    ],
    [
      'a negative uncertainty',
      { ...BOX, uncertainties: { L: -1 } },
      422,
      'VALIDATION_FAILED',
      'OUT_OF_RANGE',
      /uncertainties\.L is -1/,
    ],
    [
      'an input that is text',
      { ...BOX, inputs: { ...BOX.inputs, n: '3' } },
      422,
      'VALIDATION_FAILED',
      'INVALID_TYPE',
      /inputs\.n is "3"; number is expected/,
    ],
    [
      'a field that does not exist',
      { ...BOX, input: {} },
      422,
      'VALIDATION_FAILED',
      'UNKNOWN_FIELD',
      /Unknown field "input"\. Did you mean inputs\?/,
    ],
    ['no domain', { inputs: {} }, 422, 'VALIDATION_FAILED', 'MISSING', /domain is missing/],
  ];

  test.each(wrong)('%s', async (_, body, status, code, detail, words) => {
    const refused = await refusalOf(body);
    expect([refused.status, refused.code]).toEqual([status, code]);
    expect(refused.error).toMatch(words);
    if (detail !== undefined) expect(refused.details?.[0]?.code).toBe(detail);
    expect(refused.body).not.toHaveProperty('seal');
  });

  test('inputs that fit no operator of the domain, with the missing names and units', async () => {
    const refused = await refusalOf({ domain: 'CHE', inputs: { T0: 1, kx: 2, ky: 3, x: 4, y: 5, alpha: 6 } });
    expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(refused.error).toContain('CHE17 lacks t');
    expect(refused.details).toContainEqual({
      path: 'inputs.t',
      code: 'MISSING',
      message: 'CHE17 (Thermal diffusion Fourier mode decay) needs t: a finite number from 0 [s].',
    });
    const { near_misses: near } = refused.body.selection as { near_misses: Json[] };
    expect(near).toContainEqual(expect.objectContaining({ operator_id: 'CHE17', missing: { t: 's' } }));
  });

  test('an overflow, with its own code and the overflowing term', async () => {
    const refused = await refusalOf({ domain: 'CHE', operators: ['CHE17'], inputs: { ...RECTANGLE, x: 1e308 } });
    expect([refused.status, refused.code, refused.body.operator_id]).toEqual([422, 'NUMERIC_OVERFLOW', 'CHE17']);
    expect(refused.error).toBe(
      'CHE17 (Thermal diffusion Fourier mode decay) has no value T: kx*x at 2.5, 1e+308 is beyond the largest number, 1.8e308.',
    );
  });

  test('an unconverged result in strict mode', async () => {
    const noise = { domain: 'CHE', operators: ['CHE17'], inputs: { ...RECTANGLE, kx: Math.PI, x: 1e9 } };
    expect((await compute(noise)).json()).toMatchObject({ converged: false });
    const refused = await refusalOf({ ...noise, strict: true });
    expect([refused.status, refused.code]).toEqual([422, 'PRECISION_REFUSED']);
  });
});

describe('the playground', () => {
  test('computes without a key, at no cost, and files nothing', async () => {
    const answer = await service.call(PLAYGROUND, { json: BOX });
    expect(answer.status, answer.text).toBe(200);
    const envelope = answer.json();
    expect(envelope).toMatchObject({ keyPrefix: 'playground', operator_id: 'QM5', billing: { tokens: 0 } });
    expect(envelope.value).toBe((await compute(BOX)).json().value);
    expect((await service.call('POST /api/svc/replay', { json: envelope })).json()).toMatchObject({ equal: true });
    const filed = await service.call(PLAYGROUND, { json: { ...BOX, folder: 'mine' } });
    expect([filed.status, filed.json().code]).toEqual([422, 'VALIDATION_FAILED']);
    const keyed = await service.call(PLAYGROUND, { json: BOX, headers: { 'idempotency-key': randomUUID() } });
    expect(keyed.json()).not.toHaveProperty('run_id');
  });

  test('needs no key, unlike the compute route', async () => {
    expect((await service.call(COMPUTE, { json: BOX })).status).toBe(401);
    expect((await compute(BOX, 'read')).status).toBe(403);
  });
});

describe('the playground rate limit', async () => {
  const limited = await startService({
    rates: { ...Object.fromEntries(Object.keys(LIMITS.rate).map((tier) => [tier, 1e9])), playground: 2 } as never,
  });

  test('rejects calls beyond the limit with Retry-After', async () => {
    const play = () => limited.call(PLAYGROUND, { json: BOX });
    expect([(await play()).status, (await play()).status]).toEqual([200, 200]);
    const refused = await play();
    expect([refused.status, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.call('GET /api/svc/pulse')).status).toBe(200);
  });
});

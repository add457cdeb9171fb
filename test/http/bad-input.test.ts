// Invalid and unusual input of a solver route.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from './service-fixture.ts';

const NO_ID = '00000000-0000-7000-8000-000000000000';
const service = await startService();
const HEAT = 'POST /api/svc/heat';
const ROD = { dim: 1, nx: 8, steps: 12 };

const solve = (json: unknown, headers: Record<string, string> = {}) =>
  service.call(HEAT, { as: 'write', json, headers });
const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.call(HEAT, { as: 'write', body, headers });

/** What Number() reads and decimal notation lacks. */
const NOT_DECIMAL = [
  '',
  '%20',
  '0x10',
  '0b1',
  '0o7',
  '1e1',
  '1.0',
  '%2B1',
  '-1',
  '-0',
  '%2012%20',
  '5%0A',
  'Infinity',
  'NaN',
  'true',
  '%D9%A3',
];

describe('numbers in queries and paths', () => {
  test.each(NOT_DECIMAL)('%j is no whole number', async (text) => {
    const routes = [
      `GET /api/svc/operators/search?term=energy&limit=${text}`,
      `GET /api/endpoints?limit=${text}`,
      `GET /api/chain/recent?limit=${text}`,
      `GET /api/chain/nowhere/explore?version=${text}`,
      `GET /api/chain/nowhere/at?svcond=${text}`,
      `GET /api/chain/nowhere/tally/tokens?from=${text}`,
      ...(text === '' ? [] : [`GET /api/chain/nowhere/contracts/${NO_ID}/versions/${text}`]),
    ];
    for (const route of routes) {
      const answer = await service.call(route, { as: 'admin' });
      expect([route, answer.status, answer.json().code]).toEqual([route, 422, 'VALIDATION_FAILED']);
      expect(answer.json().error).toContain(`is ${JSON.stringify(decodeURIComponent(text))}; a whole number`);
    }
  });

  test('digits are, also as a number in the body of QUERY', async () => {
    for (const text of ['1', '40', '007'])
      expect((await service.call(`GET /api/endpoints?limit=${text}`)).json().count, text).toBe(Number(text));
    for (const limit of [16, '16'])
      expect((await service.call('QUERY /api/endpoints', { json: { limit } })).json().count).toBe(16);
    for (const limit of [1e21, 1.5, '0x10', true, [16]])
      expect((await service.call('QUERY /api/endpoints', { json: { limit } })).status, String(limit)).toBe(422);
  });

  test('a number given twice is rejected', async () => {
    for (const query of ['limit=5&limit=5', 'limit=5&limit=6'])
      expect((await service.call(`GET /api/endpoints?${query}`)).status, query).toBe(422);
  });
});

describe('invalid numbers', () => {
  test.each([
    '{"alpha": NaN}',
    '{"alpha": Infinity}',
    '{"alpha": -Infinity}',
    '{"inputs": {"alpha": NaN}}',
    '{"alpha": 1e}',
  ])('%s is not JSON', async (body) => {
    const answer = await send(body);
    expect([answer.status, answer.json().code]).toEqual([400, 'BAD_REQUEST']);
  });

  test.each([
    ['{"alpha": 1e999}', 'alpha', '1e999'],
    ['{"inputs": {"alpha": -1e999}}', 'inputs.alpha', '-1e999'],
    ['{"alpha": 1e308}', 'alpha', '1e+308'],
    ['{"lx": 1e308}', 'lx', '1e+308'],
    ['{"inputs": {"lx": 1e308}}', 'lx', '1e+308'],
    ['{"nx": -8}', 'nx', '-8'],
    ['{"nx": 64.5}', 'nx', '64.5'],
    ['{"dt": 0}', 'dt', '0'],
    ['{"dt": -0.1}', 'dt', '-0.1'],
    ['{"steps": 0}', 'steps', '0'],
    ['{"nx": "64"}', 'nx', '"64"'],
    ['{"nx": null}', 'nx', 'null'],
    ['{"nx": [64]}', 'nx', '[64]'],
    ['{"nx": true}', 'nx', 'true'],
    ['{"inputs": {"nx": "64"}}', 'inputs.nx', '"64"'],
    ['{"inputs": [64]}', 'inputs', '[64]'],
    ['{"method": "magic"}', 'method', '"magic"'],
    ['{"operators": "KO42"}', 'operators', '"KO42"'],
    ['{"folder": "../etc"}', 'folder', '"../etc"'],
  ])('%s is rejected with the field, the given value and the allowed values', async (body, path, value) => {
    const answer = await send(body);
    expect(answer.status, answer.text).toBe(422);
    const { code, error, details } = answer.json();
    expect(code).toBe('VALIDATION_FAILED');
    expect(details).toEqual([{ path, code: expect.stringMatching(/^[A-Z_]+$/), message: error }]);
    expect(error).toMatch(/ (allowed|expected|format is .*)\.$/);
    expect(error).toContain(`is ${value};`);
  });
});

describe('unknown names', () => {
  test.each([
    ['a constant that nothing uses', { huge: 1e308 }],
    ['a field of the solver, which is no constant', { alpha: 2 }],
  ])('in `consts` trigger the dimensional gate: %s', async (_, consts) => {
    const [name] = Object.keys(consts);
    const answer = await solve({ ...ROD, consts });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({
      value: null,
      value_repr: 'NaN',
      gate: {
        ok: false,
        reason: `heat takes no consts.${name}`,
        unrecognised: [`consts.${name}`],
        accepted: expect.objectContaining({ alpha: 'm^2/s' }),
      },
      billing: { tokens: 0 },
    });
    const both = (await solve({ inputs: { nz: 8 }, consts })).json();
    expect(both).toMatchObject({ gate: { unrecognised: ['nz', `consts.${name}`] } });
  });

  test('in `inputs` trigger the dimensional gate: no value, nothing billed, accepted keys with units', async () => {
    const answer = await solve({ inputs: { temperature: 300, nx: 8 } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      ok: true,
      value: null,
      value_repr: 'NaN',
      gate: { ok: false, unrecognised: ['temperature'], accepted: { alpha: 'm^2/s', nx: '1' } },
      billing: { tokens: 0 },
      version: 'v1',
    });
    expect(answer.json()).not.toHaveProperty('seal');
  });

  test.each([
    ['nxx', 'nx'],
    ['aplha', 'alpha'],
    ['Method', 'method'],
    ['operator', 'operators'],
    ['input', 'inputs'],
  ])('at the top level %s is rejected with the nearest name', async (wrong, right) => {
    const answer = await solve({ [wrong]: 1 });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: wrong, code: 'UNKNOWN_FIELD', message: expect.stringContaining(`Did you mean ${right}?`) }],
    });
  });

  test('an operator of another chain, a domain of another solver and a malformed operator are rejected', async () => {
    expect((await solve({ operators: ['KO42', 'QM5'] })).json()).toMatchObject({ code: 'OPERATOR_UNKNOWN' });
    expect((await solve({ domain: 'Alchemy' })).json()).toMatchObject({ code: 'DOMAIN_UNKNOWN' });
    expect((await solve({ operators: ['nothing of this form'] })).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('what JSON.parse would change', () => {
  test.each([
    ['{"inputs": {"alpha": 9007199254740993}}', 'inputs.alpha', 'NOT_EXACT'],
    ['{"inputs": {"alpha": 1e400}}', 'inputs.alpha', 'OUT_OF_RANGE'],
    ['{"alpha": 1, "nx": 8, "alpha": 2}', 'alpha', 'DUPLICATE'],
    ['{"query": "\\ud800"}', 'query', 'LONE_SURROGATE'],
    ['{"consts": {"\\ud800": 1}}', 'consts', 'LONE_SURROGATE'],
  ])('%s is refused at %s', async (body, path, code) => {
    const answer = await send(body);
    expect(answer.status, answer.text).toBe(422);
    const json = answer.json();
    expect(json).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path, code, message: json.error }] });
  });

  test('a receipt of a large number is no such text: programs write its shortest digits', async () => {
    const answer = await service.call('POST /api/svc/unified', {
      as: 'write',
      json: { equations: 'a = 2^60 + b', vars: { b: 0 } },
    });
    expect(answer.text).toContain('"value":1152921504606847000,');
    expect((await service.call('POST /api/svc/replay', { body: answer.text })).json()).toMatchObject({ equal: true });
  });
});

test('uncertainties of a solver that has some itself are no draws; of another one they need samples', async () => {
  const json = { equations: 'y = x^2', vars: { x: 3 }, uncertainties: { x: 0.1 } };
  const squared = (await service.call('POST /api/svc/unified', { as: 'write', json })).json();
  expect(squared).toMatchObject({ ok: true, value: 9 });
  // dy/dx = 6, twice 0.1
  expect(squared.uncertainty).toBeCloseTo(1.2, 1);
  const drawn = await service.call('POST /api/svc/heat', {
    as: 'write',
    json: { dim: 1, uncertainties: { alpha: 0.1 } },
  });
  expect([drawn.status, drawn.json().error]).toEqual([422, expect.stringContaining('add samples')]);
});

describe('malformed bodies', () => {
  test.each([
    ['an array', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['text', '"heat"'],
    ['half an object', '{"nx": 8'],
    ['two objects', '{}{}'],
    ['invalid UTF-8', Uint8Array.from(Buffer.from('{"query": "\xff\xfe"}', 'latin1'))],
    ['__proto__', '{"__proto__": {"nx": 8}}'],
    ['a nested __proto__', '{"inputs": {"__proto__": 1}}'],
    ['constructor', '{"consts": {"constructor": 1}}'],
    ['prototype', '{"prototype": {}}'],
    [
      '4,001 keys',
      JSON.stringify({ inputs: Object.fromEntries(Array.from({ length: LIMITS.body.keys }, (_, i) => [`k${i}`, i])) }),
    ],
    ['a hundred thousand brackets', `{"inputs": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a list of a hundred thousand brackets', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a hundred thousand open brackets', '{"a":'.repeat(100_000)],
  ])('%s returns 400 with a reason', async (_, body) => {
    const answer = await send(body);
    expect(answer.status, answer.text).toBe(400);
    expect(['BAD_REQUEST', 'BODY_TOO_DEEP']).toContain(answer.json().code);
    expect(answer.text.length).toBeLessThan(600);
  });

  test('depth and number of keys are counted exactly', async () => {
    const nested = (levels: number) => `{"inputs": ${'{"a":'.repeat(levels - 2)}{}${'}'.repeat(levels - 2)}}`;
    expect((await send(nested(LIMITS.body.depth))).json().code).toBe('VALIDATION_FAILED');
    expect((await send(nested(LIMITS.body.depth + 1))).json().code).toBe('BODY_TOO_DEEP');
    const keyed = (keys: number) => ({
      inputs: Object.fromEntries(Array.from({ length: keys - 1 }, (_, i) => [`k${i}`, i])),
    });
    expect((await solve(keyed(LIMITS.body.keys))).json()).toHaveProperty('gate');
    expect((await solve(keyed(LIMITS.body.keys + 1))).json().code).toBe('BAD_REQUEST');
  });

  test.each([
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSONP', { 'content-type': 'application/jsonp' }],
    ['gzip', { 'content-encoding': 'gzip' }],
  ])('%s returns 415', async (_, headers) => {
    const answer = await send('{}', headers);
    expect([answer.status, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('a missing body counts as an empty object', async () => {
    expect((await service.call('POST /api/demo-key/mint')).status).toBe(200);
    expect(
      (await service.call('POST /api/demo-key/mint', { headers: { 'transfer-encoding': 'chunked' } })).status,
    ).toBe(200);
  });
});

describe('infeasible runs', () => {
  test('an unstable scheme is rejected with the largest stable step', async () => {
    const answer = await solve({ ...ROD, method: 'explicit', dt: 0.1 });
    expect(answer.status).toBe(422);
    const { code, dt_max: largest } = answer.json();
    expect(code).toBe('UNSTABLE_SCHEME');
    // α Δt / Δx² <= 1/2 with Δx = 1/8.
    expect(largest).toBeCloseTo(0.5 / 64, 12);
    expect(answer.json().error).toContain(String(largest));
    expect((await solve({ ...ROD, method: 'explicit', dt: largest })).status).toBe(200);
  });

  test('a run beyond the budget is rejected with its estimate before it starts', async () => {
    const answer = await service.call('POST /api/svc/evolve', {
      as: 'write',
      json: { N: 2000, steps: 200_000, rc: 6 },
    });
    expect(answer.status, answer.text).toBe(422);
    const { code, estimate_seconds: seconds, estimate_bytes: bytes } = answer.json();
    expect(code).toBe('BUDGET_EXCEEDED');
    expect(seconds).toBeGreaterThan(LIMITS.kernel.budgetNs / 1e9);
    expect(bytes).toBeGreaterThan(0);
  });
});

describe('regressions found by the fuzzer', () => {
  test('a potential too weak for a finite box is rejected', async () => {
    for (const omega of [Number.MIN_VALUE, 1e-200]) {
      const answer = await service.call('POST /api/svc/schrodinger', { as: 'write', json: { omega } });
      expect(answer.status, answer.text).toBe(422);
      expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'xmax' }] });
    }
  });

  test.each(['\u0000', 'a\nb', '\u007f'])('the key name %j is rejected: databases cannot store it', async (name) => {
    const answer = await service.call('POST /api/keys', { as: 'admin', json: { name } });
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('NUL in the name of a constant is refused by its path', async () => {
    const answer = await send('{"dim": 1, "nx": 8, "folder": "odd names", "consts": {"\\u0000": 1}}');
    expect(answer.status, answer.text).toBe(422);
    expect(answer.json()).toMatchObject({ details: [{ path: 'consts.\u0000' }] });
  });
});

describe('both shapes of a body', () => {
  /** Returns the fields that do not depend on time and caller. */
  function pureFieldsOf(answer: Record<string, unknown>): Record<string, unknown> {
    const excluded = [
      'R_t',
      'phase',
      'svcond',
      'masterSum',
      'E',
      'stamps',
      'alpha_eff',
      'cko',
      'svcProof',
      'notes',
      'seal',
    ];
    return Object.fromEntries(
      Object.entries(answer)
        .filter(([name]) => !excluded.includes(name))
        .map(([name, value]) =>
          name === 'verification' ? [name, { ...(value as object), rtCorrelation: undefined }] : [name, value],
        ),
    );
  }

  test('`inputs` and the top level give the same result, bit for bit', async () => {
    const flat = (await solve({ ...ROD, alpha: 0.3 })).json();
    const nested = (
      await solve({ inputs: { ...ROD, alpha: 0.3 }, operators: ['CHE17'], domain: 'thermal diffusion' })
    ).json();
    const mixed = (await solve({ inputs: { alpha: 0.3 }, ...ROD })).json();
    expect(pureFieldsOf(nested)).toEqual(pureFieldsOf(flat));
    expect(pureFieldsOf(mixed)).toEqual(pureFieldsOf(flat));
    expect(flat.notes).toEqual(mixed.notes);
  });

  test('the top level takes precedence over `inputs`, and a note reports it', async () => {
    const both = (await solve({ inputs: { alpha: 9 }, ...ROD, alpha: 0.3 })).json();
    expect(pureFieldsOf(both)).toEqual(pureFieldsOf((await solve({ ...ROD, alpha: 0.3 })).json()));
    expect(both.notes).toContainEqual(expect.stringMatching(/^alpha is given twice; 0\.3 from the top level is used/));
  });

  test('−0 becomes 0 before the computation', async () => {
    const constant = '{"equations": "a = b", "consts": {"b": -0}}';
    const quartic = '{"potential": "quartic", "omega": -0, "N": 50, "states": 1}';
    for (const [route, body] of [
      ['POST /api/svc/unified', constant],
      ['POST /api/svc/schrodinger', quartic],
    ] as const) {
      const answer = await service.call(route, { as: 'write', body });
      expect(answer.status, answer.text).toBe(200);
      expect((await service.call('POST /api/svc/replay', { body: answer.text })).json()).toMatchObject({ equal: true });
    }
  });
});

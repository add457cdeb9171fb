// Receipts and stamps over HTTP.

import { describe, expect, test } from 'vitest';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const sealed = (await service.call('POST /api/svc/heat', { as: 'write', json: { dim: 1, nx: 8, steps: 12 } })).json();
const stamp = (
  await service.call('POST /api/svc/prove', { json: { operatorIds: ['KO42'], value: 2.5, unit: 'K' } })
).json();
const kinetic = (
  await service.call('POST /api/svc/compute', {
    as: 'write',
    json: { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { v: 'km/h' } },
  })
).json();
const gated = (await service.call('POST /api/svc/heat', { as: 'write', json: { inputs: { heat: 1 } } })).json();

const ROUTES = ['POST /api/svc/verify', 'POST /api/svc/prove/verify'];

/** The fields of a receipt, as a caller copies them out of an envelope. */
function claimOf({ svcProof, operatorChain, operatorIds, R_t, svcond, keyPrefix, value, unit, epoch }: Json): Json {
  const claim = { svcProof, operatorIds: operatorIds ?? operatorChain, R_t, svcond, keyPrefix, value, unit, epoch };
  return Object.fromEntries(Object.entries(claim).filter(([, field]) => field !== undefined && field !== null));
}

const without = (claim: Json, name: string) =>
  Object.fromEntries(Object.entries(claim).filter(([key]) => key !== name));

interface Line {
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  readonly added: readonly string[];
}
interface Verdict {
  readonly unchecked: readonly string[];
}

describe.each(ROUTES)('%s', (route) => {
  /** Without the words. */
  const check = async (claim: Json, as: 'write' | 'other' | 'demo' = 'write') => {
    const answer = await service.call(route, { as, json: claim });
    expect(answer.status, answer.text).toBe(200);
    const { verdict: _, receipt: __, ...outcome } = answer.json();
    return outcome;
  };

  test('verifies a computation for every caller', async () => {
    for (const as of ['write', 'other', 'demo'] as const)
      expect(await check(claimOf(sealed), as)).toEqual({
        ok: true,
        valid: true,
        kind: 'computation',
        version: 'v2',
        epoch: 1,
      });
  });

  test('accepts `proof` for svcProof, finds the epoch, and defaults to the caller’s prefix', async () => {
    const { svcProof, ...rest } = claimOf(sealed);
    expect(await check({ ...rest, proof: svcProof })).toMatchObject({ valid: true });
    expect(await check(without(claimOf(sealed), 'epoch'))).toMatchObject({ valid: true, epoch: 1 });
    expect(await check(without(claimOf(sealed), 'keyPrefix'))).toMatchObject({ valid: true });
    expect(await check(without(claimOf(sealed), 'keyPrefix'), 'other')).toEqual({
      ok: true,
      valid: false,
      reason: 'NO_MATCH',
    });
  });

  test('accepts the field names of the envelope, one name per field', async () => {
    const { operatorIds, ...rest } = claimOf(sealed);
    expect(await check({ ...rest, operatorChain: operatorIds })).toMatchObject({ valid: true });
    expect(await check({ ...rest, operatorChain: ['CHE17', 'KO42'] })).toMatchObject({ valid: false });
    const refused = async (json: Json) => (await service.call(route, { as: 'write', json })).json().error;
    expect(await refused(rest)).toBe(
      'operatorIds is missing; the operatorChain of the envelope is expected, under either name.',
    );
    expect(await refused(without(claimOf(sealed), 'svcProof'))).toBe(
      'proof is missing; the svcProof of the envelope is expected, under either name.',
    );
    expect(await refused({ ...rest, operatorIds, operatorChain: ['KO42'] })).toBe(
      'operatorChain is ["KO42"] beside operatorIds; one of the two is expected.',
    );
  });

  test.each([
    ['value', { value: (sealed.value as number) * (1 + 2e-16) }],
    ['unit', { unit: 'K' }],
    ['R_t', { R_t: 1 }],
    ['svcond', { svcond: (sealed.svcond as number) + 1 }],
    ['operatorIds', { operatorIds: ['CHE17', 'KO42'] }],
    ['keyPrefix', { keyPrefix: 'svc_ak_00000000' }],
    ['svcProof', { svcProof: '0'.repeat(64) }],
  ])('detects a changed %s', async (_, change) => {
    expect(await check({ ...claimOf(sealed), ...change })).toEqual({ ok: true, valid: false, reason: 'NO_MATCH' });
  });

  test('does not accept v2 as v1, nor v1 for a signed value', async () => {
    expect(await check(without(without(claimOf(sealed), 'value'), 'unit'))).toMatchObject({ valid: false });
    const v1 = claimOf(gated);
    expect(await check(without(v1, 'unit'))).toMatchObject({ valid: true, version: 'v1' });
    expect(await check({ ...v1, value: 300 })).toEqual({ ok: true, valid: false, reason: 'VALUE_NOT_SIGNED' });
  });

  test.each(['', 'abc', 'G'.repeat(64), `${'0'.repeat(63)}A`, '0'.repeat(65)])(
    '%j is no proof, and no error',
    async (svcProof) => {
      expect(await check({ ...claimOf(sealed), svcProof })).toEqual({ ok: true, valid: false, reason: 'MALFORMED' });
    },
  );

  test('an unknown epoch is reported', async () => {
    expect(await check({ ...claimOf(sealed), epoch: 99 })).toEqual({ ok: true, valid: false, reason: 'EPOCH_UNKNOWN' });
  });

  test('a stamp never counts as a computation', async () => {
    expect(await check(claimOf(stamp))).toMatchObject({ valid: true, kind: 'stamp' });
    // Not even with the prefix and numbers of a real computation.
    const posed = { ...claimOf(sealed), svcProof: stamp.svcProof };
    expect(await check(posed)).toMatchObject({ valid: false });
    const own = { operatorIds: sealed.operatorChain, value: sealed.value, unit: sealed.unit };
    const made = (await service.call('POST /api/svc/prove', { as: 'write', json: own })).json();
    expect(made.keyPrefix).toBe('public');
    expect(await check(claimOf(made))).toMatchObject({ valid: true, kind: 'stamp' });
    expect(await check({ ...claimOf(made), keyPrefix: sealed.keyPrefix })).toMatchObject({ valid: false });
  });
});

test('an HMAC alone is in words, which say what it does not sign', async () => {
  const { verdict, receipt } = await inWords(claimOf(kinetic));
  expect(verdict).toMatchObject({ verdict: 'good', title: 'computed and signed by this node' });
  expect(verdict.unchecked[0]).toContain('Inputs, uncertainty, equation and kernel: this HMAC does not sign them.');
  expect(receipt.lines).toContainEqual({ kind: 'result', label: 'Result', text: '625 J', added: [] });
  expect(receipt.lines).toContainEqual(
    expect.objectContaining({ text: 'CM9', added: ['Translational kinetic energy, K = m*v^2/2 in this version'] }),
  );
  expect(JSON.stringify(receipt)).not.toContain('km/h');
  expect((await inWords(claimOf(stamp))).verdict).toMatchObject({ title: 'stamped by this node' });
});

describe('a whole receipt', () => {
  test('is verified by HMAC and seal, and answered with its inputs, equation, date and signer in words', async () => {
    const answer = await inWords({ receipt: kinetic });
    expect(answer).toMatchObject({ valid: true, kind: 'computation', verdict: { verdict: 'partial', title: 'valid' } });
    const line = (label: string) => answer.receipt.lines.find((one) => one.label === label);
    expect(line('Input v')).toEqual({ kind: 'input', label: 'Input v', text: '90 km/h', added: ['= 25 m/s', 'speed'] });
    expect(line('Equation')?.text).toBe('K = m*v^2/2');
    expect(line('Date')?.text).toMatch(/ UTC$/);
    expect(line('Signed by')).toMatchObject({
      text: `key ${(kinetic.public_key as Json).kid}`,
      added: ['a key of this node'],
    });
    expect(answer.verdict.unchecked[0]).toContain('POST /api/svc/replay');
  });

  test('with a changed unit is not valid, although the HMAC does not sign units of inputs', async () => {
    const answer = await inWords({ receipt: { ...kinetic, units: { v: 'm/s' } } });
    expect(answer).toMatchObject({ valid: false, reason: 'SEAL_BROKEN', verdict: { verdict: 'bad' } });
    expect(answer.receipt.lines.some(({ label }) => label === 'Signed by')).toBe(false);
  });

  test.each([
    [{ keyPrefix: { a: 1 } }],
    [{ keyPrefix: 'x'.repeat(9_000) }],
    [{ operatorChain: 'KO42' }],
    [{ svcProof: 7 }],
  ])('with %o is malformed, and no error', async (change) => {
    expect(await inWords({ receipt: { ...kinetic, ...change } })).toMatchObject({ valid: false, reason: 'MALFORMED' });
  });

  test('is given alone, and otherwise all fields of the HMAC are required', async () => {
    const refused = async (json: Json) => (await service.call(ROUTES[0] ?? '', { as: 'write', json })).json();
    expect(await refused({ receipt: kinetic, epoch: 1 })).toMatchObject({
      code: 'VALIDATION_FAILED',
      error: 'epoch is given beside receipt, which holds it; remove one of the two.',
    });
    expect((await refused(without(claimOf(kinetic), 'R_t'))).error).toBe(
      'R_t is missing; a number is expected, or the whole envelope as receipt.',
    );
  });

  test('is replayed with the same words', async () => {
    const answer = (await service.call('POST /api/svc/replay', { json: kinetic })).json();
    expect(answer).toMatchObject({ equal: true, verdict: { verdict: 'good', title: 'valid, bits equal' } });
    expect(JSON.stringify(answer.receipt)).toContain('90 km/h');
  });
});

async function inWords(json: Json): Promise<Json & { verdict: Verdict; receipt: { lines: Line[] } }> {
  const answer = await service.call('POST /api/svc/verify', { as: 'write', json });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Json & { verdict: Verdict; receipt: { lines: Line[] } };
}

test('a stamp signs its value with v2, and only its operators with v1', async () => {
  expect(stamp).toMatchObject({
    ok: true,
    version: 'v2',
    operatorIds: ['KO42'],
    value: 2.5,
    unit: 'K',
    keyPrefix: 'public',
  });
  const bare = (await service.call('POST /api/svc/prove', { json: { operatorIds: ['KO42'] } })).json();
  expect(bare).toMatchObject({ version: 'v1' });
  expect(bare).not.toHaveProperty('value');
});

test('the JWKS contains the keys of seals', async () => {
  const { keys } = (await service.call('GET /api/.well-known/jwks.json')).json() as { keys: Json[] };
  expect(keys).toContainEqual(sealed.public_key);
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});

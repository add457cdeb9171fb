// Envelopes: their published form, the bound, the numbers and arrays in them, and the answer of the dimensional gate.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Envelope as EnvelopeSchema, Gate as GateSchema } from '../../src/operations/compute/envelope.ts';
import { buildBody, type Envelope } from '../../src/protocol/envelope.ts';
import { buildGate } from '../../src/protocol/gate.ts';
import { assertPrecision, pureFields } from '../../src/protocol/pure-fields.ts';
import { verifyEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import type { Field, Solution } from '../../src/solvers/definition.ts';
import {
  envelopeOf,
  issuer,
  PLATE,
  ROD,
  receipts,
  SLOW_STAMPS,
  type Solved,
  STAMPS,
  signer,
  solve,
} from './sealed-case.ts';

let rod: Solved;
let envelope: Envelope;
beforeAll(async () => {
  rod = await solve('heat', ROD);
  envelope = envelopeOf(rod);
});

/** The pure fields of the rod with a changed solution. */
function pureWith(change: Partial<Solution>) {
  return pureFields(rod.computation, rod.executed, { ...rod.solution, ...change });
}

const field = (data: readonly number[]): Field => ({
  name: 'u',
  unit: 'K',
  shape: [data.length],
  data: Float64Array.from(data),
});
const witness = (change: Partial<Solution['witness']>) => ({ witness: { ...rod.solution.witness, ...change } });

/** SHA-256 of numbers as little-endian f64, made without our code. */
function hashOf(...arrays: readonly ArrayLike<number>[]): string {
  const hash = createHash('sha256');
  for (const value of arrays.flatMap((one) => Array.from(one))) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    hash.update(bytes);
  }
  return hash.digest('hex');
}

describe('an envelope', () => {
  test('matches the published schema, fast or slow, with inline or linked fields', async () => {
    for (const one of [envelope, envelopeOf(rod, SLOW_STAMPS), envelopeOf(await solve('heat', PLATE))]) {
      expect(EnvelopeSchema.safeParse(one).error).toBeUndefined();
    }
  });

  test('has the value of the chain, modulated by the clock', () => {
    const { value, R_t, masterSum, E, functional, phase, svcond } = envelope;
    expect({ R_t, phase, svcond }).toEqual({
      R_t: 1.0003317780519825,
      phase: 0.4484794755874485,
      svcond: 2303730000,
    });
    expect([masterSum, E]).toEqual([R_t * value, R_t * functional]);
    expect(envelope.stamps).toEqual(STAMPS.map(String));
    expect(envelope).not.toHaveProperty('cko');
    expect(envelope).not.toHaveProperty('alpha_eff');
  });

  test('computes E from the functional of the solver', () => {
    const solution = { ...rod.solution, functional: 2.5 };
    const { pure } = pureWith({ functional: 2.5 });
    const { E, R_t, functional } = envelopeOf({ ...rod, solution, pure });
    expect([functional, E]).toEqual([2.5, R_t * 2.5]);
  });

  test('has the metric shift if the parity rule applies', () => {
    const slow = envelopeOf(rod, SLOW_STAMPS);
    expect(slow.cko?.metric_shift.delta_alpha).toBe(0.0009943967914456471);
    expect(slow.alpha_eff).toBe(0.000005603208554352899);
  });

  test('has the same pure fields whenever the call runs', () => {
    const timed = ['R_t', 'phase', 'svcond', 'masterSum', 'E', 'stamps', 'alpha_eff', 'cko', 'svcProof', 'seal'];
    const pure = (one: Envelope) => {
      const { rtCorrelation: _, ...verification } = one.verification;
      return Object.entries({ ...one, verification }).filter(([name]) => !timed.includes(name));
    };
    expect(pure(envelopeOf(rod, SLOW_STAMPS))).toEqual(pure(envelope));
  });

  test('prints KO42 first, and substitutes inputs', () => {
    const [first, second, ...rest] = envelope.equations;
    expect(first).toMatch(new RegExp(`= ${envelope.value}\\*\\(1 \\+ 0\\.001\\*sin\\(2\\*pi\\*1\\.287\\*t`));
    expect(second).toContain('exp(');
    expect(rest).toEqual([]);
  });

  test('sums one term and lists the modulation as 0', () => {
    const { terms, total, unit } = envelope.master_sum;
    expect(terms.map(({ operator_id, value, included }) => [operator_id, value, included])).toEqual([
      ['solver:heat', envelope.value, true],
      ['KO42', 0, false],
    ]);
    expect([total, unit]).toEqual([envelope.value, envelope.unit]);
    expect(envelope.results).toEqual([
      { operator_id: 'solver:heat', value: envelope.value, unit: 'T', uncertainty: envelope.uncertainty },
    ]);
  });

  test('has a receipt that verifies', () => {
    const { svcProof, operatorChain, R_t, svcond, keyPrefix, value, unit, epoch } = envelope;
    const claim = { operatorIds: operatorChain, R_t, svcond, keyPrefix, value, unit };
    expect(receipts.verify(svcProof, claim, epoch)).toEqual({
      valid: true,
      kind: 'computation',
      version: 'v2',
      epoch: 1,
    });
  });

  test('names its run only if the run is saved', () => {
    const { pure, solution } = rod;
    const call = { notes: [], tokens: 1, runId: undefined };
    expect(buildBody(pure, solution, STAMPS, issuer, call)).not.toHaveProperty('run_id');
    expect(envelope.run_id).toBe('run-1');
  });

  test('is sealed over the JSON that is sent, without the fields that JSON drops', () => {
    const body = buildBody(rod.pure, rod.solution, STAMPS, issuer, { notes: [], tokens: 1, runId: undefined });
    const received = JSON.parse(JSON.stringify({ ...body, seal: sealEnvelope({ ...body }, signer) }));
    expect(verifyEnvelope(received, [signer.publicKey]).every((claim) => claim.ok)).toBe(true);
  });
});

describe('the bound', () => {
  test('is at least 1e-4, and errorPct is the bound in percent', () => {
    const { pure } = pureWith({ bound: 1e-9, ...witness({ reference: rod.solution.value }) });
    expect([pure.precisionBound, pure.errorPct, pure.verification.errorPct]).toEqual([1e-4, 0.01, 0]);
  });

  test('is never less than the measured error or the claim of the solver', () => {
    const { value } = rod.solution;
    const measured = pureWith({ bound: 0, ...witness({ reference: value + 5e-4, scale: 1 }) }).pure;
    expect(measured.precisionBound).toBeCloseTo(5e-4, 12);
    expect(measured.verification.errorPct).toBeCloseTo(0.05, 10);
    expect(pureWith({ bound: 7e-4 }).pure.precisionBound).toBe(7e-4);
  });

  test('above 1e-3 means not converged, and strict mode refuses', () => {
    const { pure } = pureWith({ bound: 2e-3 });
    expect(pure.converged).toBe(false);
    expect(() => assertPrecision(pure)).toThrow(expect.objectContaining({ code: 'PRECISION_REFUSED' }));
    expect(() => assertPrecision(pureWith({ bound: 1e-3 }).pure)).not.toThrow();
  });

  test('does not outweigh a broken invariant or a solver that did not converge', () => {
    const invariants = [{ name: 'mass', value: 1, drift: -2e-6, bound: 1e-6 }];
    const broken = pureWith({ invariants }).pure;
    expect([broken.converged, broken.invariants[0]?.holds]).toEqual([false, false]);
    expect(() => assertPrecision(broken)).toThrow(/"mass" drifted by -0\.000002/);
    expect(() => assertPrecision(pureWith({ converged: false }).pure)).toThrow(/did not converge/);
  });
});

describe('numbers', () => {
  test.each([
    ['value', { value: Number.NaN }],
    ['value', { value: Number.POSITIVE_INFINITY }],
    ['uncertainty', { uncertainty: Number.NaN }],
    ['bound', { bound: Number.POSITIVE_INFINITY }],
    ['functional', { functional: Number.NaN }],
    ['u', { series: [field([0, Number.NaN])] }],
    ['u', { fields: [field([Number.NEGATIVE_INFINITY])] }],
    ['q', { quantities: [{ name: 'q', value: Number.NaN, unit: '1' }] }],
    ['limit', { invariants: [{ name: 'limit', value: 0, drift: 0, bound: Number.POSITIVE_INFINITY }] }],
    ['measured error', { value: 1, witness: { method: 'none', reference: 0, scale: 0 } }],
    ['drift', { invariants: [{ name: 'drift', value: 0, drift: Number.NaN, bound: 1 }] }],
  ])('that are not finite are refused, and named: %s', (name, change) => {
    expect(() => pureWith(change)).toThrow(
      expect.objectContaining({ code: 'PRECISION_REFUSED', message: expect.stringContaining(name) }),
    );
  });

  test('that are −0 are sealed as 0', () => {
    const { pure } = pureWith({
      value: -0,
      functional: -0,
      series: [field([-0, 1])],
      quantities: [{ name: 'q', value: -0, unit: '1' }],
    });
    expect([pure.value, pure.functional, pure.quantities[0]?.value, pure.series[0]?.data?.[0]]).toEqual([0, 0, 0, 0]);
    expect(pure.verification.value_bits).toBe('0000000000000000');
    expect(pure.series[0]?.sha256).toBe(hashOf([0, 1]));
  });

  test('keep their bits through JSON', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const { pure } = pureWith({ value, uncertainty: 0, series: [field([value])], ...witness({ scale: 1e308 }) });
        const back = JSON.parse(JSON.stringify(pure)) as typeof pure;
        expect(back.value).toBe(value + 0);
        expect(back.series[0]?.data).toEqual([value + 0]);
      }),
    );
  });
});

describe('arrays', () => {
  const ramp = (length: number) => Array.from({ length }, (_, i) => i / 7);

  test('are inline up to the limit and linked above it', () => {
    const { pure, linked } = pureWith({
      fields: [field(ramp(LIMITS.inlineNumbers)), field(ramp(LIMITS.inlineNumbers + 1))],
    });
    expect(pure.fields[0]).toEqual({
      name: 'u',
      unit: 'K',
      shape: [4096],
      sha256: hashOf(ramp(4096)),
      data: ramp(4096),
    });
    const sha256 = hashOf(ramp(4097));
    const href = `/api/svc/fields/${sha256}.bin`;
    expect(pure.fields[1]).toEqual({ name: 'u', unit: 'K', shape: [4097], sha256, bytes: 8 * 4097, href });
    expect(linked.map((one) => one.sha256)).toEqual([sha256]);
    expect(
      createHash('sha256')
        .update(linked[0]?.bytes ?? '')
        .digest('hex'),
    ).toBe(sha256);
  });

  test('are hashed once each, and together by their hashes, series first', () => {
    const series = [field([1, 2]), field([3])];
    const fields = [field(ramp(5000))];
    const hashes = [[1, 2], [3], ramp(5000)].map((data) => hashOf(data)).join('');
    const { pure } = pureWith({ series, fields });
    expect(pure.trajectory_sha256).toBe(createHash('sha256').update(hashes).digest('hex'));
    const all = [...rod.solution.series, ...rod.solution.fields];
    expect([...envelope.series, ...envelope.fields].map(({ sha256 }) => sha256)).toEqual(
      all.map(({ data }) => hashOf(data)),
    );
  });

  test('stand as bytes in a self-contained envelope', () => {
    const { pure, linked } = pureFields(
      rod.computation,
      rod.executed,
      { ...rod.solution, fields: [field(ramp(5000))] },
      true,
    );
    expect(linked).toEqual([]);
    const [array] = pure.fields;
    expect(array).not.toHaveProperty('href');
    expect(hashOf(new Float64Array(Uint8Array.from(Buffer.from(array?.base64 ?? '', 'base64')).buffer))).toBe(
      array?.sha256,
    );
  });
});

describe('the dimensional gate', () => {
  const refused = { reason: 'heat takes no voltage', unrecognised: ['voltage'], accepted: { alpha: 'm^2/s' } };

  test('answers without a value, bills nothing, and names the accepted keys', () => {
    const gate = buildGate(rod.solver, refused, STAMPS, issuer);
    expect(GateSchema.safeParse(gate).error).toBeUndefined();
    expect(gate).toMatchObject({
      ok: true,
      value: null,
      value_repr: 'NaN',
      version: 'v1',
      gate: { ok: false, ...refused },
      billing: { tokens: 0 },
    });
    expect(gate).not.toHaveProperty('seal');
  });

  test('has a v1 receipt, which signs no value', () => {
    const { svcProof, R_t, svcond, keyPrefix } = buildGate(rod.solver, refused, STAMPS, issuer) as unknown as Envelope;
    const claim = { operatorIds: rod.solver.operatorChain, R_t, svcond, keyPrefix };
    expect(receipts.verify(svcProof, claim)).toMatchObject({ valid: true, version: 'v1' });
    expect(receipts.verify(svcProof, { ...claim, value: 1, unit: 'T' })).toMatchObject({ reason: 'VALUE_NOT_SIGNED' });
  });
});

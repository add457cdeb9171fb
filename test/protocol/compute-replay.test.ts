// Replay of envelopes of operators, from the receipt and the bytes of the kernel alone, without the registry.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { Envelope as EnvelopeSchema } from '../../src/operations/compute/envelope.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import type { ComputeRequest } from '../../src/protocol/compute-request.ts';
import { compare } from '../../src/protocol/difference.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { replayEnvelope } from '../../src/protocol/replay.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { compute, envelopeOf, forge, replayTools, SLOW_STAMPS, STAMPS, signer } from './sealed-case.ts';
import { changed, leavesOf, nameOf, type Path, withLeaf } from './tamper.ts';

const BOX: ComputeRequest = { domain: 'QM', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };
/** A request with every option: another unit, uncertainties, a constant, a phase of KO42, all terms. */
const RICH: ComputeRequest = {
  domain: 'Chemical Engineering',
  operators: ['CHE17'],
  inputs: { T0: 80, kx: 2.5, ky: 1.75, x: 37, y: 0.6, 'CHE17.alpha': 1.11e-4, 'KO42.phi0': 0.7 },
  consts: { t: 320 },
  units: { x: 'cm' },
  uncertainties: { x: 1, T0: 2 },
  detail: 'full',
};
const OPTION: ComputeRequest = { domain: 'FIN', operators: ['BLACK_SCHOLES'], inputs: optionInputs() };

function optionInputs(): Record<string, number> {
  return { ...OPERATORS.get('BLACK_SCHOLES')?.examples[0]?.inputs };
}

/** Tools without solvers and without a registry. */
const bare = (overrides = {}) => replayTools({ solver: () => undefined, ...overrides });
const replay = (envelope: unknown, tools = bare()) => replayEnvelope(envelope as Untrusted, tools);

let envelope: Envelope;
let rich: Envelope;
beforeAll(async () => {
  envelope = envelopeOf(await compute(BOX));
  rich = envelopeOf(await compute(RICH));
});

describe('an honest receipt', () => {
  test.each([
    ['of one operator', BOX, STAMPS],
    ['under the parity rule', BOX, SLOW_STAMPS],
    ['with every option', RICH, STAMPS],
    ['with every option, under the parity rule', RICH, SLOW_STAMPS],
    ['with intermediate values', OPTION, STAMPS],
    ['with automatically selected operators', { ...BOX, operators: [] }, STAMPS],
  ])('%s replays to the same bits, and matches the published schema', async (_, request, stamps) => {
    const computed = await compute(request);
    const sealed = envelopeOf(computed, stamps);
    expect(EnvelopeSchema.safeParse(sealed).error).toBeUndefined();
    expect(await replay(sealed)).toEqual({
      ok: true,
      equal: true,
      kernel_sha256: computed.image.sha256,
      claims: ['keyid', 'signature', 'statement', 'key pinned', 'replay'].map((claim) => ({ claim, ok: true })),
    });
  });

  test('replays whatever the order of its keys', async () => {
    for (const one of [envelope, rich, envelopeOf(await compute(OPTION))]) {
      expect((await replay(reversed(one))).equal).toBe(true);
    }
  });

  test('has the definitions of its chain, without their examples', () => {
    expect(envelope.definitions.map(({ id }) => id)).toEqual(['KO42', 'QM5']);
    expect(envelope.definitions[1]).toEqual({
      id: 'QM5',
      name: 'Particle-in-a-box eigenenergy',
      equation: 'E = n^2*pi^2*hbar^2/(2*m*L^2)',
      output: { symbol: 'E', unit: 'J' },
      inputs: expect.objectContaining({ n: { unit: '1', min: 1, max: 1000000, integer: true } }),
      constants: {
        hbar: { value: 1.0545718176461565e-34, unit: 'J*s', note: 'CODATA 2022, reduced Planck constant' },
      },
    });
  });

  test('changes R(t) with the phase of KO42, and no pure field', async () => {
    const { 'KO42.phi0': _, ...inputs } = RICH.inputs;
    const plain = envelopeOf(await compute({ ...RICH, inputs }));
    expect(rich.R_t).not.toBe(plain.R_t);
    expect(Math.abs(rich.R_t - 1)).toBeLessThanOrEqual(0.001);
    expect([rich.value, rich.uncertainty]).toEqual([plain.value, plain.uncertainty]);
    expect(rich.equations[0]).toContain('*1.287*t + 0.7))');
    expect(rich.masterSum).toBe(rich.R_t * rich.value);
  });
});

/** The same JSON with the names of every object reversed around. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, reversed(one)]),
  );
}

describe('the current registry', () => {
  const today = (id: string) => {
    const operator = OPERATORS.get(id);
    return operator && definitionOf(operator);
  };

  test('is compared if there is one, and does not count as a claim', async () => {
    expect((await replay(envelope, bare({ definition: today }))).registry).toEqual({ same: true, changed: [] });
    const corrected = (id: string) => {
      const known = today(id);
      return id === 'QM5' && known ? { ...known, equation: 'E = n^2*pi^2*hbar^2/(4*m*L^2)' } : known;
    };
    const report = await replay(envelope, bare({ definition: corrected }));
    expect([report.equal, report.registry]).toEqual([true, { same: false, changed: ['QM5'] }]);
    const gone = await replay(envelope, bare({ definition: () => undefined }));
    expect([gone.equal, gone.registry?.changed]).toEqual([true, ['KO42', 'QM5']]);
  });
});

describe('a change of one leaf', () => {
  test('breaks the seal, whichever leaf it is', async () => {
    for (const one of [envelope, rich]) {
      const leaves = leavesOf(one);
      expect(leaves.length).toBeGreaterThan(90);
      for (const { path, value } of leaves) {
        const tampered = withLeaf(one, path, changed(value));
        const verdict = await replay(tampered).catch((error: unknown) => error);
        if (verdict instanceof DomainError) expect(verdict.code).toBe('VALIDATION_FAILED');
        else expect(verdict, nameOf(path)).toMatchObject({ equal: false });
      }
    }
  });

  // Only the seal covers ISSUED. The caller's request and the definitions are CAUSES and not results.
  const ISSUED =
    /^(svcProof|version|keyPrefix|epoch|notes|billing|run_id|public_key|seal|selection\.(by|operators|also_fit))\b/;
  const CAUSES = /^(solver|domain|kernel_sha256|inputs|consts|units|uncertainties|detail|stamps|definitions)\b/;

  test('that is signed again gives a report that names the field', async () => {
    for (const one of [envelope, rich]) {
      const leaves = leavesOf(one).filter(({ path }) => !ISSUED.test(nameOf(path)) && !CAUSES.test(nameOf(path)));
      expect(leaves.length).toBeGreaterThan(40);
      for (const { path, value } of leaves) {
        const report = await replay(forge(withLeaf(one, path, changed(value))), bare({ trusted: [] }));
        expect(report.first_difference, nameOf(path)).toEqual({
          field: nameOf(path),
          stored: changed(value),
          recomputed: value,
        });
      }
    }
  });

  test('of an input, a unit, an uncertainty or a formula, signed again, is not reproduced', async () => {
    const causes = leavesOf(rich).filter(({ path }) =>
      /^(inputs|units|consts\.t|detail)\b|equation$|output\.\w+$|constants\.(alpha|f)\.value$|inputs\.\w+\.unit$/.test(
        nameOf(path),
      ),
    );
    expect(causes.length).toBeGreaterThan(20);
    for (const { path, value } of causes) {
      const report = await replay(forge(withLeaf(rich, path, changed(value))), bare({ trusted: [] }));
      expect(report.equal, nameOf(path)).toBe(false);
      expect(report.first_difference, nameOf(path)).toBeDefined();
    }
    for (const key of ['x', 'T0']) {
      const doubled = withLeaf(rich, ['uncertainties', key], 2 * (rich.uncertainties?.[key] ?? 0));
      const report = await replay(forge(doubled), bare({ trusted: [] }));
      expect(report.first_difference?.field).toBe('uncertainty');
    }
  });
});

test('an invented definition with the value of another one is not reproduced', async () => {
  const [pulse, box] = envelope.definitions;
  const invented = { ...box, id: 'QM5', equation: 'E = n^3*pi^2*hbar^2/(2*m*L^2)' };
  const report = await replay(
    forge({ ...envelope, definitions: [pulse, invented] } as Envelope),
    bare({ trusted: [] }),
  );
  expect(report.equal).toBe(false);
  expect(report.first_difference?.field).toBe('value');
});

describe('a receipt that cannot be computed', () => {
  const SPOILT: readonly (readonly [what: string, change: (one: Envelope) => unknown, field: string])[] = [
    ['no definitions', (one) => ({ ...one, definitions: [] }), 'definitions'],
    ['no KO42', (one) => ({ ...one, definitions: one.definitions.slice(1) }), 'definitions'],
    ['five operators', (one) => ({ ...one, definitions: Array(5).fill(one.definitions[0]) }), 'definitions'],
    ['a malformed equation', (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = = n'), 'definitions'],
    [
      'an equation that is nested too deeply',
      (one) => withLeaf(one, ['definitions', 1, 'equation'], `E = ${'('.repeat(600)}`),
      'definitions',
    ],
    ['a malformed unit', (one) => withLeaf(one, ['definitions', 1, 'output', 'unit'], 'J^^2'), 'definitions'],
    [
      'a constant that is text',
      (one) => withLeaf(one, ['definitions', 1, 'constants', 'hbar', 'value'], '1'),
      'definitions.1.constants.hbar.value',
    ],
    ['an input that no operator accepts', (one) => ({ ...one, inputs: { ...one.inputs, colour: 1 } }), 'inputs'],
    ['an input out of range', (one) => ({ ...one, inputs: { ...one.inputs, n: 0 } }), 'inputs'],
    ['an input that is text', (one) => ({ ...one, inputs: { ...one.inputs, n: '3' } }), 'inputs.n'],
    ['a unit of a missing input', (one) => ({ ...one, units: { mass: 'kg' } }), 'inputs'],
    ['a division by zero', (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = n*m*L*hbar/0'), 'value'],
    [
      'a sum that is too long',
      (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = sum(k, n, 20000, m*L*hbar)'),
      'value',
    ],
  ];

  test.each(SPOILT)('%s is a difference, not an error', async (_, change, field) => {
    const report = await replay(forge(change(envelope) as Envelope), bare({ trusted: [] }));
    expect([report.equal, report.first_difference?.field]).toEqual([false, field]);
  });

  test('another kernel is a difference in the kernel', async () => {
    const image = await loadKernel('heat');
    const report = await replay({ ...envelope, kernel_sha256: image.sha256 }, bare({ kernel: async () => image }));
    expect(report.first_difference?.field).toBe('kernel_sha256');
  });

  test('without definitions it is refused, and without a selection it is a difference', async () => {
    const { definitions: _, ...without } = envelope;
    await expect(replay(without)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'definitions' }],
    });
    const { selection: __, ...unselected } = envelope;
    expect((await replay(unselected)).first_difference?.field).toBe('selection');
  });
});

test('any replacement of any part gives a report or a refusal', async () => {
  const nodes = nodesOf(rich);
  const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: nodes.length - 1 }), json, async (index, value) => {
      const path = nodes[index] ?? [];
      const tampered = path.length === 0 ? { value } : withLeaf(rich, path, value);
      fc.pre(compare(tampered, rich, '') !== undefined);
      try {
        expect((await replay(tampered)).equal).toBe(false);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(['VALIDATION_FAILED', 'KERNEL_UNAVAILABLE', 'BUDGET_EXCEEDED']).toContain(error.code);
      }
    }),
    { numRuns: 400 },
  );
});

/** The paths of all parts, including objects and arrays. */
function nodesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...parts.flatMap(([name, one]) => nodesOf(one, [...path, name]))];
}

test('the key that signed must be trusted', async () => {
  expect((await replay(envelope, bare({ trusted: [signer.publicKey] }))).equal).toBe(true);
  expect((await replay(forge(envelope))).claims.filter(({ ok }) => !ok).map(({ claim }) => claim)).toEqual([
    'key pinned',
  ]);
});

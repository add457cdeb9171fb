// What operators gave is replayed from the receipt alone: no registry, only the bytes of the kernel.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { Envelope as EnvelopeSchema } from '../../src/operations/schemas.ts';
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
/** All that a request may say: another unit, uncertainties, a constant, a phase of KO42, all terms. */
const RICH: ComputeRequest = {
  domain: 'Chemical Engineering',
  operators: ['CHE17'],
  inputs: { T0: 80, kx: 2.5, ky: 1.75, x: 37, y: 0.6, 'CHE17.alpha': 1.11e-4, 'KO42.phi0': 0.7 },
  consts: { t: 320, site: 4 },
  units: { x: 'cm' },
  uncertainties: { x: 1, T0: 2 },
  detail: 'full',
};
const OPTION: ComputeRequest = { domain: 'FIN', operators: ['BLACK_SCHOLES'], inputs: optionInputs() };

function optionInputs(): Record<string, number> {
  return { ...OPERATORS.get('BLACK_SCHOLES')?.examples[0]?.inputs };
}

/** Tools that know no solver and no registry. */
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
    ['with everything that can be said', RICH, STAMPS],
    ['with everything, under the parity rule', RICH, SLOW_STAMPS],
    ['with intermediate values', OPTION, STAMPS],
    ['found by the wizard', { ...BOX, operators: [] }, STAMPS],
  ])('%s replays to the same bits, and has the published form', async (_, request, stamps) => {
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

  test('replays whatever became of the order of its names', async () => {
    for (const one of [envelope, rich, envelopeOf(await compute(OPTION))]) {
      expect((await replay(turned(one))).equal).toBe(true);
    }
  });

  test('carries the definitions of its chain, and no example of them', () => {
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

  test('moves R(t) by the phase of KO42, and nothing pure', async () => {
    const { 'KO42.phi0': _, ...inputs } = RICH.inputs;
    const plain = envelopeOf(await compute({ ...RICH, inputs }));
    expect(rich.R_t).not.toBe(plain.R_t);
    expect(Math.abs(rich.R_t - 1)).toBeLessThanOrEqual(0.001);
    expect([rich.value, rich.uncertainty]).toEqual([plain.value, plain.uncertainty]);
    expect(rich.equations[0]).toContain('*1.287*t + 0.7))');
    expect(rich.masterSum).toBe(rich.R_t * rich.value);
  });
});

/** The same JSON with the names of every object turned around. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, turned(one)]),
  );
}

describe('what the registry says today', () => {
  const today = (id: string) => {
    const operator = OPERATORS.get(id);
    return operator && definitionOf(operator);
  };

  test('is reported where there is a registry, and is no claim', async () => {
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

describe('whoever changes one leaf', () => {
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

  // The seal answers for these; what a caller asked for and how operators are defined are causes, not results.
  const ISSUED =
    /^(svcProof|version|keyPrefix|epoch|notes|billing|run_id|public_key|seal|selection\.(by|operators|also_fit))\b/;
  const CAUSES = /^(solver|domain|kernel_sha256|inputs|consts|units|uncertainties|detail|stamps|definitions)\b/;

  test('and signs it again is told which field differs', async () => {
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

  test('of an input, a unit, an uncertainty or a formula, and signs it again, has a receipt that does not compute', async () => {
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

test('a law that nobody ever registered replays under its own definition, and the registry denies it', async () => {
  const [pulse, box] = envelope.definitions;
  const invented = { ...box, id: 'QM5', equation: 'E = n^3*pi^2*hbar^2/(2*m*L^2)' };
  const report = await replay(
    forge({ ...envelope, definitions: [pulse, invented] } as Envelope),
    bare({ trusted: [] }),
  );
  expect(report.equal).toBe(false);
  expect(report.first_difference?.field).toBe('value');
});

describe('what cannot be computed', () => {
  const SPOILT: readonly (readonly [what: string, change: (one: Envelope) => unknown, field: string])[] = [
    ['no definitions at all', (one) => ({ ...one, definitions: [] }), 'definitions'],
    ['no KO42', (one) => ({ ...one, definitions: one.definitions.slice(1) }), 'definitions'],
    ['five operators', (one) => ({ ...one, definitions: Array(5).fill(one.definitions[0]) }), 'definitions'],
    ['an equation that is none', (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = = n'), 'definitions'],
    [
      'an equation without end',
      (one) => withLeaf(one, ['definitions', 1, 'equation'], `E = ${'('.repeat(600)}`),
      'definitions',
    ],
    ['a unit that is none', (one) => withLeaf(one, ['definitions', 1, 'output', 'unit'], 'J^^2'), 'definitions'],
    [
      'a constant that is text',
      (one) => withLeaf(one, ['definitions', 1, 'constants', 'hbar', 'value'], '1'),
      'definitions.1.constants.hbar.value',
    ],
    ['an input that nobody takes', (one) => ({ ...one, inputs: { ...one.inputs, colour: 1 } }), 'inputs'],
    ['an input out of range', (one) => ({ ...one, inputs: { ...one.inputs, n: 0 } }), 'inputs'],
    ['an input that is text', (one) => ({ ...one, inputs: { ...one.inputs, n: '3' } }), 'inputs.n'],
    ['a unit of nothing', (one) => ({ ...one, units: { mass: 'kg' } }), 'inputs'],
    ['a division by zero', (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = n*m*L*hbar/0'), 'value'],
    [
      'a sum that is too long',
      (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = sum(k, n, 20000, m*L*hbar)'),
      'value',
    ],
  ];

  test.each(SPOILT)('%s is a difference, not a defect', async (_, change, field) => {
    const report = await replay(forge(change(envelope) as Envelope), bare({ trusted: [] }));
    expect([report.equal, report.first_difference?.field]).toEqual([false, field]);
  });

  test('another kernel is a difference of the kernel', async () => {
    const image = await loadKernel('heat');
    const report = await replay({ ...envelope, kernel_sha256: image.sha256 }, bare({ kernel: async () => image }));
    expect(report.first_difference?.field).toBe('kernel_sha256');
  });

  test('without definitions or selection it is no envelope, or a difference', async () => {
    const { definitions: _, ...without } = envelope;
    await expect(replay(without)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'definitions' }],
    });
    const { selection: __, ...unselected } = envelope;
    expect((await replay(unselected)).first_difference?.field).toBe('selection');
  });
});

test('whatever is put in place of any part, the answer is a verdict or a refusal', async () => {
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

/** The ways to every part, objects and arrays included. */
function nodesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...parts.flatMap(([name, one]) => nodesOf(one, [...path, name]))];
}

test('the key that signed is the one that is trusted', async () => {
  expect((await replay(envelope, bare({ trusted: [signer.publicKey] }))).equal).toBe(true);
  expect((await replay(forge(envelope))).claims.filter(({ ok }) => !ok).map(({ claim }) => claim)).toEqual([
    'key pinned',
  ]);
});

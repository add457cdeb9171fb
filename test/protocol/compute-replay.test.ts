// Replay of envelopes of operators, from the receipt and the bytes of the kernel alone, without the registry.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { Envelope as EnvelopeSchema } from '../../src/operations/compute/envelope.ts';
import { definitionSha256 } from '../../src/operators/definition-hash.ts';
import { OPERATORS } from '../../src/operators/load.ts';
import { type RegisteredHashes, registrationOf } from '../../src/operators/registration.ts';
import { COMPUTE_REVISION } from '../../src/protocol/chain-computation.ts';
import type { ComputeRequest } from '../../src/protocol/compute-request.ts';
import { compare } from '../../src/protocol/difference.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { type ReplayReport, replayEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { receiptVerdict } from '../../src/protocol/words/verdict.ts';
import { compute, envelopeOf, forge, replayTools, SLOW_STAMPS, STAMPS, signer } from './sealed-case.ts';
import { changed, isWord, leavesOf, nameOf, type Path, sealedLeaves, withLeaf } from './tamper.ts';

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

const CLAIMS = ['keyid', 'signature', 'statement', 'key pinned', 'kernel', 'plan', 'answer', 'stamps', 'laws'];
const failedClaims = ({ claims }: ReplayReport) => claims.filter(({ ok }) => ok === false).map(({ claim }) => claim);

/** Tools without solvers. */
const bare = (overrides = {}) => replayTools({ solver: () => undefined, ...overrides });
const replay = (envelope: unknown, tools = bare()) => replayEnvelope(envelope as Untrusted, tools);

/** At the best angle, where the first order is nothing. */
const THROW = {
  domain: 'CM',
  inputs: { v: 30, theta: 45, g: 9.81 },
  operators: ['CM5'],
  uncertainties: { theta: 5 },
};

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
    ['with samples', THROW, STAMPS],
    ['with automatically selected operators', { ...BOX, operators: [] }, STAMPS],
  ])('%s replays to the same bits, and matches the published schema', async (_, request, stamps) => {
    const computed = await compute(request);
    const sealed = envelopeOf(computed, stamps);
    expect(EnvelopeSchema.safeParse(sealed).error).toBeUndefined();
    expect(await replay(sealed)).toEqual({
      ok: true,
      equal: true,
      kernel_sha256: computed.image.sha256,
      revision: { sealed: COMPUTE_REVISION, current: COMPUTE_REVISION },
      laws: expect.objectContaining({ verdict: 'registered' }),
      claims: CLAIMS.map((claim) => ({ claim, ok: true })),
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

describe('the registry', () => {
  test('holds the law, holds another form of it by now, or never held it', async () => {
    const registered = { KO42: ['x'], QM5: ['y'] };
    const hash = (id: string) => definitionSha256(envelope.definitions.find((one) => one.id === id)) ?? '';
    const withList = (list: RegisteredHashes) =>
      replay(envelope, bare({ registration: (one: unknown) => registrationOf(one, list) }));
    const current = await withList({ KO42: [hash('KO42')], QM5: [hash('QM5')] });
    expect([current.equal, current.laws.verdict]).toEqual([true, 'registered']);
    const corrected = await withList({ KO42: [hash('KO42')], QM5: [hash('QM5'), 'another'] });
    expect([corrected.equal, corrected.laws]).toEqual([
      true,
      { verdict: 'changed since', by_id: { KO42: 'registered', QM5: 'changed since' } },
    ]);
    const unknown = await withList(registered);
    expect([unknown.equal, unknown.laws.verdict, failedClaims(unknown)]).toEqual([false, 'not registered', ['laws']]);
  });

  test('does not hold a false QM5, whatever its value and whoever signs it', async () => {
    const [pulse, box] = envelope.definitions;
    const claim = { unit: 'J', min: 0, max: 1 };
    const borrowed = { ...box, equation: 'E = claim*1', inputs: { claim }, constants: undefined };
    const definitions = JSON.parse(JSON.stringify([pulse, borrowed])) as Envelope['definitions'];
    const report = await replay(seal({ ...envelope, definitions, inputs: { claim: 0.5 } }));
    expect(failedClaims(report)).toContain('laws');
    expect(receiptVerdict(report.claims).verdict).toBe('bad');
  });
});

/** Sealed again by the issuer itself, so that only the replay can object. */
function seal(changedEnvelope: Envelope): Envelope {
  return { ...changedEnvelope, seal: sealEnvelope({ ...changedEnvelope }, signer) };
}

describe('a change of one leaf', () => {
  test('breaks the seal, whichever leaf it is, unless it is a word', async () => {
    for (const one of [envelope, rich]) {
      const leaves = leavesOf(one).filter(({ path }) => !isWord(path));
      expect(leaves.length).toBeGreaterThan(90);
      for (const { path, value } of leaves) {
        const tampered = withLeaf(one, path, changed(value));
        const verdict = await replay(tampered).catch((error: unknown) => error);
        if (verdict instanceof DomainError) expect(verdict.code).toMatch(/^(VALIDATION_FAILED|KERNEL_UNAVAILABLE)$/);
        else expect(verdict, nameOf(path)).toMatchObject({ equal: false });
      }
    }
  });

  // Only the seal covers ISSUED. The caller's request and the definitions are CAUSES and not results.
  const ISSUED = /^(svcProof|version|keyPrefix|epoch|billing|run_id|public_key|seal|trajectory_sha256)\b/;
  const CAUSES =
    /^(solver|revision|domain|kernel_sha256|inputs|consts|units|uncertainties|detail|phi0|stamps|definitions|runs|outcomes)\b/;

  test('that is signed again gives a report that names the field', async () => {
    for (const one of [envelope, rich]) {
      const leaves = leavesOf(one).filter(
        ({ path }) => !isWord(path) && !ISSUED.test(nameOf(path)) && !CAUSES.test(nameOf(path)),
      );
      expect(leaves.length).toBeGreaterThan(25);
      for (const { path, value } of leaves) {
        const report = await replay(forge(withLeaf(one, path, changed(value))), bare({ trusted: [] }));
        const { field = '?', ...difference } = report.first_difference ?? {};
        // Elements of lists belong together by name, so a changed name is that of another element.
        if (/\]\.(name|operator_id)$/.test(nameOf(path))) expect(nameOf(path)).toContain(field);
        else
          expect({ field, ...difference }).toEqual({ field: nameOf(path), stored: changed(value), recomputed: value });
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
    }
    for (const key of ['x', 'T0']) {
      const doubled = withLeaf(rich, ['uncertainties', key], 2 * (rich.uncertainties?.[key] ?? 0));
      const report = await replay(forge(doubled), bare({ trusted: [] }));
      // The rows of the kernel look as far as the uncertainty reaches.
      expect(report.first_difference?.field).toBe('runs[0].inputs.slots.sha256');
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
  expect(failedClaims(report)).toEqual(['key pinned', 'plan', 'laws']);
});

describe('a receipt that cannot be computed', () => {
  /** Another law makes another run. */
  const RUN = 'runs[0].parameters.codeWords';
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
    ['a division by zero', (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = n*m*L*hbar/0'), RUN],
    [
      'a sum that is too long',
      (one) => withLeaf(one, ['definitions', 1, 'equation'], 'E = sum(k, n, 20000, m*L*hbar)'),
      RUN,
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

  test('without definitions it is refused; a selection is words, and may be missing', async () => {
    const { definitions: _, ...without } = envelope;
    await expect(replay(without)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'definitions' }],
    });
    const { selection: __, ...unselected } = envelope;
    expect((await replay(unselected)).equal).toBe(true);
  });
});

test('any replacement of any part gives a report or a refusal', async () => {
  const nodes = nodesOf(rich);
  const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: nodes.length - 1 }), json, async (index, value) => {
      const path = nodes[index] ?? [];
      const tampered = path.length === 0 ? { value } : withLeaf(rich, path, value);
      fc.pre(!isWord(path) && compare(sealedLeaves(tampered), sealedLeaves(rich), '') !== undefined);
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

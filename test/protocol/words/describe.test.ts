// Receipts in words: genuine, older, forged and hostile ones.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { verifyEnvelope } from '../../../src/protocol/replay.ts';
import { sealEnvelope } from '../../../src/protocol/seal.ts';
import type { Untrusted } from '../../../src/protocol/untrusted.ts';
import { describeReceipt, type ReceiptWords } from '../../../src/protocol/words/describe.ts';
import { kernelSlugOf, registryKnowledge } from '../../../src/protocol/words/registry-knowledge.ts';
import { isSealed } from '../../../src/protocol/words/verdict.ts';
import { findSolver } from '../../../src/solvers/index.ts';
import { compute, envelopeOf, ROD, signer, solve } from '../sealed-case.ts';

const kinetic = envelopeOf(
  await compute({
    domain: 'CM',
    operators: ['CM9'],
    inputs: { m: 2, v: 90 },
    units: { v: 'km/h' },
    uncertainties: { v: 1 },
  }),
);

async function knowledgeOf(envelope: Untrusted) {
  const slug = kernelSlugOf(envelope);
  const kernel = slug === undefined ? undefined : await loadKernel(slug);
  return registryKnowledge(kernel?.sha256, ({ x }) => (x === signer.publicKey.x ? 'a key in keys.json' : undefined));
}

async function wordsOf(receipt: object): Promise<ReceiptWords> {
  const envelope = { ...receipt };
  return describeReceipt(envelope, await knowledgeOf(envelope), isSealed(verifyEnvelope(envelope)));
}

/** One text for each label. */
const textsOf = ({ lines }: ReceiptWords) => Object.fromEntries(lines.map(({ label, text }) => [label, text]));
const lineOf = ({ lines }: ReceiptWords, label: string) => lines.find((line) => line.label === label);

/** Signs a changed envelope with the same key, as an older version or a dishonest node would. */
function resealed(change: Untrusted, without: readonly string[] = []): Untrusted {
  const { seal: _, ...body } = { ...kinetic, ...change } as Record<string, unknown>;
  for (const name of without) delete body[name];
  return { ...body, seal: sealEnvelope(body as never, signer) };
}

test('the receipt of a law names law, equation, inputs with units, result, date and signer', async () => {
  const words = await wordsOf(kinetic);
  expect(textsOf(words)).toMatchObject({
    Result: `K = 625 ± ${kinetic.uncertainty} J`,
    Law: 'CM9',
    Equation: 'K = m*v^2/2',
    'Input m': '2 kg',
    'Input v': '90 ± 1 km/h',
    Date: '2026-09-21 14:13:20.346 UTC',
    'Signed by': `key ${signer.publicKey.kid}`,
    'Kernel SHA-256': kinetic.kernel_sha256,
  });
  expect(lineOf(words, 'Input v')?.added).toEqual(['= 25 ± 0.2777777777777778 m/s', 'speed']);
  expect(lineOf(words, 'Input m')?.added).toEqual(['mass']);
  expect(lineOf(words, 'Result')?.added[0]).toBe('≈ 625 ± 28 J');
  expect(lineOf(words, 'Law')?.added).toEqual(['Translational kinetic energy', 'as registered in this version']);
  expect(lineOf(words, 'Signed by')?.added).toEqual(['a key in keys.json']);
  expect(words.warnings).toEqual([]);
});

/** Each changes one sealed field that is shown. */
const CHANGES: readonly (readonly [string, (envelope: never) => Untrusted])[] = [
  ['value', () => ({ value: 626 })],
  ['uncertainty', () => ({ uncertainty: 1 })],
  ['unit', () => ({ unit: 'kJ' })],
  ['number of an input', () => ({ inputs: { m: 3, v: 90 } })],
  ['unit of an input', () => ({ units: { v: 'm/s' } })],
  ['uncertainty of an input', () => ({ uncertainties: { v: 2 } })],
  ['declared unit', () => ({ definitions: withDefinition({ inputs: { m: { unit: 'g' }, v: { unit: 'm/s' } } }) })],
  ['id of the law', () => ({ definitions: withDefinition({ id: 'CM8' }) })],
  ['equation', () => ({ definitions: withDefinition({ equation: 'K = m*v^3/2' }) })],
  ['date', () => ({ stamps: kinetic.stamps.map((stamp) => String(BigInt(stamp) + 86_400_000_000_000n)) })],
  ['kernel', () => ({ kernel_sha256: 'ab'.repeat(32) })],
  ['caller', () => ({ keyPrefix: 'svc_ak_ffffffff' })],
  ['result of the second way', () => ({ verification: { ...kinetic.verification, reference: 626 } })],
];

/** Each changes words that no seal covers. */
const WORDS: readonly (readonly [string, (envelope: never) => Untrusted])[] = [
  ['name of the law', () => ({ definitions: withDefinition({ name: 'Certified by NIST' }) })],
  ['note', () => ({ notes: ['Certified by NIST'] })],
  ['method of the second way', () => ({ verification: { ...kinetic.verification, method: 'Certified by NIST' } })],
  ['list of equations', () => ({ equations: ['Certified by NIST'] })],
  ['reason of the selection', () => ({ selection: { operators: [{ operator_id: 'CM9', why: 'Certified by NIST' }] } })],
];

const withDefinition = (change: Untrusted) =>
  kinetic.definitions.map((one, at) => (at === 1 ? { ...one, ...change } : one));

describe('the seal covers every text of a line', () => {
  test.each(CHANGES)('a changed %s changes the words, and they are no longer signed', async (_, change) => {
    const changed = { ...kinetic, ...change(kinetic as never) };
    const before = await wordsOf(kinetic);
    const after = describeReceipt(changed, await knowledgeOf(changed), true);
    expect(after.lines.map(({ text }) => text)).not.toEqual(before.lines.map(({ text }) => text));
    expect(isSealed(verifyEnvelope(changed))).toBe(false);
    expect(lineOf(await wordsOf(changed), 'Signed by')).toBeUndefined();
    expect(lineOf(await wordsOf(changed), 'Names as signer')?.added).toEqual(['not proved']);
  });

  test.each(WORDS)('a changed %s breaks no seal, and is never shown', async (_, change) => {
    const changed = { ...kinetic, ...change(kinetic as never) };
    expect(isSealed(verifyEnvelope(changed))).toBe(true);
    expect(await wordsOf(changed)).toEqual(await wordsOf(kinetic));
  });
});

test('a receipt without definitions takes name, equation and units from this version, unsigned', async () => {
  const older = resealed({ definitions: [] }, ['units']);
  expect(isSealed(verifyEnvelope(older))).toBe(true);
  const words = await wordsOf(older);
  expect(lineOf(words, 'Input v')).toMatchObject({ text: '90 ± 1', added: ['unit m/s', 'speed'] });
  expect(lineOf(words, 'Law')).toMatchObject({ text: 'CM9', added: ['Translational kinetic energy'] });
  expect(lineOf(words, 'Equation')).toMatchObject({ text: 'not in the receipt', added: ['K = m*v^2/2'] });
  expect(words.warnings).toEqual([
    'The receipt holds no complete definition of CM9. What is missing comes from this version and is not signed.',
  ]);
});

test('without the same kernel, a missing unit stays unknown', async () => {
  const words = await wordsOf(resealed({ kernel_sha256: '0'.repeat(64), definitions: [] }, ['units']));
  expect(lineOf(words, 'Input v')).toMatchObject({ text: '90 ± 1', added: ['unit unknown'] });
});

test('a law that lacks only its units is completed, but not if its equation differs', async () => {
  const bare = { m: {}, v: {} };
  const same = await wordsOf(resealed({ definitions: withDefinition({ inputs: bare }) }));
  expect(lineOf(same, 'Input m')).toMatchObject({ text: '2', added: ['unit kg', 'mass'] });
  const other = await wordsOf(resealed({ definitions: withDefinition({ inputs: bare, equation: 'K = m*v' }) }));
  expect(lineOf(other, 'Input m')).toMatchObject({ text: '2', added: ['unit unknown'] });
  expect(other.warnings[0]).toContain('registers another CM9');
});

test('an equation under a borrowed name is marked, also if it is signed', async () => {
  const forged = resealed({ definitions: withDefinition({ equation: 'K = 1000*m*v^2/2' }) });
  expect(isSealed(verifyEnvelope(forged))).toBe(true);
  const words = await wordsOf(forged);
  expect(lineOf(words, 'Law')?.added).toEqual(['not the law that this version registers under this id']);
  expect(lineOf(words, 'Input v')?.added).not.toContain('speed');
  expect(words.warnings).toEqual([
    'This version registers another CM9: Translational kinetic energy, K = m*v^2/2. Judge the equation itself.',
  ]);
  const unknown = await wordsOf(resealed({ definitions: withDefinition({ id: 'NIST1' }) }));
  expect(unknown.warnings[0]).toContain("no NIST1: its name and equation are the sender's own");
});

test('a law that an earlier version registered is no stranger, and a registered one shows its name', async () => {
  const older = resealed({ definitions: withDefinition({ equation: 'K = v^2*m/2' }) });
  const knowledge = { ...(await knowledgeOf(older)), registration: () => 'changed since' as const };
  const words = describeReceipt(older, knowledge, true);
  expect(lineOf(words, 'Law')?.added).toEqual(['as an earlier version registered it']);
  expect(words.warnings).toEqual([
    'This version registers another CM9: Translational kinetic energy, K = m*v^2/2. An earlier one had this definition.',
  ]);
  const withdrawn = describeReceipt(older, { ...knowledge, law: () => undefined }, true);
  expect(withdrawn.warnings).toEqual([
    'This version no longer registers CM9; an earlier one did, with this definition.',
  ]);
  const renamed = await wordsOf(resealed({ definitions: withDefinition({ name: 'Certified by NIST' }) }));
  expect(lineOf(renamed, 'Law')).toMatchObject({
    text: 'CM9',
    added: ['Translational kinetic energy', 'as registered in this version'],
  });
});

test('a chain shows the result of each law, and which law feeds which', async () => {
  const chained = envelopeOf(
    await compute({ domain: 'CM', operators: ['CM4', 'CM9'], inputs: { v0: 0, a: 2, s: 9, m: 3 } }),
  );
  const words = await wordsOf(chained);
  expect(textsOf(words)['Result of CM4']).toMatch(/^6 ± .* m\/s$/);
  expect(lineOf(words, 'Input v')).toMatchObject({ text: 'the result of CM4', added: [] });
  expect(lineOf(words, 'Result')?.text).toMatch(/^K = 54 ± /);
});

test('a default of the law is shown as an input', async () => {
  const height = envelopeOf(await compute({ domain: 'CM', operators: ['CM10'], inputs: { m: 2, y: 3 } }));
  expect(lineOf(await wordsOf(height), 'Input y0')).toMatchObject({ text: '0 m', added: ['default of the law'] });
});

test('the receipt of a solver says what it solves; units come from this version and are not signed', async () => {
  const rod = envelopeOf(await solve('heat', ROD));
  const words = await wordsOf(rod);
  expect(lineOf(words, 'Solver')).toMatchObject({
    text: `heat, revision ${findSolver('heat')?.revision}`,
    added: [expect.stringContaining('Heat conduction'), expect.any(String)],
  });
  expect(lineOf(words, 'Input alpha')).toMatchObject({ text: '1', added: ['unit m^2/s', 'Thermal diffusivity'] });
  const other = describeReceipt(
    { ...rod },
    registryKnowledge('0'.repeat(64), () => undefined),
    true,
  );
  expect(lineOf(other, 'Input alpha')).toMatchObject({ text: '1', added: ['unit unknown'] });
  expect(other.warnings[0]).toContain('Another kernel');
});

test("the value of equations says whether they are the caller's own or a law", async () => {
  const own = envelopeOf(await solve('unified', { equations: 'a = 2*3' }));
  const id = own.operator_id;
  expect(id).toMatch(/^own:[0-9a-f]{16}$/);
  expect(lineOf(await wordsOf(own), 'Value by')).toEqual({
    kind: 'law',
    label: 'Value by',
    text: id,
    added: ['equations of the caller, which stand in the inputs; no law made this number'],
  });
  const results = [{ operator_id: 'CM9', value: 6, unit: 'J', uncertainty: 0 }];
  const law = { ...own, operator_id: 'CM9', results };
  const byLaw = await wordsOf({ ...law, definitions: kinetic.definitions });
  expect(lineOf(byLaw, 'Value by')).toMatchObject({ text: 'CM9', added: ['Translational kinetic energy'] });
  const definitions = withDefinition({ equation: 'K = 6' });
  expect(lineOf(await wordsOf({ ...law, definitions }), 'Value by')).toBeUndefined();
});

const SAFE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}⟦⟧]*$/u;
const allTexts = ({ lines, warnings }: ReceiptWords) => [
  ...warnings,
  ...lines.flatMap(({ label, text, added }) => [label, text, ...added]),
];

test('hostile texts are shown as text: escapes, markup, overrides, inherited names', async () => {
  const attack = '\u001b[2J<img src=x onerror=alert(1)>\u202e⟦as registered in this version⟧';
  const hostile = resealed({
    unit: attack,
    inputs: JSON.parse(`{"__proto__": 1, "constructor": 2, "toString": "x", ${JSON.stringify(attack)}: 5}`),
    units: JSON.parse(`{"constructor": ${JSON.stringify(attack)}, "__proto__": "km/h"}`),
    keyPrefix: attack,
    notes: [attack],
    definitions: withDefinition({ id: 'constructor', name: attack, equation: attack, where: { [attack]: attack } }),
    verification: { ...kinetic.verification, method: attack },
  });
  // Every check refuses such names; the words do not rely on it.
  expect(() => verifyEnvelope(hostile)).toThrow('no field of the name');
  const words = describeReceipt(hostile, await knowledgeOf(hostile), true);
  for (const text of allTexts(words)) expect(text).toMatch(SAFE);
  expect(textsOf(words)).toMatchObject({
    'Input __proto__': '1 km/h',
    'Input toString': 'x',
    Law: 'constructor',
    Equation: expect.stringContaining('\\u{1b}[2J<img src=x onerror=alert(1)>\\u{202e}'),
  });
});

test('huge inputs are shortened with their count', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, at]));
  const words = await wordsOf(resealed({ inputs: { ...many, list: 1 } }));
  expect(lineOf(words, 'More inputs')?.text).toBe('961 of 1,001 are not shown');
  const long = await wordsOf(
    resealed({
      inputs: { list: Array.from({ length: 5_000 }, (_, at) => at), text: 'x'.repeat(90_000), deep: [[[[1]]]] },
    }),
  );
  expect(textsOf(long)).toMatchObject({
    'Input list': '[0, 1, 2, 3, 4, 5, 6, 7, … of 5,000]',
    'Input text': `${'x'.repeat(300)}… (90,000 characters)`,
    'Input deep': '[[[… of 1]]]',
  });
});

test('no JSON object makes the description fail, and every text is safe and short', async () => {
  const knowledge = await knowledgeOf({ ...kinetic });
  const names = [...Object.keys(kinetic), 'solver', 'inputs'];
  const field = fc.oneof(
    fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom('compute', 'heat', 'unified'),
    fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())),
  );
  const changes = fc.dictionary(fc.constantFrom(...names), field);
  fc.assert(
    fc.property(changes, fc.boolean(), (change, isSigned) => {
      const words = describeReceipt({ ...kinetic, ...change }, knowledge, isSigned);
      for (const text of allTexts(words)) {
        expect(text).toMatch(SAFE);
        expect(text.length).toBeLessThan(7_000);
      }
    }),
    { numRuns: 300 },
  );
});

// Result files: with or without a seal, they hold all that a re-run needs.

import { describe, expect, test } from 'vitest';
import { isResultFile, openResultFile } from '../../src/protocol/open-result.ts';
import { replayEnvelope, replayResult } from '../../src/protocol/replay.ts';
import { resultFileOf } from '../../src/protocol/result-file.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { type Computed, compute, envelopeOf, PLATE, ROD, replayTools, solve } from './sealed-case.ts';

const SPEED = {
  domain: 'CM',
  operators: ['CM9'],
  inputs: { m: 2, v: 90 },
  units: { v: 'km/h' },
};

/** The file as it is read again. */
function saved({ computation, executed, pure, solution }: Computed, envelope?: Untrusted): Untrusted {
  const runArrays = executed.runs.flatMap(({ inputs = {} }) => Object.values(inputs).flatMap((data) => data ?? []));
  const kernel = computation.kernel;
  const file = resultFileOf({ pure, solution, runArrays, kernel, inputUnits: { v: 'km/h' }, envelope });
  return JSON.parse(JSON.stringify(file)) as Untrusted;
}

const CASES = [
  ['a law with units', compute(SPEED)],
  ['a rod', solve('heat', ROD)],
  ['a plate with long arrays', solve('heat', PLATE)],
] as const;

describe.each(CASES)('%s', (_, running) => {
  test('without a seal: the file is replayed bit for bit, and a changed bit is found', async () => {
    const { subject, isSealed } = openResultFile(saved(await running));
    expect(isSealed).toBe(false);
    const report = await replayResult(subject, replayTools());
    expect(report.claims).toEqual(['arrays', 'kernel', 'plan', 'answer', 'laws'].map((claim) => ({ claim, ok: true })));
    expect(JSON.stringify(subject)).not.toContain('href');
    const value = Number(subject.value) * (1 + 2 ** -52);
    const changed = await replayResult({ ...subject, value }, replayTools());
    expect(changed).toMatchObject({ equal: false, first_difference: { field: 'value', stored: value } });
  });

  test('with a seal: the file holds the envelope, and nothing that could differ from it', async () => {
    const computed = await running;
    const file = saved(computed, { ...envelopeOf(computed) });
    expect(file).not.toHaveProperty('result');
    const { subject, isSealed } = openResultFile(file);
    expect(isSealed).toBe(true);
    expect(await replayEnvelope(subject, replayTools())).toMatchObject({ equal: true });
  });
});

test('the long arrays stand in the file, and a changed number is found by its hash', async () => {
  const { subject } = openResultFile(saved(await solve('heat', PLATE)));
  const fields = subject.fields as { name: string; base64?: string; data?: number[] }[];
  const at = fields.findIndex(({ base64 }) => base64 !== undefined);
  const bytes = Buffer.from(fields[at]?.base64 ?? '', 'base64');
  expect(bytes.length).toBeGreaterThan(8 * 4_096);
  bytes.writeDoubleLE(1e-300, 8 * 17);
  const broken = [{ base64: bytes.toString('base64') }, { base64: 'x' }, { base64: 7 }, { data: [0] }, { data: 'x' }];
  for (const change of broken) {
    const changed = fields.map((field, index) => (index === at ? { ...field, base64: undefined, ...change } : field));
    const { claims, equal } = await replayResult(asJson({ ...subject, fields: changed }), replayTools());
    expect([equal, claims[0]], JSON.stringify(change).slice(0, 40)).toMatchObject([
      false,
      { claim: 'arrays', ok: false },
    ]);
  }
});

const asJson = (value: Untrusted) => JSON.parse(JSON.stringify(value)) as Untrusted;

test('units of inputs are for readers, and marked as not signed', async () => {
  const file = saved(await compute(SPEED));
  expect(file.not_signed).toMatchObject({ input_units: { v: 'km/h' }, kernel: { slug: 'expression', abi: 2 } });
  expect(file.result).toMatchObject({
    inputs: { m: 2, v: 90 },
    units: { v: 'km/h' },
    kernel_sha256: expect.any(String),
  });
});

test.each([
  [{ format: 'svc-result/9' }, 'svc-result/2 is expected'],
  [{ format: 'svc-result/2' }, 'holds an object as its envelope or result'],
  [{ format: 'svc-result/2', result: {}, envelope: {} }, 'holds both'],
  [{ format: 'svc-result/1', result: {} }, 'svc-result/2 is expected'],
])('%o is refused', (file, message) => {
  expect(isResultFile(file)).toBe(true);
  expect(() => openResultFile(file)).toThrow(message);
});

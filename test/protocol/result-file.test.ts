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
function saved({ computation, pure, solution }: Computed, envelope?: Untrusted): Untrusted {
  const file = resultFileOf({ pure, solution, kernel: computation.kernel, inputUnits: { v: 'km/h' }, envelope });
  return JSON.parse(JSON.stringify(file)) as Untrusted;
}

const CASES = [
  ['a law with units', compute(SPEED)],
  ['a rod', solve('heat', ROD)],
  ['a plate with long arrays', solve('heat', PLATE)],
] as const;

describe.each(CASES)('%s', (_, running) => {
  test('without a seal: the file is replayed bit for bit, and a changed bit is found', async () => {
    const { subject, isSealed, claims } = openResultFile(saved(await running));
    expect([isSealed, claims.every(({ ok }) => ok === true)]).toEqual([false, true]);
    const report = await replayResult(subject, replayTools());
    expect(report).toMatchObject({ equal: true, claims: [{ claim: 'replay', ok: true }] });
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

test('the long arrays stand in the file, and a changed number is found by the hash in the result', async () => {
  const file = saved(await solve('heat', PLATE));
  const arrays = file.arrays as { name: string; data: number[]; sha256: string }[];
  expect(arrays.length).toBeGreaterThan(0);
  expect(arrays[0]?.data.length).toBeGreaterThan(4_096);
  const changed = structuredClone(arrays);
  const [first] = changed;
  if (first) first.data[17] = 1e-300;
  expect(openResultFile({ ...file, arrays: changed }).claims).toMatchObject([{ claim: 'arrays', ok: false }]);
  const renamed = arrays.map((one) => ({ ...one, name: 'other' }));
  expect(openResultFile({ ...file, arrays: renamed }).claims).toMatchObject([{ ok: false }]);
  for (const broken of [[null], [{}], [{ ...arrays[0], data: 'x' }], [{ ...arrays[0], data: [null] }]])
    expect(openResultFile({ ...file, arrays: broken }).claims).toMatchObject([{ ok: false }]);
});

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
  [{ format: 'svc-result/9' }, 'svc-result/1 is expected'],
  [{ format: 'svc-result/1' }, 'holds an object as its envelope or result'],
  [{ format: 'svc-result/1', result: {}, envelope: {} }, 'holds both'],
  [{ format: 'svc-result/1', result: {}, arrays: 7 }, 'arrays is 7; a list is expected'],
])('%o is refused', (file, message) => {
  expect(isResultFile(file)).toBe(true);
  expect(() => openResultFile(file)).toThrow(message);
});

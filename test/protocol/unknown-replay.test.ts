// Replay and seal of an unknown: its root, its other roots and the claim that they are all.

import { beforeAll, expect, test } from 'vitest';
import { Envelope as EnvelopeSchema } from '../../src/operations/compute/envelope.ts';
import { computationOf, requestOf } from '../../src/protocol/answer.ts';
import { selectComputation } from '../../src/protocol/compute-request.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { type ReplayReport, replayEnvelope } from '../../src/protocol/replay.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { receiptSentences } from '../../src/protocol/words/sentences.ts';
import { compute, envelopeOf, forge, replayTools } from './sealed-case.ts';

const ANGLE = {
  domain: 'CM5',
  inputs: { R: 800, v: 10 },
  units: { R: 'cm' },
  uncertainties: { v: 0.1 },
  solve_for: 'theta',
  as: 'rad',
};
const failed = ({ claims }: ReplayReport) => claims.filter(({ ok }) => ok === false).map(({ claim }) => claim);
const replay = (envelope: unknown) => replayEnvelope(envelope as Untrusted, replayTools({ solver: () => undefined }));

let envelope: Envelope;
beforeAll(async () => {
  envelope = envelopeOf(await compute(ANGLE));
});

test('a receipt of an unknown replays bit for bit from itself', async () => {
  EnvelopeSchema.parse(envelope);
  expect(envelope).toMatchObject({ solve_for: 'theta', complete: true, unit: 'rad', operator_id: 'CM5' });
  expect(envelope.runs).toHaveLength(2);
  const report = await replay(envelope);
  expect(failed(report)).toEqual([]);
  expect(report.claims.find(({ claim }) => claim === 'answer')?.ok).toBe(true);
});

test.each<[string, Partial<Record<keyof Envelope, unknown>>, string]>([
  ['another unknown', { solve_for: 'v' }, 'statement'],
  ['a claim of fewer roots', { complete: false }, 'statement'],
])('%s breaks the seal', async (_, change, claim) => {
  expect(failed(await replay({ ...envelope, ...change }))).toContain(claim);
});

test('a forger who says that there is one root is found by the replay', async () => {
  const [first] = envelope.quantities;
  expect(first?.name).toBe('root 1 of 2');
  const forged = forge({ ...envelope, quantities: [{ ...first, name: 'root 1 of 1' }] } as Envelope);
  expect(failed(await replay(forged))).toContain('answer');
});

test('a forger who claims an unknown where none was asked for is found by the replay', async () => {
  const plain = envelopeOf(await compute({ domain: 'CM9', inputs: { m: 2, v: 10 } }));
  expect(failed(await replay(forge({ ...plain, complete: true } as Envelope)))).toContain('answer');
  const named = await replay(forge({ ...plain, solve_for: 'v' } as Envelope));
  expect(failed(named).length).toBeGreaterThan(1);
});

test('another thread makes the same computation from plain data', async () => {
  const { computation, executed } = await compute(ANGLE);
  const again = computationOf(structuredClone(requestOf(computation)), () => undefined);
  expect(again.collect(executed.outputs)).toEqual(computation.collect(executed.outputs));
});

test('the sentences name the unknown and all roots', () => {
  const knowledge = { law: () => undefined, solver: () => undefined, registration: () => 'registered' };
  const [first, ...rest] = receiptSentences({ ...envelope }, knowledge as never);
  expect(first).toMatch(/^theta = /);
  expect(rest.join(' ')).toContain('All roots in its range: root 1 of 2 = 0.45');
});

test('binding an unknown does not search: the search belongs to the worker', () => {
  const bound = selectComputation({ domain: 'CM9', inputs: { K: -1, m: 2 }, solve_for: 'v' })();
  if (bound.kind === 'gate') throw new Error(bound.gate.reason);
  expect(bound.computation.isWhole).toBe(true);
  expect(() => bound.computation.plan()).toThrow(expect.objectContaining({ code: 'ROOT_NOT_FOUND' }));
});

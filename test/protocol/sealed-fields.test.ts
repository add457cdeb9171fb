// The closed list of sealed fields: its text is canonical JSON, and nothing outside of it enters the seal.

import { beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import {
  answerFields,
  coveredFields,
  sealedSha256,
  timedFieldsOf,
  uncoveredFields,
} from '../../src/protocol/sealed-fields.ts';
import { compute, envelopeOf, ROD, SLOW_STAMPS, solve } from './sealed-case.ts';

let envelopes: readonly Envelope[];
beforeAll(async () => {
  const request = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { v: 'km/h' } };
  envelopes = [envelopeOf(await solve('heat', ROD), SLOW_STAMPS), envelopeOf(await compute(request))];
});

test('the hash is that of canonical JSON of the selected fields', () => {
  for (const envelope of envelopes) {
    const { svcProof, version, keyPrefix, epoch, billing, run_id } = envelope;
    const issued = { svcProof, version, keyPrefix, epoch, billing, run_id };
    const selected = { ...answerFields({ ...envelope }), ...timedFieldsOf({ ...envelope }), ...issued };
    expect(sealedSha256({ ...envelope })).toBe(sha256Hex(canonicalJson(selected)));
  }
});

test('values of another type than the list expects enter whole', () => {
  const [envelope] = envelopes;
  const hashes = [[], {}, 'none', null, [null], [[1]]].map((series) => sealedSha256({ ...envelope, series }));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('every field is covered, a word, or a carrier of the seal', () => {
  for (const envelope of envelopes) {
    const covered = coveredFields({ ...envelope });
    const uncovered = uncoveredFields({ ...envelope });
    expect(uncovered).toEqual(expect.arrayContaining(['equations', 'plots', 'notes']));
    const outer = uncovered.filter((name) => !name.includes('.'));
    expect([...covered, ...outer, 'ok', 'public_key', 'seal'].sort()).toEqual(Object.keys(envelope).sort());
    for (const word of ['equations', 'selection', 'plots', 'notes']) expect(covered).not.toContain(word);
  }
});

test('words inside of covered fields are listed by their path', () => {
  const [rod, law] = envelopes.map((envelope) => uncoveredFields({ ...envelope }).filter((name) => name.includes('.')));
  const common = [
    'definitions[].name',
    'master_sum.terms[].expression',
    'master_sum.terms[].term',
    'uncertainty_budget[].basis',
    'verification.method',
  ];
  expect([...(rod ?? [])].sort()).toEqual([...common, 'invariants[].label'].sort());
  expect([...(law ?? [])].sort()).toEqual(common.sort());
  const [envelope] = envelopes;
  const verification = { ...envelope?.verification, approved_by: 'me' };
  expect(uncoveredFields({ ...envelope, verification })).toContain('verification.approved_by');
});

// The museum at a node that never signed any of it: every receipt replays as it was pinned, by an unknown key.

import { describe, expect, test } from 'vitest';
import { claimSentence } from '../../src/protocol/words/verdict.ts';
import type { VerifyAnswer } from '../../src/services/compute/proofs.ts';
import type { ReplayAnswer } from '../../src/services/compute/replay.ts';
import { claimsOfStranger, currentRevision, expectedClaims, MUSEUM } from '../receipts/museum.ts';
import { startService } from './service-fixture.ts';

const service = await startService();

test('the museum has receipts', () => {
  expect(MUSEUM.length).toBeGreaterThan(20);
});

describe.each(MUSEUM)('$name', (exhibit) => {
  const current = currentRevision(exhibit);

  test('replays as it was pinned, and its key is unknown here', async () => {
    const answer = await service.call('POST /api/svc/replay', { json: exhibit.receipt });
    expect(answer.status, answer.text).toBe(200);
    const { claims, equal, revision, verdict } = answer.json() as unknown as ReplayAnswer;
    const found = Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
    expect(found).toEqual(claimsOfStranger(expectedClaims(exhibit, current)));
    expect([equal, verdict.verdict]).toEqual([false, 'bad']);
    expect(revision).toMatchObject({
      sealed: exhibit.verdicts.revision,
      ...(current === undefined ? {} : { current }),
    });
  });

  test('is checked without a replay', async () => {
    const answer = await service.call('POST /api/svc/verify', { as: 'read', json: { receipt: exhibit.receipt } });
    expect(answer.status, answer.text).toBe(200);
    // Another node holds the secret of its HMAC.
    const { valid, verdict, covered, uncovered } = answer.json() as unknown as Required<VerifyAnswer>;
    expect([valid, verdict.verdict]).toEqual([false, 'bad']);
    const listed = (list: readonly string[]) => list.some((sentence) => sentence.startsWith(claimSentence('laws')));
    const holds = expectedClaims(exhibit, current).laws;
    expect([listed(verdict.checked), listed(verdict.failed)]).toEqual([holds, !holds]);
    const names = Object.keys(exhibit.receipt).filter((name) => !['ok', 'public_key', 'seal'].includes(name));
    expect([...covered, ...uncovered.filter((name) => !name.includes('.'))].sort()).toEqual(names.sort());
  });
});

// svc verify and svc replay on every receipt of the museum, with the keys of its state.

import { describe, expect, test } from 'vitest';
import { currentRevision, expectedClaims, MUSEUM } from '../receipts/museum.ts';
import { svc } from './run-svc.ts';

const byName = (claims: readonly { readonly claim: string; readonly ok: boolean | null }[]) =>
  Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
/** Claims that need no kernel. */
const SEAL = ['keyid', 'signature', 'statement', 'key pinned', 'laws'];

test('the museum has a room', () => {
  expect(MUSEUM.length).toBeGreaterThan(20);
});

describe.each(MUSEUM)('$name', (exhibit) => {
  const expected: Readonly<Record<string, boolean | null>> = expectedClaims(exhibit, currentRevision(exhibit));
  const exitCode = (claims: readonly (boolean | null | undefined)[]) => (claims.includes(false) ? 4 : 0);

  test('svc replay reports the pinned verdict of each claim', async () => {
    const { code, stdout } = await svc(['replay', exhibit.path, '--jwks', exhibit.keys, '--json']);
    const report = JSON.parse(stdout);
    expect(byName(report.claims)).toEqual(expected);
    expect(report.revision.sealed).toBe(exhibit.verdicts.revision);
    expect(code).toBe(exitCode(Object.values(expected)));
  });

  test('svc verify reports that of seal and laws', async () => {
    const { code, stdout } = await svc(['verify', exhibit.path, '--jwks', exhibit.keys, '--json']);
    const pinned = Object.fromEntries(SEAL.map((claim) => [claim, expected[claim]]));
    expect(byName(JSON.parse(stdout).claims)).toEqual(pinned);
    expect(code).toBe(exitCode(Object.values(pinned)));
  });
});

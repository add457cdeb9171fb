// svc verify and svc replay on receipts of the museum, with the keys of their state: the commands in this process, and
// the first receipt of each state in processes of their own. `npm run test:slow` takes every receipt;
// test/receipts/museum.test.ts replays all of them without the commands.

import { afterEach, describe, expect, test } from 'vitest';
import { runReplay, runVerify } from '../../src/cli/receipts.ts';
import { currentRevision, type Exhibit, expectedClaims, MUSEUM, todaysAndSome } from '../receipts/museum.ts';
import { capture, contextOf } from './captured-terminal.ts';
import { svc } from './run-svc.ts';

const byName = (claims: readonly { readonly claim: string; readonly ok: boolean | null }[]) =>
  Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
/** Claims that need no kernel. */
const SEAL = ['keyid', 'signature', 'statement', 'key pinned', 'laws'];

afterEach(() => {
  process.exitCode = undefined;
});

const stateOf = ({ name }: Exhibit) => name.split('/')[0];
const FIRSTS = new Set([...Map.groupBy(MUSEUM, stateOf).values()].map(([first]) => first));

const SOME = new Set(todaysAndSome(MUSEUM));
const TAKEN =
  process.env.SVC_SLOW === '1' ? MUSEUM : MUSEUM.filter((exhibit) => SOME.has(exhibit) || FIRSTS.has(exhibit));

async function run(command: 'replay' | 'verify', exhibit: Exhibit): Promise<{ code: number; stdout: string }> {
  const { path, keys } = exhibit;
  if (FIRSTS.has(exhibit)) return svc([command, path, '--jwks', keys, '--json']);
  const { terminal, stdout } = capture(false);
  await { replay: runReplay, verify: runVerify }[command](contextOf(terminal), path, { jwks: keys, json: true });
  return { code: Number(process.exitCode ?? 0), stdout: stdout() };
}

test('the museum has a room', () => {
  expect(MUSEUM.length).toBeGreaterThan(20);
});

describe.each(TAKEN)('$name', (exhibit) => {
  const expected: Readonly<Record<string, boolean | null>> = expectedClaims(exhibit, currentRevision(exhibit));
  const exitCode = (claims: readonly (boolean | null | undefined)[]) => (claims.includes(false) ? 4 : 0);

  test('svc replay reports the pinned verdict of each claim', async () => {
    const { code, stdout } = await run('replay', exhibit);
    const report = JSON.parse(stdout);
    expect(byName(report.claims)).toEqual(expected);
    expect(report.revision.sealed).toBe(exhibit.verdicts.revision);
    expect(code).toBe(exitCode(Object.values(expected)));
  });

  test('svc verify reports that of seal and laws', async () => {
    const { code, stdout } = await run('verify', exhibit);
    const pinned = Object.fromEntries(SEAL.map((claim) => [claim, expected[claim]]));
    expect(byName(JSON.parse(stdout).claims)).toEqual(pinned);
    expect(code).toBe(exitCode(Object.values(pinned)));
  });
});

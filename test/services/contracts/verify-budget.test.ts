// Long chains: what-if and verify read and check them in slices, and callers who are no members have a budget.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../../src/core/limits.ts';
import { EXAMPLE_DEFINITION } from '../../../src/operations/contracts/schemas.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { OraclesFixture, OWNER } from '../oracles/oracles-fixture.ts';

const ROWS = LIMITS.contracts.proof.publicRows + 200;
const BATCH = 200;

const fixture = new OraclesFixture(undefined);
let machine: Machine;
let id: string;
beforeAll(async () => {
  await fixture.start();
  machine = await fixture.machine();
  id = await fixture.deploy(machine, EXAMPLE_DEFINITION);
  for (let written = 0; written < ROWS; written += BATCH) {
    fixture.forward(1);
    await Promise.all(Array.from({ length: BATCH }, () => fixture.event(machine, 'noise')));
  }
  await fixture.event(machine, 'push');
}, 300_000);
afterAll(() => fixture.stop());

/** The longest time in ms for which the event loop was held up during a call. */
async function longestWait(call: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  await call();
  clearInterval(timer);
  return longest;
}

test('a caller who is no member is told the limit, a member is answered', async () => {
  const { contractProofs } = fixture.services;
  const rows = { rows_max: LIMITS.contracts.proof.publicRows };
  const stranger = { ...OWNER, zid: 'e'.repeat(32) };
  for (const by of [undefined, stranger]) {
    const refused = { code: 'BUDGET_EXCEEDED', facts: rows };
    await expect(contractProofs.verify(machine, id, by)).rejects.toMatchObject(refused);
  }
  const proof = await contractProofs.verify(machine, id, OWNER);
  expect(proof).toMatchObject({ valid: true, checked: { transitions: 1, versions: 1 } });
  expect(proof.checked.rows).toBeGreaterThan(ROWS);
});

test('a history beyond 10,000 rows is replayed', async () => {
  const answer = await fixture.services.whatIf.replay(machine, id, 0, {});
  expect(answer.rows).toBeGreaterThan(10_000);
  expect([answer.mismatch, answer.divergence]).toEqual([undefined, undefined]);
  expect(answer.alternative.running.state.state).toBe('open');
});

test('neither holds up the event loop for the whole of its work', async () => {
  const { contractProofs, whatIf } = fixture.services;
  const started = performance.now();
  const waits = await longestWait(async () => {
    await contractProofs.verify(machine, id, OWNER);
    await whatIf.replay(machine, id, 0, {});
  });
  const took = performance.now() - started;
  console.info(`verify and what-if over ${ROWS} rows: ${took.toFixed(0)} ms, longest wait ${waits.toFixed(0)} ms`);
  expect(waits).toBeLessThan(took / 3);
});

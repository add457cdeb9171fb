// Long chains: what-if and verify read and check them in slices, and callers who are no members have a budget.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { EXAMPLE_DEFINITION } from '../../../src/operations/contracts/schemas.ts';
import { ContractProofs } from '../../../src/services/contracts/proof.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { OraclesFixture, OWNER } from '../oracles/oracles-fixture.ts';

// More than a page of what-if.
const ROWS = 600;
const BATCH = 200;
const PROOF_LIMITS = { rows: 1_000, publicRows: 500, page: 100 };

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
});
afterAll(() => fixture.stop());

const limited = (onPage: () => void = () => {}) => {
  const { trees, machines, keyRing } = fixture.services;
  return new ContractProofs({
    storage: fixture.storage,
    trees: {
      validate: (...page: Parameters<typeof trees.validate>) => {
        onPage();
        return trees.validate(...page);
      },
    } as typeof trees,
    receipts: keyRing.receipts,
    clock: { source: 'stepped', now: () => BigInt(fixture.now) * TICK_NS },
    roleOf: (of, by) => machines.roleOf(of, by),
    limits: PROOF_LIMITS,
  });
};

test('a caller who is no member is told the limit, a member is answered', async () => {
  const proofs = limited();
  const rows = { rows_max: PROOF_LIMITS.publicRows };
  const stranger = { ...OWNER, zid: 'e'.repeat(32) };
  for (const by of [undefined, stranger]) {
    const refused = { code: 'BUDGET_EXCEEDED', facts: rows };
    await expect(proofs.verify(machine, id, by)).rejects.toMatchObject(refused);
  }
  const proof = await proofs.verify(machine, id, OWNER);
  expect(proof).toMatchObject({ valid: true, checked: { transitions: 1, versions: 1 } });
  expect(proof.checked.rows).toBeGreaterThan(ROWS);
});

test('the limits of a node leave room for long chains', () => {
  expect(LIMITS.contracts.proof).toMatchObject({ rows: 500_000, publicRows: 10_000 });
  expect(LIMITS.contracts.whatIf.rows).toBe(100_000);
});

test('a history of more than one page is replayed', async () => {
  const answer = await fixture.services.whatIf.replay(machine, id, 0, {});
  expect(answer.rows).toBeGreaterThan(ROWS);
  expect([answer.mismatch, answer.divergence]).toEqual([undefined, undefined]);
  expect(answer.alternative.running.state.state).toBe('open');
});

test('other requests get a turn of the event loop between the pages of a chain', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const turnOfPage: number[] = [];
  await limited(() => turnOfPage.push(turns)).verify(machine, id, OWNER);
  isDone = true;
  expect(turnOfPage.length).toBeGreaterThanOrEqual(ROWS / PROOF_LIMITS.page);
  expect(new Set(turnOfPage).size).toBe(turnOfPage.length);
});

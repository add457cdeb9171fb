// Runs random command sequences on the engine and on the model, each on a new contract, then checks the chain.

import fc from 'fast-check';
import { expect } from 'vitest';
import { CHAIN_START, validateRows } from '../../../src/chain/validate.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { commandsFor, OPERATOR, type Real } from './commands.ts';
import { SECOND_TICKET, TICKET } from './definition.ts';
import { createEngineFixture, OWNER } from './engine-fixture.ts';
import { Model } from './model.ts';

const START = 1_000;

/** @param isSecond  on the ticket of the second edition, with collections, money and a stopwatch */
export async function compareWithModel(
  storage: Storage,
  sequences: number,
  seed: number,
  isSecond = false,
): Promise<{ fires: number }> {
  const fixture = await createEngineFixture(storage);
  fixture.roles.set(OPERATOR.zid ?? '', 'operator');
  let fires = 0;
  await fc.assert(
    fc.asyncProperty(commandsFor(isSecond), async (sequence) => {
      const machine = await insertMachine(storage);
      fixture.setTick(START);
      const { id: contract } = await fixture.contracts.deploy(machine, OWNER, {
        definition: isSecond ? SECOND_TICKET : TICKET,
      });
      const real: Real = { ...fixture, machine, contract };
      const model = new Model(START, isSecond);
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      await expectRecorded(real, model.fires);
      fires += model.fires;
    }),
    { numRuns: sequences, seed },
  );
  return { fires };
}

/** The chain is valid and contains each fire once. */
async function expectRecorded({ storage, machine, contracts, contract }: Real, fires: number): Promise<void> {
  const { slug } = machine.head;
  const rows = await storage.audit.range(machine.id, slug, 0, Number.MAX_SAFE_INTEGER);
  expect(validateRows(rows, slug, 0, CHAIN_START)).toMatchObject({ valid: true, checked: rows.length });
  const transitions = rows.filter(({ type }) => type === 'transition').map(({ seq }) => seq);
  const stored = await contracts.fires(machine, contract, { limit: 1_000 });
  expect(stored.map(({ seq }) => seq).reverse()).toEqual(transitions);
  expect(transitions).toHaveLength(fires);
}

// Sequences of commands on a contract of its own each, beside the model; afterwards the chain says what happened.

import fc from 'fast-check';
import { expect } from 'vitest';
import { BEGINNING, validateRows } from '../../../src/chain/validate.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { plantMachine } from '../../services/machines/machines-fixture.ts';
import { commands, type Real } from './commands.ts';
import { TICKET } from './definition.ts';
import { engineAtHand, OWNER } from './engine-at-hand.ts';
import { Model } from './model.ts';

const START = 1_000;

export async function followModel(storage: Storage, sequences: number, seed: number): Promise<{ fires: number }> {
  const hand = await engineAtHand(storage);
  let fires = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const machine = await plantMachine(storage);
      hand.setTick(START);
      const { id: contract } = await hand.contracts.deploy(machine, OWNER, { definition: TICKET });
      const real: Real = { ...hand, machine, contract };
      const model = new Model(START);
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      await expectWritten(real, model.fires);
      fires += model.fires;
    }),
    { numRuns: sequences, seed },
  );
  return { fires };
}

/** The chain is whole, and holds each fire once. */
async function expectWritten({ storage, machine, contracts, contract }: Real, fires: number): Promise<void> {
  const { slug } = machine.head;
  const rows = await storage.audit.range(machine.id, slug, 0, Number.MAX_SAFE_INTEGER);
  expect(validateRows(rows, slug, 0, BEGINNING)).toMatchObject({ valid: true, checked: rows.length });
  const transitions = rows.filter(({ type }) => type === 'transition').map(({ seq }) => seq);
  const stored = await contracts.fires(machine, contract, { limit: 1_000 });
  expect(stored.map(({ seq }) => seq).reverse()).toEqual(transitions);
  expect(transitions).toHaveLength(fires);
}

// A batch beyond the budget of a change leaves nothing behind, neither stored nor in memory.

import { afterAll, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { close, ledger, on } from '../../contracts/data/data-fixture.ts';
import { createEngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());

const SHELF = Definition.parse(
  ledger({
    collections: { names: { kind: 'list', of: 'string', max: 100 } },
    events: { push: { payload: { name: 'string' } }, close: {} },
    transitions: [
      on('push', [{ append: { to: 'names', value: 'event.name' } }], { fires_when: 'count(names) < 100' }),
      close,
    ],
  }),
);

test('nothing of a batch beyond the budget is kept, and the next event finds the state of before', async () => {
  const fixture = await createEngineFixture(storage, { ...LIMITS.contracts.guards, perChange: 20_000 });
  fixture.setTick(1_000);
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: SHELF });
  const push = (name: string) => ({ name: 'push', payload: { name } });
  const namesOf = async () => (await fixture.contracts.get(machine, id)).contract.collections?.names;
  const batch = (count: number) =>
    fixture.engine.ingestAll(
      machine.id,
      OWNER.zid ?? '',
      Array.from({ length: count }, (_, i) => push(`b${i}`)),
    );
  const { rows } = await fixture.engine.ingest(machine.id, OWNER.zid ?? '', push('a'));
  const last = rows.at(-1)?.seq ?? 0;
  await expect(batch(50)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(await namesOf()).toEqual(['a']);
  const { rows: next, answer } = await batch(2);
  expect(answer).toMatchObject([{ fired: [{ transition: 'push' }] }, { fired: [{ transition: 'push' }] }]);
  expect(next[0]?.seq).toBe(last + 1);
  expect(await namesOf()).toEqual(['a', 'b0', 'b1']);
});

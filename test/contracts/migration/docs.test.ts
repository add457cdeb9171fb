// docs/contracts.md, "Migration between versions": its definitions have no faults, and its migration is the one they need.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareDefinitions } from '../../../src/contracts/authoring/compare.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { redefineState } from '../../../src/contracts/lifecycle.ts';
import { assertMapped, compileMigration } from '../../../src/contracts/migration/compile.ts';
import { Migration } from '../../../src/contracts/migration/schema.ts';
import { initialState } from '../../../src/contracts/transition-function.ts';
import { environment, faultsOf } from '../data/data-fixture.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts.md', import.meta.url), 'utf8');
const blocks = [...PAGE.matchAll(/^```json migration\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => JSON.parse(text) as object,
);
const [first, second, third] = blocks;

test('has two definitions without faults and a migration', () => {
  expect(blocks).toHaveLength(3);
  expect([faultsOf(first ?? {}), faultsOf(second ?? {})]).toEqual([[], []]);
});

test('the migration is what the definitions need, and carries an order over', () => {
  const [before, after] = [first, second].map((one) => compileContract(Definition.parse(one)));
  if (before === undefined || after === undefined) throw new Error('a definition is missing');
  const given = Migration.parse(third);
  expect(compareDefinitions(before, after).needs).toEqual({
    states: Object.keys(given.states ?? {}),
    values: ['cents', 'note', 'items'],
  });
  const migration = compileMigration(before, after, given);
  assertMapped(before, after, given, 'open');
  const context = { cents: 900, note: 'lamp' };
  const opened = { ...initialState(before, 1_000, 1), context, collections: { items: ['lamp'] } };
  const packing = { ...opened, state: 'packing', timers: [{ transition: 'expire', due: 2_000, retries: 0 }] };
  const at = { tick: 1_500, number: 9, isReset: false, source: environment, migration };
  expect(redefineState(after, { contract: before, state: packing }, at)).toMatchObject({
    state: 'in_work',
    context: { total: 900 },
    collections: { goods: ['lamp'] },
    timers: [{ transition: 'give_up', due: 2_000 }],
  });
});

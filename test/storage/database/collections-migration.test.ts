// Migration 0039 moves collections out of the states of contracts and instances, whatever texts stand beside them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { up } from '../../../migrations/0039_contract_collections.ts';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { transition } from '../../contracts/transition.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

/** A text that looks like the field which is moved; escapes that PostgreSQL accepts in no JSON are put before it. */
const NOTE = 'note "collections":{}';
const ESCAPES = String.raw`\u0000\ud800`;

const shelf = (name: string, isKeyed: boolean, hasCollections = true) =>
  Definition.parse({
    name,
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    ...(isKeyed ? { key: 'event.id', spawn: 'put' } : {}),
    context: { note: { type: 'string', initial: NOTE } },
    ...(hasCollections ? { collections: { goods: { kind: 'list', of: 'string', max: 1_000 } } } : {}),
    events: { put: { payload: { id: 'string' } }, stop: { payload: { id: 'string' } } },
    states: { open: { role: 'initial' }, over: { role: 'terminal' } },
    transitions: [
      transition('stop', 'open', 'over', { kind: 'event', event: 'stop' }, { post: [{ log: '{note}' }] }),
      transition(
        'put',
        'open',
        'open',
        { kind: 'event', event: 'put' },
        hasCollections ? { post: [{ append: { to: 'goods', value: 'event.id' } }] } : {},
      ),
    ],
  });

/** Longer than a page of the migration. */
const INSTANCES = 205;

describe.each(testDatabases())('on $name', (database) => {
  let storage: Storage;
  let fixture: EngineFixture;
  let machine: Machine;

  beforeAll(async () => {
    storage = await database.open();
    fixture = await createEngineFixture(storage);
    fixture.setTick(1_000);
    machine = await insertMachine(storage);
    for (const [name, isKeyed, hasCollections] of [
      ['single', false, true],
      ['keyed', true, true],
      ['plain', false, false],
    ] as const)
      await fixture.contracts.deploy(machine, OWNER, { definition: shelf(name, isKeyed, hasCollections) });
    for (let i = 0; i < INSTANCES; i++)
      await fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'put', payload: { id: `"${i}` } });
  });
  afterAll(() => database.dispose(storage));

  const columns = async (on: Executor) => [
    ...(await rows(on, 'select id, current_state, collections from contract order by id', [])),
    ...(await rows(on, 'select key, collections from contract_instance order by contract_id, key', [])),
  ];

  test('as they were written in their own columns', async () => {
    const { knex } = storage.database;
    const before = await columns(knex);
    expect(before).toHaveLength(3 + INSTANCES);
    expect(before).toContainEqual({ key: '"7', collections: '{"goods":["\\"7"]}' });
    await knex.transaction(async (on) => {
      for (const [table, key] of [
        ['contract', 'id'],
        ['contract_instance', 'key'],
      ] as const) {
        const all = await rows<{ key: string; state: string; collections: string | null }>(
          on,
          `select ${key}::text as key, state, collections from ${table}`,
          [],
        );
        for (const { key: place, state, collections } of all) {
          if (collections === null) continue;
          const whole = JSON.stringify({ ...JSON.parse(state), collections: JSON.parse(collections) });
          await rows(on, `update ${table} set state = ? where ${key}::text = ?`, [whole, place]);
        }
        await rows(on, `update ${table} set state = replace(state, '"note"', '"${ESCAPES}note"')`, []);
        await rows(on, `alter table ${table} drop column collections`, []);
      }
      await up(on);
      expect(await columns(on)).toEqual(before);
      const left = await rows<{ state: string }>(
        on,
        'select state from contract union all select state from contract_instance',
        [],
      );
      for (const { state: text } of left) {
        const { context, ...state } = JSON.parse(text);
        expect(context).toEqual({ '\u0000\ud800note': NOTE });
        expect(state).not.toHaveProperty('collections');
      }
    });
  });
});

// Migration 0012 renames fields of the stored state of contracts; contracts stored in the old form continue correctly.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { migrate } from '../../../src/storage/database/migrate.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { TICKET } from '../../contracts/lifecycle/definition.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

const MIGRATION = '0012_contract_state_fields';
const DEPLOYED = 1_000;

/** The state of TICKET as version 0011 stored it, entered at DEPLOYED. */
const OLD_STATE = {
  state: 'idle',
  lifecycle: 'active',
  context: { votes: 0, reminders: 0, chimes: 0 },
  deployed: DEPLOYED,
  entered: DEPLOYED,
  entries: 1,
  enteredAt: 1,
  timers: [],
  firesSinceEntry: {},
  silent: [],
  owed: null,
  swallows: false,
  fires: 0,
  missed: 0,
  guarded: 0,
  failures: 0,
};

/** Open for 2 ticks; the window of `idling` is QUIET = 6 ticks long. */
const OPEN = { ...OLD_STATE, state: 'open', entries: 2, enteredAt: 2, fires: 1 };
const TIMERS = [
  { transition: 'reminding', due: DEPLOYED + 7, retries: 0 },
  { transition: 'chiming', due: DEPLOYED + 3, retries: 0 },
  { transition: 'expiring', due: DEPLOYED + 20, retries: 0 },
];

/** A context variable may have the name of an old field, and any text that JSON can escape. */
const NOTE = Definition.parse({
  name: 'note',
  version: '1.0',
  operators: ['KO42'],
  initial: 'a',
  context: { silent: { type: 'string', initial: '' } },
  events: { write: { payload: { text: 'string' } } },
  states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
  transitions: [
    {
      id: 'write',
      from: 'a',
      to: 'b',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'write' },
      post: [{ set: { silent: 'event.text' } }],
    },
    { id: 'back', from: 'b', to: 'a', operator: 'KO42', proof: false, trigger: { kind: 'one_shot', after: 5 } },
  ],
});

describe.each(testDatabases())('$name', ({ open, dispose }) => {
  let storage: Storage;
  let fixture: EngineFixture;
  let machine: Machine;
  beforeAll(async () => {
    storage = await open();
    fixture = await createEngineFixture(storage);
  });
  afterAll(() => dispose(storage));

  const storedState = async (id: string) => {
    const [row] = await rows<{ state: string }>(storage.database.knex, 'select state from contract where id = ?', [id]);
    return JSON.parse(row?.state ?? 'null') as Record<string, unknown>;
  };

  /** Deploys a contract on a new machine and replaces its stored state. */
  async function deployWith(state: object | string, nextFire: number | null = null): Promise<string> {
    machine = await insertMachine(storage);
    fixture.setTick(DEPLOYED);
    const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: TICKET });
    await storeState(id, typeof state === 'string' ? state : JSON.stringify(state), nextFire);
    return id;
  }

  async function storeState(id: string, state: string, nextFire: number | null): Promise<void> {
    const { knex } = storage.database;
    await rows(knex, 'update contract set state = ?, next_fire = ? where id = ?', [state, nextFire, id]);
    fixture.engine.runtimes.evict(machine.id);
  }

  /** Migration 0012 changes no table, so the schema without its record is that of 0011. */
  async function migrateFrom0011(): Promise<void> {
    await rows(storage.database.knex, 'delete from migration where name = ?', [MIGRATION]);
    expect(await migrate(storage.database)).toEqual([MIGRATION]);
  }

  const send = async (name: string) => (await fixture.engine.ingest(machine.id, OWNER.zid ?? '', { name })).fired;

  test('renames the four fields and changes nothing else', async () => {
    const id = await deployWith({ ...OPEN, silent: ['idling'], owed: 1_006, swallows: true, guarded: 3 }, 1_006);
    await migrateFrom0011();
    const { silent, owed, swallows, guarded, ...rest } = OPEN;
    expect(await storedState(id)).toEqual({
      ...rest,
      emptyWindows: ['idling'],
      pendingSince: 1_006,
      skipNextMatch: true,
      blockedCount: 3,
    });
    await migrateFrom0011();
    expect(await storedState(id)).toMatchObject({ pendingSince: 1_006, blockedCount: 3 });
  });

  test('a contract that was to skip its next match skips it', async () => {
    await deployWith({ ...OLD_STATE, swallows: true });
    await migrateFrom0011();
    fixture.setTick(DEPLOYED + 5);
    expect(await send('open')).toEqual([]);
    expect(await send('open')).toMatchObject([{ transition: 'opening' }]);
  });

  test('a pending check of a window is made', async () => {
    const id = await deployWith({ ...OPEN, owed: DEPLOYED + 2 }, DEPLOYED + 2);
    await migrateFrom0011();
    fixture.setTick(DEPLOYED + 6);
    expect(await fixture.engine.wake(machine.id)).toBe(1);
    expect(await storedState(id)).toMatchObject({ state: 'idle', pendingSince: null, fires: 2 });
  });

  test('a window that has been checked as empty is not checked again', async () => {
    const id = await deployWith({ ...OPEN, timers: TIMERS, silent: ['idling'] }, DEPLOYED + 3);
    await migrateFrom0011();
    fixture.setTick(DEPLOYED + 6);
    // Two chimes; the check at DEPLOYED + 6 would have fired `idling`.
    expect(await fixture.engine.wake(machine.id)).toBe(2);
    const { contract } = await fixture.contracts.get(machine, id);
    expect(contract).toMatchObject({ currentState: 'open', next_fire: DEPLOYED + 7 });
  });

  test('blocked stimuli are counted on', async () => {
    const id = await deployWith({ ...OPEN, guarded: 3 });
    await migrateFrom0011();
    fixture.setTick(DEPLOYED + 1);
    expect(await send('close')).toEqual([]);
    expect(await storedState(id)).toMatchObject({ blockedCount: 4 });
  });

  test('context variables keep their names and texts, and an unreadable state is left alone', async () => {
    machine = await insertMachine(storage);
    fixture.setTick(DEPLOYED);
    const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: NOTE });
    const context = { silent: 'owed \0 "swallows": \ud800' };
    await storeState(id, JSON.stringify({ ...OLD_STATE, state: 'a', context }), null);
    const broken = await deployWith('{"silent": [');
    await migrateFrom0011();
    expect(await storedState(id)).toMatchObject({ context, emptyWindows: [] });
    const [row] = await rows(storage.database.knex, 'select state from contract where id = ?', [broken]);
    expect(row).toEqual({ state: '{"silent": [' });
    await rows(storage.database.knex, 'delete from contract where id = ?', [broken]);
  });

  test('more contracts than one batch are all rewritten', async () => {
    const id = await deployWith({ ...OPEN, guarded: 7 });
    const { knex } = storage.database;
    await rows(
      knex,
      `insert into contract (machine_id, id, name, status, version_no, definition, definition_hash, parameters, state,
         current_state, fire_count, created_svcond, updated_svcond)
       select machine_id, gen_random_uuid(), name, 'frozen', version_no, definition, definition_hash, parameters, state,
         current_state, fire_count, created_svcond, updated_svcond
       from contract, generate_series(1, 2500) where id = ?`,
      [id],
    );
    await migrateFrom0011();
    const found = await rows<{ state: string }>(knex, 'select state from contract where machine_id = ?', [machine.id]);
    expect(found).toHaveLength(2_501);
    expect(new Set(found.map(({ state }) => (JSON.parse(state) as { blockedCount?: number }).blockedCount))).toEqual(
      new Set([7]),
    );
  });
});

// Attack: events that make contracts with large states fire, which change little or nothing of these.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { WORDS } from '../../src/services/engine/guard-budget.ts';
import { rows } from '../../src/storage/database/sql.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../contracts/lifecycle/engine-fixture.ts';
import { transition } from '../contracts/transition.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../storage/databases.ts';

const ENTRIES = 100;
const CHARACTERS = 500;
/** Of a state that holds texts of a sender. */
const NOTE_CHARACTERS = 30_000;

/** Keeps what `push` says, in a list or as one text; `ping` changes nothing. */
const keeper = (kept: 'list' | 'text', key?: string) =>
  Definition.parse({
    name: 'keeper',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    ...(key === undefined ? {} : { key: `event.${key}`, spawn: 'push' }),
    ...(kept === 'list'
      ? { collections: { kept: { kind: 'list', of: 'string', max: ENTRIES } } }
      : { context: { kept: { type: 'string', initial: '' } } }),
    events: {
      push: { payload: { id: 'string', text: 'string' } },
      ping: { payload: { id: 'string' } },
      stop: { payload: { id: 'string' } },
    },
    states: { open: { role: 'initial' }, over: { role: 'terminal' } },
    transitions: [
      transition(
        'push',
        'open',
        'open',
        { kind: 'event', event: 'push' },
        { post: [kept === 'list' ? { append: { to: 'kept', value: 'event.text' } } : { set: { kept: 'event.text' } }] },
      ),
      transition('ping', 'open', 'open', { kind: 'event', event: 'ping' }),
      transition('stop', 'open', 'over', { kind: 'event', event: 'stop' }),
    ],
  });

describe.each(testDatabases())('large states on $name', (database) => {
  let storage: Storage;
  let fixture: EngineFixture;
  let tick = 100;

  beforeAll(async () => {
    storage = await database.open();
    fixture = await createEngineFixture(storage);
    fixture.setTick(tick);
  });
  afterAll(() => database.dispose(storage));

  const send = (machine: Machine, name: string, payload: Record<string, unknown> = {}) =>
    fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name, payload: { id: 'k', ...payload } });
  const random = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters);
  const forward = () => {
    tick += 1_000;
    fixture.setTick(tick);
  };

  /** Bytes of the write-ahead log that some work causes, on a page that has been logged since the last checkpoint. */
  async function logged(work: () => Promise<unknown>): Promise<number> {
    const { knex } = storage.database;
    const place = async () => {
      const [row] = await rows<{ bytes: number }>(
        knex,
        `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
        [],
      );
      return row?.bytes ?? Number.NaN;
    };
    const before = await place();
    await work();
    return (await place()) - before;
  }

  test.each([undefined, 'id'])(
    'collections that an event leaves as they were are not stored again (key: %s)',
    async (key) => {
      const machine = await insertMachine(storage);
      const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: keeper('list', key) });
      for (let i = 0; i < ENTRIES; i++) {
        if (i % 20 === 0) forward();
        await send(machine, 'push', { text: random(CHARACTERS) });
      }
      forward();
      const stored = async () => {
        const contract = await storage.contracts.get(machine.id, id);
        const [instance] = await storage.contractInstances.byKeys(machine.id, id, ['k']);
        return { fires: contract?.state.fires, kept: (instance ?? contract)?.state.collections?.kept };
      };
      const before = await stored();
      expect(before.kept).toHaveLength(ENTRIES);
      await send(machine, 'ping');
      const bytes = await logged(async () => {
        for (let i = 0; i < 10; i++) await send(machine, 'ping');
      });
      expect(bytes).toBeLessThan((10 * ENTRIES * CHARACTERS) / 4);
      const after = await stored();
      expect(after).toEqual({ fires: (before.fires ?? 0) + 11, kept: before.kept });
      // What changes one of them is stored, and read again.
      forward();
      fixture.engine.runtimes.evict(machine.id);
      await send(machine, 'ping');
      expect((await stored()).kept).toEqual(before.kept);
    },
  );

  test('texts that each fire stores again spend the allowance of the machine', async () => {
    const machine = await insertMachine(storage);
    const contracts = 20;
    for (let i = 0; i < contracts; i++) await fixture.contracts.deploy(machine, OWNER, { definition: keeper('text') });
    await send(machine, 'push', { text: 'short' });
    forward();
    await send(machine, 'push', { text: random(NOTE_CHARACTERS) });
    forward();
    const codes: string[] = [];
    for (let i = 0; i < 40; i++)
      codes.push(
        await send(machine, 'ping').then(
          () => 'written',
          ({ code }) => code as string,
        ),
      );
    const written = codes.filter((code) => code === 'written').length;
    // What a tick stores of them is bounded; before it was 40 times 600 kB.
    const perEvent = WORDS.stored * contracts * NOTE_CHARACTERS;
    expect(written * perEvent).toBeLessThanOrEqual(LIMITS.contracts.guards.machinePerTick + perEvent);
    expect(new Set(codes.slice(written))).toEqual(new Set(['RATE_LIMITED']));
    forward();
    // The owner can still stop it.
    await send(machine, 'stop');
  });
});

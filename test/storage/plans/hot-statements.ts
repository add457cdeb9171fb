// The statements on the path of every request, event, timer and poll, as their repositories run them.

import type { OpenRow } from '../../../src/chain/row.ts';
import { fireRows } from '../../../src/storage/contracts/fires.ts';
import { instanceRows } from '../../../src/storage/contracts/instances.ts';
import { seatRows } from '../../../src/storage/contracts/seats.ts';
import { SHARDS, setTimers, shardOf } from '../../../src/storage/contracts/timers.ts';
import type { Executor } from '../../../src/storage/database/sql.ts';
import { eventKeys } from '../../../src/storage/machines/event-keys.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { ACCOUNT, contractId, type Grown, machineId, NOW, NOW_MS, ZID } from './grown-database.ts';

export interface HotStatement {
  readonly name: string;
  readonly run: (storage: Storage, on: Executor) => Promise<unknown>;
  /** What it works on, if that is more than one thing: each may cost a few pages. */
  readonly items?: number;
}

const SHARD_LIST = Array.from({ length: SHARDS }, (_, i) => i);
const PAGE = { limit: 50, maxBytes: 1_000_000 } as const;
const HEX = 'ab'.repeat(32);

const openRow = (slug: string, seq: number): OpenRow => ({
  v: 1,
  slug,
  seq,
  svcond: NOW,
  type: 'event',
  source: 'api',
  actor: ZID,
  commit: HEX,
  prev: HEX,
  row_hash: HEX,
  salt: HEX,
  payload_text: '{"name":"reading","payload":{"value":1}}',
});

export function hotStatements({ rows, instances, runs }: Grown): readonly HotStatement[] {
  const [one, hot] = [machineId(1), contractId(1)];
  const head = Math.floor(rows / 2) - 1;
  const explore = (filter: object) => (storage: Storage, on: Executor) =>
    storage.audit.page(one, 'machine-1', { order: 'newest first', ...PAGE, ...filter }, on);
  const instancesOf = (filter: object) => (storage: Storage, on: Executor) =>
    storage.contractInstances.page(one, hot, { ...PAGE, ...filter }, on);
  const seatsOf =
    (filter: object, zid: string = ZID) =>
    (storage: Storage, on: Executor) =>
      storage.contractSeats.page(zid, { keyId: undefined, limit: PAGE.limit, ...filter }, on);
  const append = async (storage: Storage, on: Executor, ids: readonly string[]) => {
    const machines = await storage.machines.byIds(ids, false, on);
    const changed = machines.map((before) => {
      const after = { ...before.head, seq: before.head.seq + 1, svcond: NOW };
      return { before, after: { ...before, head: after, changes: before.changes + 1 } };
    });
    await storage.machines.update(changed, on);
    const added = changed.map(
      ({
        after: {
          id,
          head: { slug, seq },
        },
      }) => ({ machineId: id, row: openRow(slug, seq) }),
    );
    await storage.audit.insert(added, on);
  };
  const ids = (count: number) => Array.from({ length: count }, (_, i) => machineId(1 + 7 * i));
  return [
    { name: 'append to a long chain', run: (storage, on) => append(storage, on, [one]) },
    { name: 'append to thirty machines', items: 30, run: (storage, on) => append(storage, on, ids(30)) },
    {
      name: 'event key, new',
      run: (_, on) => eventKeys.write([{ machineId: one, key: 'new', seq: head, svcond: NOW }], on),
    },
    { name: 'event key, known', run: (_, on) => eventKeys.find(one, 'key-77', on) },
    { name: 'event key, unknown', run: (_, on) => eventKeys.find(one, 'key-none', on) },
    { name: 'a fire', run: (_, on) => fireRows.write([fire(one, hot, head)], on) },
    {
      name: 'timer set anew',
      run: (_, on) => setTimers([{ machineId: one, contractId: hot, fireTick: NOW + 5 }], on),
    },
    { name: 'due timers of all shards', items: 10, run: ({ timers }, on) => timers.due(SHARD_LIST, NOW, 500, [], on) },
    {
      name: 'due timers of half of the shards',
      items: 10,
      run: ({ timers }, on) =>
        timers.due(
          SHARD_LIST.filter((shard) => shard % 2 === 1),
          NOW,
          500,
          [],
          on,
        ),
    },
    {
      name: 'due timers of a worker with one shard',
      run: ({ timers }, on) => timers.due([shardOf(machineId(999))], NOW, 500, [], on),
    },
    { name: 'nothing due', run: ({ timers }, on) => timers.due(SHARD_LIST, NOW - 10_000, 500, [], on) },
    {
      name: 'five hundred timers due at once',
      items: 500,
      run: ({ timers }, on) => timers.due(SHARD_LIST, NOW + 5_000, 500, [], on),
    },
    { name: 'contracts of a machine', run: ({ contracts }, on) => contracts.ofMachine(one, on) },
    { name: 'load of a machine', run: ({ machines }, on) => machines.byIds([one], false, on) },
    { name: 'load of a hundred machines', items: 100, run: ({ machines }, on) => machines.byIds(ids(100), false, on) },
    { name: 'contracts of a cold machine', run: ({ contracts }, on) => contracts.runningPage([one], PAGE, on) },
    { name: 'machine by slug', run: ({ machines }, on) => machines.bySlug('machine-77', on) },
    {
      name: 'samples of a window',
      run: ({ audit }, on) => audit.newestPayloads(one, { type: 'event', names: ['reading'], limit: 250 }, on),
      items: 250,
    },
    { name: 'heads of a hundred machines', items: 100, run: ({ machines }, on) => machines.headSeqs(ids(100), on) },
    { name: 'changes of a machine', run: ({ machines }, on) => machines.changesOf([one], on) },
    { name: 'newest checkpoint', run: ({ trees }, on) => trees.newestCheckpoint(one, on) },
    {
      name: 'machines that wait for a checkpoint',
      items: 500,
      run: ({ trees }, on) => trees.listPending({ before: NOW, limit: 500 }, on),
    },
    {
      name: 'sizes that a hundred checkpoints cover',
      items: 100,
      run: ({ trees }, on) => trees.coveredSizes(ids(100), on),
    },
    {
      name: 'the newest hashes of a hundred machines',
      items: 100,
      run: ({ audit }, on) =>
        audit.newestHashes(
          ids(100).map((machineId) => ({ machineId, from: 0, to: 1 })),
          on,
        ),
    },
    {
      name: 'the newest tiles of a hundred machines',
      items: 100,
      run: ({ trees }, on) =>
        trees.tilesOf(
          ids(100).map((machineId) => ({ machineId, level: 0, index: 0 })),
          on,
        ),
    },
    { name: 'instances of a contract', items: 50, run: instancesOf({}) },
    { name: 'instances in a common state', items: 50, run: instancesOf({ state: 'closed' }) },
    { name: 'instances in a rare state', items: 50, run: instancesOf({ state: 'disputed' }) },
    { name: 'instances in no such state', run: instancesOf({ state: 'none' }) },
    { name: 'instances that failed', items: 50, run: instancesOf({ status: 'failed' }) },
    { name: 'instances that are active', items: 50, run: instancesOf({ status: 'active' }) },
    { name: 'instances of a state and another status', run: instancesOf({ state: 'closed', status: 'active' }) },
    { name: 'instances that are due', items: 50, run: instancesOf({ dueBefore: NOW }) },
    { name: 'instances that are due and failed', run: instancesOf({ dueBefore: NOW, status: 'failed' }) },
    { name: 'instances changed since', items: 50, run: instancesOf({ updatedSince: NOW - 3 }) },
    {
      name: 'instances due and in a rare state',
      items: 100,
      run: instancesOf({ dueBefore: NOW + 10 ** 9, state: 'disputed' }),
    },
    {
      name: 'instances by key',
      run: ({ contractInstances }, on) => contractInstances.byKeys(one, hot, ['order-000000077'], on),
    },
    {
      name: 'earliest instances',
      items: 50,
      run: ({ contractInstances }, on) => contractInstances.earliest(one, hot, 50, on),
    },
    {
      name: 'an instance changes',
      run: async ({ contractInstances }, on) => {
        const found = await contractInstances.byKeys(one, hot, [`order-${String(instances - 1).padStart(9, '0')}`], on);
        await instanceRows.write(
          found.map((found) => ({ ...found, updatedSvcond: NOW, hasNewCollections: false })),
          on,
        );
      },
    },
    { name: 'seats of an account', items: 50, run: seatsOf({}) },
    { name: 'seats that are active', items: 50, run: seatsOf({ status: 'active' }) },
    { name: 'seats that failed', items: 50, run: seatsOf({ status: 'failed' }) },
    { name: 'seats on a machine', items: 50, run: seatsOf({ machineId: one }) },
    { name: 'seats that failed on a machine', items: 50, run: seatsOf({ machineId: one, status: 'failed' }) },
    { name: 'seats of somebody without any', run: seatsOf({}, 'f'.repeat(32)) },
    {
      name: 'a borrower changes',
      run: (_, on) =>
        seatRows.write(
          [
            {
              machineId: one,
              contractId: hot,
              instance: 'order-000000077',
              status: 'failed',
              seats: [{ party: 'borrower', zid: ZID, keyId: '' }],
            },
          ],
          on,
        ),
    },
    { name: 'newest rows', items: 50, run: explore({}) },
    { name: 'rows of a type', items: 50, run: explore({ type: 'transition' }) },
    { name: 'rows of an absent type', run: explore({ type: 'anchor' }) },
    { name: 'events of a common name', items: 50, run: explore({ types: ['emit', 'event'], name: 'reading' }) },
    { name: 'events of a rare name', run: explore({ types: ['emit', 'event'], name: 'rare' }) },
    { name: 'events of an absent name', run: explore({ types: ['emit', 'event'], name: 'none' }) },
    { name: 'rows of a common contract', items: 50, run: explore({ contract: hot }) },
    { name: 'rows of a rare contract', run: explore({ contract: contractId(2) }) },
    { name: 'rows of an absent contract', run: explore({ contract: contractId(3) }) },
    { name: 'rows of a rare contract and a type', run: explore({ contract: contractId(2), type: 'transition' }) },
    { name: 'rows since a tick', items: 50, run: explore({ since: NOW - 3 }) },
    {
      name: 'a stream of a rare name',
      run: ({ audit }, on) =>
        audit.select(one, 'machine-1', { name: 'rare', from: 0, before: head, order: 'oldest first', limit: 50 }, on),
    },
    {
      name: 'the backlog of a rare name',
      run: ({ audit }, on) => audit.seqBehind(one, { name: 'rare', from: 0, to: head }, 1_000, on),
    },
    { name: 'the row of a tick', run: ({ audit }, on) => audit.lastAt(one, 'machine-1', NOW - 1_000, on) },
    { name: 'transitions of a contract', items: 50, run: ({ fires }, on) => fires.list(one, hot, 50, undefined, on) },
    { name: 'runs', items: 50, run: ({ runs }, on) => runs.list(ACCOUNT, { limit: 50 }, on) },
    {
      name: 'runs of a folder',
      items: 50,
      run: ({ runs }, on) => runs.list(ACCOUNT, { folder: 'rods', limit: 50 }, on),
    },
    { name: 'runs of a rare folder', run: ({ runs }, on) => runs.list(ACCOUNT, { folder: 'rare', limit: 50 }, on) },
    { name: 'runs of a rare solver', run: ({ runs }, on) => runs.list(ACCOUNT, { solver: 'zeta', limit: 50 }, on) },
    {
      name: 'runs of a common folder and a rare solver',
      run: ({ runs }, on) => runs.list(ACCOUNT, { folder: 'rods', solver: 'zeta', limit: 50 }, on),
    },
    {
      name: 'a run',
      run: ({ runs: all }, on) =>
        all.get(ACCOUNT, `00000000-0000-7000-a000-${(runs - 1).toString(16).padStart(12, '0')}`, on),
    },
    { name: 'public machines', items: 50, run: ({ machines }, on) => machines.listPublic({ limit: 50 }, on) },
    {
      name: 'machines that a caller sees',
      items: 50,
      run: ({ machines }, on) => machines.listVisible(ZID, { limit: 50 }, on),
    },
    { name: 'machines without stated settings', run: ({ machines }, on) => machines.unstated(undefined, 500, on) },
    { name: 'newest rows of a member', items: 200, run: ({ overview }, on) => overview.recentOf(ZID, 50, on) },
    { name: 'an API key', run: ({ keys }, on) => keys.byHash(new Uint8Array(32), on) },
    {
      name: 'a rate',
      run: ({ rates }, on) =>
        rates.take({ name: 'calls', tenant: 'tenant-7', share: 0.01, endsMs: NOW_MS + 1_000 }, NOW_MS, on),
    },
    { name: 'ended rates', run: ({ rates }, on) => rates.removeEnded(NOW_MS, 5_000, on) },
    { name: 'expired keys of events', run: (_, on) => eventKeys.removeBefore(NOW - 10 ** 9, 500, on) },
    { name: 'expired answers', run: ({ idempotency }, on) => idempotency.removeExpired(NOW_MS, 500, on) },
    { name: 'due deliveries', run: ({ outbox }, on) => outbox.hasDue(NOW, on) },
    { name: 'due anchors', run: ({ anchorSettings }, on) => anchorSettings.claimDue(NOW, 100, on) },
    { name: 'due polls of oracles', run: ({ oracles }, on) => oracles.claimDue(SHARD_LIST, NOW, 100, on) },
  ];
}

const fire = (machine: string, contract: string, seq: number) =>
  ({
    machineId: machine,
    contractId: contract,
    versionNo: 1,
    transition: 'go',
    entry: -1,
    occurrence: 'new',
    seq,
    svcond: NOW,
    from: 'open',
    to: 'open',
    engine: 2,
  }) as const;

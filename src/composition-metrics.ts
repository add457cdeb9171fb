// Measurements of the parts of a node.

import type { Clock } from './core/clock.ts';
import { tickOf } from './core/clock.ts';
import type { Pool } from './kernels/pool.ts';
import type { ComputeServices } from './services/compute/compose.ts';
import type { LongRuns } from './services/compute/long-runs.ts';
import type { EngineModule } from './services/engine/compose.ts';
import type { ArchiveService } from './services/machines/archive.ts';
import type { FreeSpace } from './services/node/free-space.ts';
import type { Metric } from './services/node/metric.ts';
import type { OwnersModule } from './services/node/owners/compose.ts';
import type { Database } from './storage/database/database.ts';
import type { Ledger } from './storage/machines/ledger.ts';

interface Parts {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly pool: Pool;
  readonly engine: Pick<EngineModule, 'runtimes' | 'shards'>;
  readonly compute: Pick<ComputeServices, 'liveRuns'>;
  readonly longRuns: Pick<LongRuns, 'held'> | undefined;
  readonly database: Pick<Database, 'knex'>;
  readonly archive: Pick<ArchiveService, 'counts'>;
  readonly owners: Pick<OwnersModule, 'owners' | 'counts'>;
  readonly freeSpace: Pick<FreeSpace, 'bytes'>;
}

/** Connections of knex's pool, which knex does not type. */
interface ConnectionPool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

export function metricsOf({
  clock,
  ledger,
  pool: kernels,
  engine,
  compute,
  longRuns,
  database,
  owners,
  freeSpace,
  archive,
}: Parts): Metric[] {
  const connections = (): ConnectionPool => database.knex.client.pool;
  return [
    gauge('svc_tick', 'Tick of the clock of the node.', () => tickOf(clock.now())),
    gauge(
      'svc_host_clock_ahead_seconds',
      'How far the clock of the host is ahead of the source of time.',
      () => (clock.hostAheadMs ?? 0) / 1e3,
    ),
    counter('svc_ledger_rows_total', 'Rows written to audit logs.', () => ledger.load().rows),
    counter('svc_ledger_flushes_total', 'Transactions that wrote changes of machines.', () => ledger.load().flushes),
    gauge('svc_ledger_waiting', 'Changes of machines that wait to be written.', () => ledger.load().waiting),
    counter('svc_archived_rows_total', 'Rows moved to the archive.', () => archive.counts.rows),
    counter('svc_archived_bytes_total', 'Bytes of their files.', () => archive.counts.bytes),
    counter('svc_archive_failures_total', 'Attempts to archive that failed.', () => archive.counts.failures),
    gauge('svc_runtimes', 'Machines whose contracts are in memory.', () => engine.runtimes().count),
    gauge('svc_runtime_bytes', 'Estimate of the memory of these contracts.', () => engine.runtimes().bytes),
    gauge('svc_timer_shards', 'Shares of the timers that this node fires.', () => engine.shards().length),
    gauge('svc_owned_shards', 'Shares of the machines that this node owns, of 64.', () => owners.owners.shards.length),
    gauge('svc_live_nodes', 'Nodes on this database, with this one.', () => owners.owners.others.length + 1),
    counter(
      'svc_owner_changes_total',
      'Shares of machines that have changed their node, on all nodes.',
      () => owners.owners.fences,
    ),
    counter('svc_forwarded_calls_total', 'Calls made at the node that owns the machine, by way.', () =>
      Object.entries(owners.counts().sent).map(([by, value]) => ({ labels: { by }, value })),
    ),
    counter('svc_received_calls_total', 'Calls of other nodes.', () => owners.counts().received),
    counter(
      'svc_refused_node_messages_total',
      'Messages between nodes that were refused.',
      () => owners.counts().refused,
    ),
    gauge('svc_kernel_workers', 'Workers that the pool of kernels may have.', () => kernels.load().size),
    gauge('svc_kernel_runs', 'Runs of kernels in the pool.', () => {
      const { running, waiting } = kernels.load();
      return states({ running, waiting });
    }),
    gauge('svc_long_runs', 'Runs that nodes share, of those that this node computes.', () => longRuns?.held ?? 0),
    gauge('svc_live_runs', 'Runs that can be watched, running or kept.', () => compute.liveRuns.size),
    gauge('svc_database_free_bytes', 'Free bytes where the database stores, if known.', () =>
      freeSpace.bytes === undefined ? [] : [{ value: freeSpace.bytes }],
    ),
    gauge('svc_database_connections', 'Connections to the database, and requests that wait for one.', () => {
      const pool = connections();
      return states({ used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() });
    }),
  ];
}

const gauge = (name: string, help: string, read: Metric['read']): Metric => ({ name, type: 'gauge', help, read });
const counter = (name: string, help: string, read: Metric['read']): Metric => ({ name, type: 'counter', help, read });

const states = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([state, value]) => ({ labels: { state }, value }));

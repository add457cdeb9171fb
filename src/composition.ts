// Composition root: opens storage and builds the service folders on it, each from those before it.

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { readVerifierPage } from './built-portal.ts';
import { metricsOf } from './composition-metrics.ts';
import type { Configuration } from './configuration.ts';
import { type Clock, monotonicClock, systemClock } from './core/clock.ts';
import { assertNotAhead } from './core/clock-guard.ts';
import { LIMITS } from './core/limits.ts';
import { createPool, type Pool } from './kernels/pool.ts';
import { WorkerShares } from './kernels/worker-shares.ts';
import type { Services } from './operations/services.ts';
import { composeAccess } from './services/access/compose.ts';
import { type RateTier, scaledRates } from './services/access/rate-limit.ts';
import { composeActivities } from './services/activities/compose.ts';
import { composeAnchors } from './services/anchors/compose.ts';
import { composeCompute } from './services/compute/compose.ts';
import type { FieldLimits } from './services/compute/field-store.ts';
import type { LiveLimits } from './services/compute/live-runs.ts';
import { VerdictPool } from './services/compute/verdict-pool.ts';
import { composeContracts } from './services/contracts/compose.ts';
import { composeEngine } from './services/engine/compose.ts';
import { assertOthers } from './services/engine/sent-events.ts';
import { composeMachines } from './services/machines/compose.ts';
import { sealFor } from './services/machines/sealing/sealed-payload.ts';
import { composeNode } from './services/node/compose.ts';
import { FreeSpace } from './services/node/free-space.ts';
import { nodeMaintenance } from './services/node/maintenance.ts';
import { Nats } from './services/node/nats.ts';
import type { Platform } from './services/node/platform.ts';
import { composeOracles } from './services/oracles/compose.ts';
import { composeWebhooks } from './services/webhooks/compose.ts';
import type { DatabaseTimeouts } from './storage/database/database.ts';
import { freeBytesOf } from './storage/database/free-space.ts';
import { Ledger } from './storage/machines/ledger.ts';
import { DatabaseClock, databaseTime } from './storage/node/database-clock.ts';
import { type EventBus, LocalBus } from './storage/node/event-bus.ts';
import { NotifyBus, type NotifyBusOptions, sessionNameOf } from './storage/node/notify-bus.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import type { Timers } from './streams/timers.ts';

export interface Composition {
  readonly services: Services;
  readonly storage: Storage;
  readonly pool: Pool;
  readonly verdicts: VerdictPool;
  readonly clock: Clock;
  /** The connection to a NATS broker. */
  readonly nats: Nats | undefined;
  /** Starts a first worker of each kind, so that the first call waits for none that loads its script. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

export interface CompositionOptions {
  readonly configuration: Configuration;
  readonly log: Logger;
  /** Replaces the clock of the node. */
  readonly clock?: Clock;
  /** PostgreSQL only: the clock of this host, which the database's corrects. */
  readonly hostClock?: Clock;
  /** Use an embedded database in memory, discarded when the process ends. */
  readonly inMemory?: boolean;
  /** Embedded only: a new database starts as a copy of this dump of PGlite. */
  readonly template?: Blob;
  /** PostgreSQL only: the schema that holds all tables. */
  readonly schema?: string;
  readonly databaseTimeouts?: Partial<DatabaseTimeouts>;
  /** Requests per minute by tier; overrides the configuration. */
  readonly rates?: Readonly<Record<RateTier, number>>;
  /** Duration after which a dead node loses its machines. */
  readonly leaseMs?: number;
  /** Overrides the format of messages between nodes. */
  readonly messageFormat?: number;
  /** Heartbeat and timeout timers of streams; the system's timers by default. */
  readonly timers?: Timers;
  /** Overrides the measurement of the database's free space. */
  readonly freeBytes?: () => Promise<number | undefined>;
  /** Overrides `LIMITS.storedFields`. */
  readonly fieldLimits?: FieldLimits;
  /** Override those of `LIMITS.live`. */
  readonly liveLimits?: Partial<LiveLimits>;
  /** Interval of the maintenance; a minute by default. */
  readonly maintenanceMs?: number | 'never';
  /** Write refusals into the chains of machines once a tick (default); if false, only on an explicit flush. */
  readonly logsRefusals?: boolean;
}

/** Opens the storage and builds every service on it. */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const { configuration, log, inMemory = false, template, schema } = options;
  const { databaseUrl, isEmbeddedSynced: sync, masterKey, workers, outboundAllowed } = configuration;
  const { witnessLogs, witnesses } = configuration;
  const dataFolder = inMemory ? undefined : configuration.dataFolder;
  const nodeId = randomBytes(8).toString('hex');
  const storage = await openStorage({
    databaseUrl,
    dataFolder,
    inMemory,
    template,
    sync,
    schema,
    timeouts: options.databaseTimeouts,
    holder: sessionNameOf(nodeId, schema),
    archiveFolder: configuration.archiveFolder,
  });
  const shares = new WorkerShares(availableParallelism());
  const workerOptions = { shares, ...(configuration.isProduction ? { niceness: LIMITS.kernel.niceness } : {}) };
  const pool = createPool({ ...workerOptions, ...(workers === undefined ? {} : { size: workers }) });
  const verdicts = new VerdictPool(workerOptions);
  const onStreamError = (err: unknown) => log.warn({ err }, 'a row notification was lost; streams may be late');
  const timekeeper = options.clock ? undefined : databaseClock(storage, log, options.hostClock);
  const clock = options.clock ?? timekeeper ?? systemClock({ onChange: (message) => log.warn(message) });
  const bus = await openEventBus({ databaseUrl, schema, nodeId, onFailed: onStreamError });
  try {
    await timekeeper?.start();
    const ledger = new Ledger({
      ...storage,
      randomBytes,
      assertTime: (headSvcond) => assertNotAhead(clock, headSvcond),
      seal: sealFor,
      onCommitted: ({ id, head }, rows) => bus.publish({ machineId: id, first: rows[0]?.seq ?? 0, last: head.seq }),
    });
    const platform: Platform = { storage, clock, randomBytes, log };
    const place = { database: storage.database, dataFolder, maxBytes: configuration.databaseBytes };
    const read = options.freeBytes ?? (() => freeBytesOf(place));
    const freeSpace = new FreeSpace({ log, read });
    await freeSpace.refresh();
    const { leaseMs, messageFormat } = options;
    const sessionOf = (id: string) => sessionNameOf(id, schema);
    const { natsUrl } = configuration;
    const nats =
      natsUrl === undefined
        ? undefined
        : new Nats({ url: natsUrl, name: `svc ${nodeId}`, onChange: (message) => log.warn(message) });
    const between = { nodeId, sessionOf, nats, leaseMs, messageFormat };
    const node = await composeNode({
      ...platform,
      ...{ masterKey, databaseUrl, dataFolder, outboundAllowed, freeSpace },
      ...between,
    });
    const { box, accountMacs, outbound, signer } = node;
    const rates = options.rates ?? scaledRates(configuration.rateFactor);
    const access = composeAccess({ ...platform, rates, box, accountMacs, bus, nodeId });
    const compute = composeCompute({
      ...platform,
      ...node.services,
      ...access.services,
      accountMacs,
      box,
      runner: pool,
      verdicts,
      fieldLimits: options.fieldLimits,
      nodeId,
      liveLimits: options.liveLimits,
    });
    const engine = await composeEngine({
      ...platform,
      ...node.services,
      ...compute.services,
      rateLimit: access.services.rateLimit,
      box,
      ledger,
      runtimeBytes: configuration.runtimeBytes,
      // No change is committed before all services are built.
      onWebhooks: () => webhooks.wake(),
      onCalls: () => activities.wake(),
    });
    const host = nodeName(configuration);
    const machines = composeMachines({
      ...platform,
      ...node.services,
      ...access.services,
      ...engine,
      box,
      accountMacs,
      signer,
      host,
      ledger,
      bus,
      onStreamError,
      verifierPage: readVerifierPage,
      logsRefusals: options.logsRefusals ?? true,
    });
    const oracles = composeOracles({ ...platform, ...engine, outbound });
    const webhooks = composeWebhooks({ ...platform, ...machines.services, box, outbound });
    const activities = composeActivities({ ...platform, ...node.services, ...engine, ...webhooks, outbound });
    const contracts = composeContracts({
      ...platform,
      ...node.services,
      ...engine,
      ...machines.services,
      workerOptions,
      assertReachable: async (contract, machine, askedBy, before) => {
        webhooks.assertCallable(contract, before);
        activities.assertCallable(contract, machine, before);
        await oracles.assertReadable(contract, machine, askedBy, before);
        assertOthers(contract, machine.head.slug);
      },
    });
    const anchors = composeAnchors({
      ...platform,
      ...machines.services,
      rateLimit: access.services.rateLimit,
      box,
      outbound,
      signer,
      host,
      witnessLogs,
    });
    const services: Services = {
      ...node.services,
      ...access.services,
      ...compute.services,
      ...machines.services,
      ...oracles.services,
      ...webhooks.services,
      ...activities.services,
      ...contracts.services,
      ...anchors.services,
    };
    const { database } = storage;
    services.metrics.add(
      ...metricsOf({
        ...{ clock, ledger, pool, engine, compute: compute.services, longRuns: compute.longRuns, database },
        ...{ archive: machines.services.archive, ...node.services },
      }),
    );
    const { maintenanceMs } = options;
    const tasks = [...machines.maintenance, () => services.anchorConfig.setWitnessesOfNode(witnesses)];
    const maintenance = nodeMaintenance(platform, tasks, maintenanceMs === 'never' ? undefined : maintenanceMs);
    if (maintenanceMs !== 'never') for (const lifecycle of [maintenance, machines.signing]) lifecycle.start();
    freeSpace.lifecycle.start();
    for (const { lifecycle } of [anchors, machines, engine, oracles, webhooks, activities]) lifecycle.start();
    engine.courier.start();
    compute.longRuns?.start();
    const close = async () => {
      await Promise.all(
        [freeSpace.lifecycle, maintenance, machines.signing, anchors.lifecycle, machines.lifecycle].map((lifecycle) =>
          lifecycle.stop(),
        ),
      );
      await oracles.lifecycle.stop();
      await engine.courier.stop();
      await activities.lifecycle.stop();
      await engine.lifecycle.stop();
      await webhooks.lifecycle.stop();
      await engine.settled();
      await services.owners.close();
      await nats?.close();
      await services.liveRuns.close();
      // What waits for a run has ended before.
      await compute.longRuns?.stop();
      await Promise.all([
        pool.close({ drain: true }),
        verdicts.close({ drain: true }),
        services.drafts.close({ drain: true }),
      ]);
      services.sealer.close();
      await ledger.settled();
      await bus.close();
      await services.access.flush();
      await services.streamCounts.close();
      await timekeeper?.stop();
      await storage.close();
    };
    const warm = async () => {
      await pool.warm();
      await verdicts.warm();
      await services.drafts.warm();
    };
    return { services, storage, pool, verdicts, clock, nats, warm, close };
  } catch (error) {
    await timekeeper?.stop();
    await bus.close();
    await Promise.all([pool.close(), verdicts.close()]);
    await storage.close();
    throw error;
  }
}

/** The clock of the database, for nodes that share one. */
function databaseClock({ database }: Storage, log: Logger, host = monotonicClock()): DatabaseClock | undefined {
  if (database.kind === 'embedded') return undefined;
  return new DatabaseClock({
    host,
    read: () => databaseTime(database.knex),
    onChange: (message) => log.warn(message),
    onFailed: (err) => log.debug({ err }, 'the clock of the database could not be read'),
  });
}

/** In-process events for the embedded database; LISTEN/NOTIFY between the nodes of one PostgreSQL. */
async function openEventBus(
  options: Omit<NotifyBusOptions, 'databaseUrl'> & { databaseUrl: string | undefined },
): Promise<EventBus> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return new LocalBus();
  const bus = new NotifyBus({ ...options, databaseUrl });
  await bus.start();
  return bus;
}

/** Prefix of checkpoint origins. */
function nodeName({ publicUrl, host, port }: Configuration): string {
  return publicUrl === undefined ? `${host}:${port}` : new URL(publicUrl).host;
}

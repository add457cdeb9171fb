// The composition root: the only place that builds things.

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type Configuration, readConfiguration } from './configuration.ts';
import { type Clock, systemClock, tickOf } from './core/clock.ts';
import { DomainError, ERROR_FORMS } from './core/errors.ts';
import { uuidV7 } from './core/ids.ts';
import { LIMITS } from './core/limits.ts';
import { createApp } from './http/app.ts';
import { openPortal } from './http/portal.ts';
import { kernelSlugs, loadKernel } from './kernels/load-node.ts';
import { createPool, type Pool } from './kernels/pool.ts';
import { openLog } from './log.ts';
import { mountMcp } from './mcp/mount.ts';
import { OPERATIONS } from './operations/index.ts';
import { CHECK_ONE_IN } from './operations/invoke.ts';
import type { Operation } from './operations/operation.ts';
import type { Services } from './operations/services.ts';
import { printOperator } from './operators/evaluate.ts';
import { findOperator } from './operators/load.ts';
import { kernelBlock, kernelMarkdown, kernelPrompt } from './protocol/kernel-description.ts';
import { AccessService } from './services/access.ts';
import { IdempotencyService } from './services/idempotency.ts';
import { KernelArchive } from './services/kernel-archive.ts';
import { openKeyRing } from './services/key-ring.ts';
import { KeyService } from './services/keys.ts';
import { loadMasterKey, masterKeySource } from './services/master-key.ts';
import { ProofService } from './services/proofs.ts';
import { PulseService } from './services/pulse.ts';
import { RateLimiter, type RateTier } from './services/rate-limit.ts';
import { ReplayService } from './services/replay.ts';
import { ResultService } from './services/results.ts';
import { RunService } from './services/runs.ts';
import { CIPHER, SealedBox } from './services/sealed-box.ts';
import { SecretRing } from './services/secret-ring.ts';
import { SolveService } from './services/solve.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import { createStreams, type Streams } from './streams/streams.ts';
import type { Timers } from './streams/timers.ts';
import { welcome } from './welcome.ts';

/** Written by scripts/build-portal.ts; without it the service has no pages. */
const PORTAL = new URL('../build/portal/', import.meta.url);

export interface Composition {
  readonly services: Services;
  readonly storage: Storage;
  readonly pool: Pool;
  readonly clock: Clock;
  close(): Promise<void>;
}

export interface CompositionOptions {
  readonly configuration: Configuration;
  readonly log: Logger;
  readonly clock?: Clock;
  /** An embedded database that is gone with the process. */
  readonly inMemory?: boolean;
  /** PostgreSQL only: all tables live in this schema. */
  readonly schema?: string;
  /** Requests a minute by tier, instead of the configured ones. */
  readonly rates?: Readonly<Record<RateTier, number>>;
  /** Heartbeats and patience of streams, instead of the machine's. */
  readonly timers?: Timers;
}

const SWEEP_EVERY_MS = 60_000;
const SWEPT_AT_ONCE = 500;

/** Open the storage and build every service on it. */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const {
    configuration,
    log,
    clock = systemClock(),
    inMemory = false,
    schema,
    rates = scaledRates(configuration.rateFactor),
  } = options;
  const { databaseUrl, dataFolder, isEmbeddedSynced, masterKey, workers } = configuration;
  const nowMs = () => Number(clock.now() / 1_000_000n);
  const storage = await openStorage({
    databaseUrl,
    dataFolder: inMemory ? undefined : dataFolder,
    inMemory,
    sync: isEmbeddedSynced,
    schema,
  });
  const pool = createPool(workers === undefined ? {} : { size: workers });
  try {
    const { accounts, keys, transaction } = storage;
    const keyOptions = { masterKey, databaseUrl, dataFolder: inMemory ? undefined : dataFolder, randomBytes };
    const key = loadMasterKey(keyOptions);
    const box = new SealedBox(key, randomBytes);
    const keyRing = await openKeyRing(
      new SecretRing({ secrets: storage.secrets, transaction, box, clock, randomBytes }),
    );
    const genesis = await storage.node.genesis({ tick: tickOf(clock.now()), unixMs: nowMs() });
    const kernels = new KernelArchive(storage.kernels, { load: loadKernel, slugs: kernelSlugs });
    await kernels.keepCurrent();
    const access = new AccessService({
      keys,
      clock,
      onTouchFailed: (err) => log.warn({ err }, 'the last use of keys was not stored'),
    });
    const printEquation = (id: string, numbers: Readonly<Record<string, number>>) =>
      printOperator(findOperator(id), numbers);
    const newId = () => uuidV7(nowMs(), randomBytes(10));
    const services: Services = {
      access,
      keys: new KeyService({ accounts, keys, transaction, access, clock, randomBytes }),
      rateLimit: new RateLimiter(rates),
      idempotency: new IdempotencyService(storage.idempotency, box, nowMs),
      pulse: new PulseService(clock, genesis),
      solve: new SolveService({ clock, kernels, keyRing, runner: pool, storage, printEquation, newId }),
      proofs: new ProofService(clock, keyRing.receipts),
      replay: new ReplayService({ kernels, keyRing, runner: pool, printEquation }),
      runs: new RunService(storage.runs, storage.fields, nowMs),
      results: new ResultService(storage.fields, nowMs),
      kernels,
      keyRing,
      sealing: { cipher: CIPHER, key_source: masterKeySource(keyOptions) },
      description: { block: kernelBlock, prompt: kernelPrompt, markdown: kernelMarkdown },
    };
    const sweep = setInterval(() => void removeExpired(storage, nowMs(), log), SWEEP_EVERY_MS).unref();
    const close = async () => {
      clearInterval(sweep);
      await pool.close({ drain: true });
      await access.flush();
      await storage.close();
    };
    return { services, storage, pool, clock, close };
  } catch (error) {
    await pool.close();
    await storage.close();
    throw error;
  }
}

function scaledRates(factor: number): Record<RateTier, number> {
  const { keyless, demo, free, standard, high } = LIMITS.rate;
  return {
    keyless: keyless * factor,
    demo: demo * factor,
    free: free * factor,
    standard: standard * factor,
    high: high * factor,
  };
}

async function removeExpired(storage: Storage, nowMs: number, log: Logger): Promise<void> {
  try {
    await storage.fields.removeExpired(nowMs, SWEPT_AT_ONCE);
    await storage.idempotency.removeExpired(nowMs, SWEPT_AT_ONCE);
  } catch (err) {
    log.warn({ err }, 'expired rows were not removed');
  }
}

export interface RunningService extends Composition {
  readonly streams: Streams;
  readonly url: string;
}

/** Compose and listen. Closing waits for what is under way. */
export async function listen(options: CompositionOptions): Promise<RunningService> {
  const { configuration, log } = options;
  const composition = await compose(options);
  try {
    const images = await Promise.all((await kernelSlugs()).map(loadKernel));
    const shouldCheck = configuration.isProduction ? (n: number) => n % CHECK_ONE_IN === 0 : () => true;
    const onDefect = (operation: Operation, err: unknown) =>
      log.error({ operation: operation.name, err }, 'an answer does not fit its schema');
    const mcp = mountMcp({
      operations: OPERATIONS,
      host: configuration.host,
      publicUrl: configuration.publicUrl,
      shouldCheck,
      onDefect,
      onRejected: (err) => log.debug({ err }, 'an MCP message was turned down'),
      onFailed: (tool, requestId, err) => log.error({ request_id: requestId, tool, err }, 'failed'),
      fixtures: configuration.hasMcpFixtures ? (await import('./mcp/fixtures/server.ts')).fixtureServer : undefined,
    });
    const streams = createStreams({
      operations: OPERATIONS,
      services: composition.services,
      log,
      options: { shouldCheck, onDefect },
      baseUrl: configuration.publicUrl,
      timers: options.timers,
    });
    const app = await createApp({
      operations: OPERATIONS,
      services: composition.services,
      log,
      streams,
      portal: openPortal(fileURLToPath(PORTAL), images),
      mcp,
      shouldCheck,
      ...(configuration.publicUrl === undefined ? {} : { baseUrl: configuration.publicUrl }),
    });
    const server = createServer(
      {
        requestTimeout: LIMITS.kernel.deadlineMs,
        headersTimeout: 10_000,
        shouldUpgradeCallback: (request) => streams.door.isFor(request),
      },
      app.callback(),
    );
    server.on('upgrade', (request, socket, head) => void streams.door.upgrade(request, socket, head));
    await start(server, configuration);
    const { port } = server.address() as AddressInfo;
    const host = configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host;
    const close = async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all([mcp.close(), streams.close()]);
      await closed;
      await composition.close();
    };
    return { ...composition, streams, url: `http://${host}:${port}`, close };
  } catch (error) {
    await composition.close();
    throw error;
  }
}

function start(server: Server, { port, host }: Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new DomainError('CONFLICT', `Something else listens on ${host}:${port}; choose another PORT.`, {
              cause: error,
            })
          : error,
      );
    });
    server.listen(port, host, () => resolve());
  });
}

const OWNER = 'owner';

/** The owner's key of a new installation, kept beside the data for `svc keys`. Once. */
async function keepAdminKey(
  { services, storage }: Composition,
  { dataFolder, databaseUrl }: Configuration,
): Promise<string | undefined> {
  if ((await storage.node.get(OWNER)) !== undefined) return undefined;
  const { key, accountId } = await services.keys.openAccount({
    name: 'owner of this node',
    scope: 'admin',
    rate_limit_tier: 'high',
  });
  if (databaseUrl !== undefined) mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'admin.key');
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  // Settled last: a start that is killed before leaves a key that nobody has, and the next start makes another.
  await storage.node.settle(OWNER, accountId);
  return path;
}

/** Start, greet, and stop cleanly at the first signal; a second one ends the process at once. */
export async function serve(configuration: Configuration, signal?: AbortSignal): Promise<void> {
  const log = openLog(configuration.logLevel);
  const running = await listen({ configuration, log });
  await keepAdminKey(running, configuration);
  await welcome(running.services, running.url, configuration);

  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  process.once('SIGINT', () => process.exit(1));
  console.error('stopping …');
  await running.close();
}

if (import.meta.main) {
  try {
    await serve(readConfiguration(process.env));
  } catch (error) {
    const known = error instanceof DomainError;
    console.error(known ? `svc: ${error.message}` : error);
    process.exitCode = known ? ERROR_FORMS[error.code].exit : 1;
  }
}

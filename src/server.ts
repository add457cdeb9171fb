// A node on its address: composed, listening, greeted, stopped.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_PORTAL, type Composition, type CompositionOptions, compose } from './composition.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { DomainError, ERROR_FORMS } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import { createApp } from './http/app.ts';
import { openPortal } from './http/portal.ts';
import { kernelSlugs, loadKernel } from './kernels/load-node.ts';
import { openLog } from './log.ts';
import { mountMcp } from './mcp/mount.ts';
import { OPERATIONS } from './operations/index.ts';
import { CHECK_ONE_IN } from './operations/invoke.ts';
import type { Operation } from './operations/operation.ts';
import { isPage } from './portal/addresses.ts';
import { createStreams, type Streams } from './streams/streams.ts';
import { welcome } from './welcome.ts';

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
      fixtures: configuration.hasMcpFixtures
        ? (await import('../test/mcp/conformance/server.ts')).fixtureServer
        : undefined,
    });
    const streams = createStreams({
      operations: OPERATIONS,
      services: composition.services,
      log,
      options: { shouldCheck, onDefect },
      host: configuration.host,
      publicUrl: configuration.publicUrl,
      timers: options.timers,
    });
    const app = await createApp({
      operations: OPERATIONS,
      services: composition.services,
      log,
      streams,
      portal: openPortal(fileURLToPath(BUILT_PORTAL), images, isPage),
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
  await untilStopped(signal);
  await running.close();
}

/**
 * A node that only works: it fires timers and delivers webhooks beside others on one PostgreSQL, and listens nowhere.
 *
 * @throws DomainError VALIDATION_FAILED without DATABASE_URL: nobody else could be on an embedded database
 */
export async function work(configuration: Configuration, signal?: AbortSignal): Promise<void> {
  if (configuration.databaseUrl === undefined) {
    throw new DomainError(
      'VALIDATION_FAILED',
      'DATABASE_URL is not set; a worker shares a PostgreSQL with other nodes.',
    );
  }
  const composition = await compose({ configuration, log: openLog(configuration.logLevel) });
  console.error('svc worker: at work; stop with Ctrl-C');
  // Its timers keep no process alive.
  const wait = setInterval(() => {}, 2 ** 30);
  await untilStopped(signal);
  clearInterval(wait);
  await composition.close();
}

/** The first signal; a second one ends the process at once. */
async function untilStopped(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  process.once('SIGINT', () => process.exit(1));
  console.error('stopping …');
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

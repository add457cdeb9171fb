// Starts a node: composes the services, listens, prints the welcome message, and stops on a signal.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EventSubjects } from './broker/event-subjects.ts';
import { brokerMetrics } from './broker/metrics.ts';
import { BUILT_PORTAL } from './built-portal.ts';
import { type Composition, type CompositionOptions, compose } from './composition.ts';
import type { Configuration } from './configuration.ts';
import { DomainError } from './core/errors.ts';
import { LIMITS } from './core/limits.ts';
import { AnswerBytes, type AnswerLimits } from './http/answer-bytes.ts';
import { createApp } from './http/app.ts';
import { limitConnections } from './http/connection-limit.ts';
import { refuseMalformedRequests } from './http/malformed-requests.ts';
import { OpenConnections } from './http/open-connections.ts';
import { oneAtATime } from './http/pipelines.ts';
import { openPortal } from './http/portal.ts';
import { kernelSlugs, loadKernel } from './kernels/load-node.ts';
import { openLog } from './log.ts';
import { type CreateServer, createMcpEndpoint } from './mcp/endpoint.ts';
import { forwardedCalls } from './operations/forwarded-call.ts';
import { OPERATIONS } from './operations/index.ts';
import { type InvokeOptions, OUTPUT_CHECK_INTERVAL } from './operations/invoke.ts';
import { isPagePath } from './portal/page-paths.ts';
import { ForwardedHeaders } from './services/access/forwarded-headers.ts';
import { ownerOf, setOwner } from './services/node/owner.ts';
import { isNodeCall, serveNodeCall } from './services/node/owners/http-transport.ts';
import { createStreams, type Streams } from './streams/streams.ts';
import { systemTimers } from './streams/timers.ts';
import { printWelcome } from './welcome.ts';

export interface RunningService extends Composition {
  readonly streams: Streams;
  readonly answers: Pick<AnswerBytes, 'unread'>;
  readonly url: string;
  /** The address that the server listens on. */
  readonly address: string;
}

export interface ListenOptions extends CompositionOptions {
  /** Overrides the creation of the MCP server of a request. */
  readonly createMcpServer?: CreateServer | undefined;
  /** Overrides `LIMITS.answer`. */
  readonly answerLimits?: AnswerLimits | undefined;
  /** Overrides the wait of SVC_DRAIN_SECONDS. */
  readonly drained?: (() => Promise<void>) | undefined;
  /** Overrides `LIMITS.request`. */
  readonly requestLimits?: Readonly<Record<keyof typeof LIMITS.request, number>> | undefined;
}

/** Composes the services and listens. `close` waits for pending requests. */
export async function listen(options: ListenOptions): Promise<RunningService> {
  const { configuration, log, requestLimits = LIMITS.request, answerLimits = LIMITS.answer } = options;
  const drained = options.drained ?? (() => sleep(configuration.drainMs));
  const composition = await compose(options);
  try {
    const images = await Promise.all((await kernelSlugs()).map(loadKernel));
    composition.services.auto.prepare();
    const invokeOptions: InvokeOptions = {
      shouldCheck: configuration.isProduction ? (n) => n % OUTPUT_CHECK_INTERVAL === 0 : () => true,
      onDefect: (operation, err) =>
        log.error({ operation: operation.name, err }, 'a response does not match its schema'),
    };
    const forwarded = new ForwardedHeaders(configuration.trustedProxies, configuration.publicUrl);
    const mcp = createMcpEndpoint({
      operations: OPERATIONS,
      host: configuration.host,
      publicUrl: configuration.publicUrl,
      ...invokeOptions,
      createServer: options.createMcpServer,
      onRejected: (err) => log.debug({ err }, 'an MCP message was rejected'),
      onToolError: (tool, requestId, err) => log.error({ request_id: requestId, tool, err }, 'failed'),
    });
    const streams = createStreams({
      operations: OPERATIONS,
      services: composition.services,
      log,
      invokeOptions,
      forwarded,
      host: configuration.host,
      publicUrl: configuration.publicUrl,
      timers: options.timers,
    });
    const answers = new AnswerBytes(composition.services.rateLimit, options.timers ?? systemTimers, answerLimits);
    composition.services.metrics.add(
      {
        name: 'svc_open_streams',
        type: 'gauge',
        help: 'Open streams: server-sent events and sockets.',
        read: () => streams.count(),
      },
      {
        name: 'svc_unread_answer_bytes',
        type: 'gauge',
        help: 'Bytes of answers that their readers have not taken yet.',
        read: () => answers.unread,
      },
    );
    const { nats } = composition;
    const broker =
      nats &&
      new EventSubjects({
        nats,
        prefix: configuration.natsPrefix,
        operations: OPERATIONS,
        services: composition.services,
        invokeOptions,
        baseUrl: configuration.publicUrl ?? `http://${configuration.host}:${configuration.port}`,
        onFailed: (err) => log.error({ err }, 'a message of the broker failed'),
      });
    composition.services.metrics.add(...brokerMetrics(broker));
    const app = await createApp({
      operations: OPERATIONS,
      services: composition.services,
      log,
      streams,
      answers,
      portal: openPortal(fileURLToPath(BUILT_PORTAL), images, isPagePath),
      mcp,
      options: invokeOptions,
      forwarded,
    });
    const serverOptions = {
      // Only until the request is received; how long the answer takes is limited elsewhere.
      headersTimeout: requestLimits.headersMs,
      requestTimeout: requestLimits.completeMs,
      connectionsCheckingInterval: requestLimits.checkMs,
      // Node before 22.21 ignores this; the handler then refuses other upgrades itself.
      shouldUpgradeCallback: (request: IncomingMessage) => streams.upgradeHandler.matches(request),
    };
    const respondToCallers = app.callback();
    const { owners } = composition.services;
    const respond = oneAtATime((request, response) => {
      if (!isNodeCall(request)) return void respondToCallers(request, response);
      serveNodeCall(request, response, owners).catch((err) => {
        log.error({ err }, 'a message of another node failed');
        response.destroy();
      });
    }, LIMITS.connection.waitingRequests);
    const server = createServer(serverOptions, respond);
    refuseMalformedRequests(server, respond);
    server.setTimeout(answerLimits.idleMs);
    server.on('upgrade', (request, socket, head) => void streams.upgradeHandler.upgrade(request, socket, head));
    limitConnections(server, (address) => forwarded.connectionHolderOf(address));
    const connections = new OpenConnections(server);
    await start(server, configuration);
    const { address, port } = server.address() as AddressInfo;
    const host = configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host;
    const calls = forwardedCalls(OPERATIONS, composition.services, invokeOptions);
    const nodeUrl = configuration.nodeUrl ?? `http://${reachableHost(configuration.host)}:${port}`;
    await owners.open(nodeUrl, calls).catch((error: unknown) => {
      server.close();
      server.closeAllConnections();
      throw error;
    });
    const close = async () => {
      // The node answers as before until load balancers have seen that, and other nodes who owns its machines now.
      composition.services.readiness.drain();
      connections.drain();
      await Promise.all([owners.owners.leave(), drained()]);
      const closed = connections.close();
      // Their readers come back on new connections, which this node takes no more.
      await Promise.all([mcp.close(), streams.close(), broker?.close()]);
      await closed;
      await composition.close();
    };
    return { ...composition, streams, answers, url: `http://${host}:${port}`, address, close };
  } catch (error) {
    await composition.close();
    throw error;
  }
}

/** An address of this computer for a server that listens on all of them. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function start(server: Server, { port, host }: Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isPortInUse = error.code === 'EADDRINUSE';
      reject(
        isPortInUse
          ? new DomainError('CONFLICT', `Port ${port} on ${host} is in use; choose another PORT.`, {
              cause: error,
            })
          : error,
      );
    });
    server.listen(port, host, () => resolve());
  });
}

/** Creates the owner's key of a new installation and saves it beside the data for `svc keys`. Runs only once. */
async function createAdminKey(
  { services, storage }: Composition,
  { dataFolder, databaseUrl }: Configuration,
): Promise<string | undefined> {
  if ((await ownerOf(storage.node)) !== undefined) return undefined;
  const { key, accountId } = await services.keys.openAccount({
    name: 'owner of this node',
    scope: 'admin',
    rate_limit_tier: 'high',
  });
  if (databaseUrl !== undefined) mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'admin.key');
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  // Recorded last: if the process is killed before, the lost key is unused and the next start creates another.
  await setOwner(storage.node, accountId);
  return path;
}

/** Starts the node and stops it cleanly at the first signal; a second signal ends the process at once. */
export async function serve(configuration: Configuration, signal?: AbortSignal): Promise<void> {
  const log = openLog(configuration.logLevel);
  const running = await listen({ configuration, log });
  // Before the message, so that a signal sent on seeing it stops the node cleanly.
  const stopped = waitForStopSignal(signal);
  await createAdminKey(running, configuration);
  await printWelcome(running, configuration);
  if (configuration.isProduction) running.warm().catch((err: unknown) => log.warn({ err }, 'workers did not start'));
  await stopped;
  await running.close();
}

/**
 * Runs a worker node, which opens no port: it delivers webhooks and anchors for the other nodes of one PostgreSQL. It
 * owns machines, so that it fires their timers, only while no node that serves lives.
 *
 * @throws DomainError VALIDATION_FAILED without DATABASE_URL: an embedded database cannot be shared
 */
export async function startWorker(configuration: Configuration, signal?: AbortSignal): Promise<void> {
  if (configuration.databaseUrl === undefined) {
    throw new DomainError(
      'VALIDATION_FAILED',
      'DATABASE_URL is missing; a worker needs the PostgreSQL that the other nodes use.',
    );
  }
  const composition = await compose({ configuration, log: openLog(configuration.logLevel) });
  console.error('svc worker: running; stop with Ctrl-C');
  // The worker's timers are unref'd; this one keeps the process alive.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  await waitForStopSignal(signal);
  clearInterval(keepAlive);
  await composition.close();
}

/** Resolves at the first signal; a second signal ends the process at once. */
async function waitForStopSignal(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  process.once('SIGINT', () => process.exit(1));
  console.error('stopping …');
}

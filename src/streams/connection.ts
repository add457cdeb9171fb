// A WebSocket connection: its principal, subscriptions and solver runs.
//
// Messages are handled one after another. Subscriptions and runs continue concurrently under ids that the client
// chooses. Each sends its next frame after the previous one has left the process, so a slow reader buffers one frame
// per task.

import type { RawData, WebSocket } from 'ws';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { quoteValue } from '../core/validation.ts';
import { type Frame, openChannel } from '../operations/channel.ts';
import { errorResponseOf } from '../operations/error-response.ts';
import { type InvokeOptions, invoke } from '../operations/invoke.ts';
import { CLOSE_CODES } from '../operations/node/socket.ts';
import type { Context, Operation } from '../operations/operation.ts';
import { requirePrincipal } from '../operations/require-principal.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import { type Message, type MessageReference, parseMessage, referenceOf } from './messages.ts';
import type { StreamSlot } from './open-streams.ts';
import type { Rechecks } from './rechecks.ts';
import type { Timers } from './timers.ts';

export interface ConnectionOptions {
  readonly services: Services;
  /** Channels and solvers by name. */
  readonly channels: ReadonlyMap<string, Operation>;
  readonly solvers: ReadonlyMap<string, Operation>;
  readonly invokeOptions: InvokeOptions;
  readonly timers: Timers;
  readonly rechecks: Pick<Rechecks, 'add'>;
  readonly onError: (requestId: string, error: unknown) => void;
}

export interface ClientInfo {
  readonly address: string;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly slot: StreamSlot;
}

interface Task {
  readonly kind: 'subscription' | 'run';
  readonly controller: AbortController;
  /** Rejects when the principal loses access. */
  reauthorize?: () => Promise<unknown>;
}

/** Reading from the socket pauses at this number of unhandled messages. */
const MAX_PENDING_MESSAGES = 8;
/** Ops that start work under the key and reauthenticate it first. The other ops only end work. */
const REAUTHENTICATED_OPS: ReadonlySet<Message['op']> = new Set(['subscribe', 'solve', 'stream']);

export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #client: ClientInfo;
  readonly #tasks = new Map<string, Task>();
  readonly #cleanups: (() => void)[] = [];
  #principal: Principal | undefined;
  /** Authenticates the key again. */
  #reauthenticate: (() => Promise<Principal>) | undefined;
  #isRecheckScheduled = false;
  #isFirstMessage = true;
  #isClosing = false;
  #isAlive = true;
  /** Since the last heartbeat. */
  #controlFrames = 0;
  #pending = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, options: ConnectionOptions, client: ClientInfo) {
    this.#socket = socket;
    this.#options = options;
    this.#client = client;
    socket.on('message', (bytes, isBinary) => this.#receive(bytes, isBinary));
    socket.on('ping', (bytes) => {
      if (this.#mayControl()) socket.pong(bytes);
    });
    socket.on('pong', () => {
      if (this.#mayControl()) this.#isAlive = true;
    });
    // After a protocol error ws closes the connection itself and emits `close`.
    socket.on('error', () => {});
    socket.once('close', () => this.#onClose());
    this.#cleanups.push(options.timers.every(LIMITS.stream.heartbeatMs, () => this.#heartbeat()));
  }

  /** Ends subscriptions, lets runs finish, then closes the connection. */
  async end(reason: DomainError): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    for (const { kind, controller } of this.#tasks.values()) if (kind === 'subscription') controller.abort();
    await this.#queue;
    if (this.#runCount === 0) this.#close(CLOSE_CODES.goingAway, reason.code);
  }

  get #runCount(): number {
    return [...this.#tasks.values()].filter(({ kind }) => kind === 'run').length;
  }

  #receive(bytes: RawData, isBinary: boolean): void {
    if (++this.#pending >= MAX_PENDING_MESSAGES) this.#socket.pause();
    // A pause stops neither what has arrived already nor control frames.
    if (this.#pending > LIMITS.stream.waitingMessages) {
      this.#socket.terminate();
      return;
    }
    this.#queue = this.#queue
      .then(() => this.#handle(bytes, isBinary))
      .then(() => {
        if (--this.#pending < MAX_PENDING_MESSAGES && this.#socket.isPaused) this.#socket.resume();
      });
  }

  async #handle(bytes: RawData, isBinary: boolean): Promise<void> {
    const reference = () => (isBinary ? {} : referenceOf(bytes as Buffer));
    let message: Message | undefined;
    try {
      if (!this.#isOpen()) return;
      await this.#consumeRateLimit();
      if (isBinary) throw new DomainError('BAD_REQUEST', 'The message must be JSON text, not binary.');
      message = parseMessage(bytes as Buffer);
      if (REAUTHENTICATED_OPS.has(message.op) && !(await this.#canStart(reference))) return;
      await this.#dispatch(message);
    } catch (error) {
      await this.#delay(error);
      if (message?.op === 'auth') this.#rejectAndClose(error, closeCodeOf(error), reference());
      else this.#sendError(error, reference());
    } finally {
      this.#isFirstMessage = false;
    }
  }

  /** Whether the socket is still open. @throws DomainError SHUTTING_DOWN */
  #isOpen(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#isClosing) throw new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
    return true;
  }

  /** Whether work may start: not with a key that was revoked since `auth`. @throws DomainError SHUTTING_DOWN */
  async #canStart(reference: () => MessageReference): Promise<boolean> {
    return (await this.#isStillAuthenticated(reference)) && this.#isOpen();
  }

  /** Authenticates the key again; on failure closes the connection and returns false. */
  async #isStillAuthenticated(reference: () => MessageReference = () => ({})): Promise<boolean> {
    try {
      if (this.#reauthenticate) this.#principal = await this.#reauthenticate();
      return true;
    } catch (error) {
      this.#rejectAndClose(error, CLOSE_CODES.keyRefused, reference());
      return false;
    }
  }

  async #dispatch(message: Message): Promise<void> {
    switch (message.op) {
      case 'auth':
        return this.#authenticate(message.key);
      case 'subscribe':
        return this.#subscribe(message.op, message);
      case 'stream':
        return this.#stream(message);
      case 'solve':
        return this.#solve(message);
      case 'unsubscribe': {
        const id = message.id ?? message.channel ?? '';
        const task = this.#tasks.get(id);
        if (task?.kind !== 'subscription')
          throw new DomainError('NOT_FOUND', `Subscription ${quoteValue(id)} not found.`);
        task.controller.abort();
        this.#removeTask(id, task);
        this.#reply({ ok: true, op: message.op, id });
        return;
      }
      case 'cancel': {
        const { id, run } = message;
        if (run !== undefined) {
          this.#options.services.liveRuns.cancel(run, requirePrincipal(this.#principal));
          this.#reply({ ok: true, op: message.op, ids: [run] });
          return;
        }
        const runs = [...this.#tasks].filter(([name, { kind }]) => kind === 'run' && (id === undefined || name === id));
        if (id !== undefined && runs.length === 0)
          throw new DomainError('NOT_FOUND', `Run ${quoteValue(id)} not found.`);
        for (const [, { controller }] of runs) controller.abort();
        this.#reply({ ok: true, op: message.op, ids: runs.map(([name]) => name) });
        return;
      }
    }
  }

  async #authenticate(key: string): Promise<void> {
    const { services } = this.#options;
    const { address, slot } = this.#client;
    if (!this.#isFirstMessage) throw new DomainError('CONFLICT', 'auth must be the first message of a connection.');
    const principal = await services.access.authenticate(key);
    await slot.reassign(services.rateLimit.holderOf(principal, address));
    this.#principal = principal;
    this.#reauthenticate = () => services.access.authenticate(key);
    this.#scheduleRechecks();
    const { keyPrefix, scope, tier } = principal;
    this.#reply({ ok: true, op: 'auth', keyPrefix, scope, tier });
  }

  /** Subscribes to the channel that starts or resumes a run. */
  #stream({ solver, input, run, since, id = solver ?? run }: Extract<Message, { op: 'stream' }>): Promise<void> {
    if ((solver === undefined) === (run === undefined))
      throw new DomainError(
        'VALIDATION_FAILED',
        'One of solver and run is expected: solver starts a run, run resumes one.',
      );
    const resumed = run === undefined ? {} : { since };
    const parameters = run === undefined ? { solver, ...(input && { input }) } : { id: run };
    return this.#subscribe('stream', { channel: run === undefined ? 'solve' : 'run', parameters, id, ...resumed });
  }

  async #subscribe(
    op: 'subscribe' | 'stream',
    { channel, since, parameters, id = channel }: Omit<Extract<Message, { op: 'subscribe' }>, 'op'>,
  ) {
    const operation = findOperation(this.#options.channels, channel, 'channel');
    const task = this.#createTask(id, 'subscription', LIMITS.stream.subscriptions);
    try {
      const input = { ...parameters, ...(since === undefined ? {} : { since }) };
      const context = this.#context(task.controller.signal, undefined);
      const { frames, reauthorize } = await openChannel(operation, input, context, this.#options.invokeOptions);
      this.#reply({ ok: true, op, channel, id });
      if (reauthorize) {
        task.reauthorize = () =>
          reauthorize(this.#principal).catch((error) => this.#endSubscription(error, { op, channel, id }, task));
        this.#scheduleRechecks();
      }
      void this.#sendFrames(op, { channel, id }, frames, task);
    } catch (error) {
      this.#tasks.delete(id);
      throw error;
    }
  }

  /** Starts the periodic reauthorization of the connection and its subscriptions. */
  #scheduleRechecks(): void {
    // A connection that closed while its message was handled would never cancel the timer.
    if (this.#isRecheckScheduled || this.#socket.readyState === this.#socket.CLOSED) return;
    this.#isRecheckScheduled = true;
    const { timers, rechecks } = this.#options;
    this.#cleanups.push(
      timers.every(LIMITS.stream.reauthorizeMs, () => void this.#recheck()),
      rechecks.add(() => this.#recheck()),
    );
  }

  async #recheck(): Promise<void> {
    if (!(await this.#isStillAuthenticated())) return;
    for (const { reauthorize } of this.#tasks.values()) void reauthorize?.();
  }

  /** Ends one subscription with an error; the others continue. */
  #endSubscription(
    error: unknown,
    reference: { readonly op: string; readonly channel: string; readonly id: string },
    task: Task,
  ): void {
    if (task.controller.signal.aborted) return;
    task.controller.abort();
    this.#sendError(error, reference);
    this.#removeTask(reference.id, task);
  }

  async #sendFrames(
    op: string,
    reference: { readonly channel: string; readonly id: string },
    frames: AsyncIterable<Frame>,
    task: Task,
  ): Promise<void> {
    try {
      for await (const { seq, type, data, json } of frames) {
        if (task.controller.signal.aborted) return;
        const head = { ...reference, seq, type };
        await (json === undefined ? this.#send({ ...head, data }) : this.#sendText(withData(head, json)));
      }
    } catch (error) {
      this.#sendError(error, { op, ...reference });
    } finally {
      this.#removeTask(reference.id, task);
    }
  }

  #solve({ solver, input = {}, id = solver }: Extract<Message, { op: 'solve' }>) {
    const operation = findOperation(this.#options.solvers, solver, 'solver');
    const task = this.#createTask(id, 'run', LIMITS.stream.runs);
    const reference = { channel: operation.name, id };
    this.#reply({ ok: true, op: 'solve', ...reference });
    void this.#run(operation, input, reference, task);
  }

  async #run(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    reference: { readonly channel: string; readonly id: string },
    task: Task,
  ): Promise<void> {
    const { services, invokeOptions } = this.#options;
    let seq = 0;
    let isSending = false;
    const onProgress = (fraction: number) => {
      if (isSending || task.controller.signal.aborted) return;
      isSending = true;
      const data = { svcond: services.pulse.svcond, fraction };
      void this.#send({ ...reference, seq: ++seq, type: 'progress', data }).finally(() => {
        isSending = false;
      });
    };
    try {
      const data = await invoke(operation, input, this.#context(task.controller.signal, onProgress), invokeOptions);
      await this.#send({ ...reference, seq: ++seq, type: 'result', data });
    } catch (error) {
      await this.#delay(error);
      this.#sendError(error, { op: 'solve', ...reference });
    } finally {
      this.#removeTask(reference.id, task);
    }
  }

  /** @throws DomainError CONFLICT, RATE_LIMITED */
  #createTask(id: string, kind: Task['kind'], limit: number): Task {
    if (this.#tasks.has(id)) {
      throw new DomainError(
        'CONFLICT',
        `A subscription or run with id ${quoteValue(id)} already exists; use another id.`,
      );
    }
    const count = [...this.#tasks.values()].filter((task) => task.kind === kind).length;
    if (count >= limit) {
      throw new DomainError('RATE_LIMITED', `Limit of ${limit} ${kind}s per connection reached; end one first.`);
    }
    const task: Task = { kind, controller: new AbortController() };
    this.#tasks.set(id, task);
    return task;
  }

  #removeTask(id: string, task: Task): void {
    if (this.#tasks.get(id) === task) this.#tasks.delete(id);
    if (this.#isClosing && this.#runCount === 0) this.#close(CLOSE_CODES.goingAway, 'SHUTTING_DOWN');
  }

  #context(signal: AbortSignal, onProgress: Context['onProgress']): Context {
    const { address, baseUrl, requestId } = this.#client;
    const principal = this.#principal;
    const caller = principal?.keyId ?? address;
    const { services } = this.#options;
    const tenant = services.rateLimit.tenantOf(principal, address);
    const idempotencyKey = undefined;
    // Any page in a browser of this computer may open a socket.
    const isLocal = false;
    return { services, principal, requestId, caller, tenant, isLocal, signal, idempotencyKey, onProgress, baseUrl };
  }

  /** Counts the message as a request. @throws DomainError RATE_LIMITED */
  async #consumeRateLimit(): Promise<void> {
    const usage = await this.#options.services.rateLimit.consume(this.#principal, this.#client.address);
    if (!usage.isExceeded) return;
    const message = `Limit of ${usage.limit} messages per minute reached; try again in ${usage.resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { facts: { retry_after: usage.resetSeconds } });
  }

  /** Waits before a refusal is sent to a caller with many; its next messages wait as well. */
  #delay(error: unknown): Promise<void> {
    const { rateLimit, refusalDelay } = this.#options.services;
    return refusalDelay.wait(error, () => rateLimit.tenantOf(this.#principal, this.#client.address));
  }

  /** Resolves when the message has left the process; disconnects a client that has left too much unread. */
  #send(message: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#sendText(JSON.stringify(message));
  }

  #sendText(text: string): Promise<void> {
    if (this.#socket.bufferedAmount > LIMITS.stream.maxBufferedBytes) this.#socket.terminate();
    return new Promise((resolve) => this.#socket.send(text, () => resolve()));
  }

  /** Sends a response without waiting; disconnects a client that sends but does not read. */
  #reply(message: Readonly<Record<string, unknown>>): void {
    if (this.#socket.bufferedAmount > LIMITS.stream.bufferedBytes) this.#socket.terminate();
    else void this.#send(message);
  }

  #sendError(error: unknown, reference: MessageReference): void {
    const { requestId } = this.#client;
    this.#options.onError(requestId, error);
    this.#reply({ ...errorResponseOf(error, requestId), ...reference });
  }

  /** Sends an error, aborts all tasks and closes the connection. */
  #rejectAndClose(error: unknown, code: number, reference: MessageReference): void {
    this.#sendError(error, reference);
    this.#isClosing = true;
    for (const { controller } of this.#tasks.values()) controller.abort();
    this.#close(code, errorResponseOf(error, this.#client.requestId).code);
  }

  /** Counts a ping or pong; disconnects a client that sends many, or leaves too many answers unread. */
  #mayControl(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    const { controlFrames, bufferedBytes } = LIMITS.stream;
    const mayGoOn = ++this.#controlFrames <= controlFrames && this.#socket.bufferedAmount <= bufferedBytes;
    if (!mayGoOn) this.#socket.terminate();
    return mayGoOn;
  }

  #heartbeat(): void {
    this.#controlFrames = 0;
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }

  #close(code: number, reason: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(code, reason);
    this.#cleanups.push(this.#options.timers.after(LIMITS.stream.closeMs, () => this.#socket.terminate()));
  }

  #onClose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    for (const { controller } of this.#tasks.values()) controller.abort();
  }
}

/** A message with `data` that is JSON already. */
const withData = (head: object, json: string) => `${JSON.stringify(head).slice(0, -1)},"data":${json}}`;

function findOperation(operations: ReadonlyMap<string, Operation>, name: string, kind: string): Operation {
  const operation = operations.get(name);
  if (operation) return operation;
  throw new DomainError(
    'NOT_FOUND',
    `Unknown ${kind} ${quoteValue(name)}; available: ${[...operations.keys()].join(', ')}.`,
  );
}

function closeCodeOf(error: unknown): number {
  const isRateLimited = error instanceof DomainError && error.code === 'RATE_LIMITED';
  return isRateLimited ? CLOSE_CODES.tooMany : CLOSE_CODES.keyRefused;
}

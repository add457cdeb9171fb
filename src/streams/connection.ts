// One WebSocket connection: who speaks, what it follows, what it has asked to be computed.
//
// Messages are heard one after another. Subscriptions and runs go on beside them under names of the client's choice, and
// each sends its next frame when the last one has left the process: a slow reader costs one frame of each.

import type { RawData, WebSocket } from 'ws';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { show } from '../core/validation.ts';
import { type Frame, openChannel } from '../operations/channel.ts';
import { type InvokeOptions, invoke } from '../operations/invoke.ts';
import { CLOSE_CODES } from '../operations/node/socket.ts';
import type { Context, Operation } from '../operations/operation.ts';
import { refusalOf } from '../operations/refusal.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import { type Message, type Names, namesIn, parseMessage } from './messages.ts';
import type { Place } from './open-streams.ts';
import type { Timers } from './timers.ts';

export interface ConnectionParts {
  readonly services: Services;
  /** By the name of the channel, and of the solver. */
  readonly channels: ReadonlyMap<string, Operation>;
  readonly solvers: ReadonlyMap<string, Operation>;
  readonly options: InvokeOptions;
  readonly timers: Timers;
  readonly onFailed: (requestId: string, error: unknown) => void;
}

export interface Visitor {
  readonly address: string;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly place: Place;
}

interface Task {
  readonly kind: 'subscription' | 'run';
  readonly stop: AbortController;
  /** Rejects when the speaker may no longer follow. */
  recheck?: () => Promise<unknown>;
}

/** Messages that may wait to be heard before no more are read from the wire. */
const WAITING = 8;
/** What goes on in the name of a key after it was said. The others only end what goes on. */
const STARTS: ReadonlySet<Message['op']> = new Set(['subscribe', 'solve']);

export class Connection {
  readonly #socket: WebSocket;
  readonly #parts: ConnectionParts;
  readonly #visitor: Visitor;
  readonly #tasks = new Map<string, Task>();
  readonly #stops: (() => void)[] = [];
  #principal: Principal | undefined;
  /** Asks again whether the key is still good. */
  #renew: (() => Promise<Principal>) | undefined;
  #isWatched = false;
  #isFirst = true;
  #isEnding = false;
  #isAlive = true;
  #waiting = 0;
  #heard: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, parts: ConnectionParts, visitor: Visitor) {
    this.#socket = socket;
    this.#parts = parts;
    this.#visitor = visitor;
    socket.on('message', (bytes, isBinary) => this.#receive(bytes, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // ws closes the connection by itself after an error of the protocol; `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => this.#gone());
    this.#stops.push(parts.timers.every(LIMITS.stream.heartbeatMs, () => this.#beat()));
  }

  /** Subscriptions end, runs go on to their end, then the connection closes. */
  async end(reason: DomainError): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const { kind, stop } of this.#tasks.values()) if (kind === 'subscription') stop.abort();
    await this.#heard;
    if (this.#runs === 0) this.#close(CLOSE_CODES.goingAway, reason.code);
  }

  get #runs(): number {
    return [...this.#tasks.values()].filter(({ kind }) => kind === 'run').length;
  }

  #receive(bytes: RawData, isBinary: boolean): void {
    if (++this.#waiting >= WAITING) this.#socket.pause();
    this.#heard = this.#heard
      .then(() => this.#hear(bytes, isBinary))
      .then(() => {
        if (--this.#waiting < WAITING && this.#socket.isPaused) this.#socket.resume();
      });
  }

  async #hear(bytes: RawData, isBinary: boolean): Promise<void> {
    const names = () => (isBinary ? {} : namesIn(bytes as Buffer));
    let message: Message | undefined;
    try {
      if (!this.#isListening()) return;
      await this.#count();
      if (isBinary) throw new DomainError('BAD_REQUEST', 'The message is binary; JSON text is expected.');
      message = parseMessage(bytes as Buffer);
      if (STARTS.has(message.op) && !(await this.#mayStart(names))) return;
      await this.#obey(message);
    } catch (error) {
      if (message?.op === 'auth') this.#expel(error, closeCodeOf(error), names());
      else this.#refuse(error, names());
    } finally {
      this.#isFirst = false;
    }
  }

  /** False when nobody is there any more. @throws DomainError SHUTTING_DOWN */
  #isListening(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#isEnding) throw new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
    return true;
  }

  /** A key that was revoked since its connection began starts nothing more. @throws DomainError SHUTTING_DOWN */
  async #mayStart(names: () => Names): Promise<boolean> {
    return (await this.#isRenewed(names)) && this.#isListening();
  }

  /** Whose key it is, asked again; false for one who was expelled. */
  async #isRenewed(names: () => Names = () => ({})): Promise<boolean> {
    try {
      if (this.#renew) this.#principal = await this.#renew();
      return true;
    } catch (error) {
      this.#expel(error, CLOSE_CODES.keyRefused, names());
      return false;
    }
  }

  async #obey(message: Message): Promise<void> {
    switch (message.op) {
      case 'auth':
        return this.#authenticate(message.key);
      case 'subscribe':
        return this.#subscribe(message);
      case 'solve':
        return this.#solve(message);
      case 'unsubscribe': {
        const id = message.id ?? message.channel ?? '';
        const task = this.#tasks.get(id);
        if (task?.kind !== 'subscription') throw new DomainError('NOT_FOUND', `There is no subscription ${show(id)}.`);
        task.stop.abort();
        this.#finish(id, task);
        this.#reply({ ok: true, op: message.op, id });
        return;
      }
      case 'cancel': {
        const { id } = message;
        const runs = [...this.#tasks].filter(([name, { kind }]) => kind === 'run' && (id === undefined || name === id));
        if (id !== undefined && runs.length === 0) throw new DomainError('NOT_FOUND', `There is no run ${show(id)}.`);
        for (const [, { stop }] of runs) stop.abort();
        this.#reply({ ok: true, op: message.op, ids: runs.map(([name]) => name) });
        return;
      }
    }
  }

  async #authenticate(key: string): Promise<void> {
    const { services } = this.#parts;
    const { address, place } = this.#visitor;
    if (!this.#isFirst)
      throw new DomainError('CONFLICT', 'auth is the first message of a connection, or there is none.');
    const principal = await services.access.authenticate(key);
    place.move(services.rateLimit.nameOf(principal, address));
    this.#principal = principal;
    this.#renew = () => services.access.authenticate(key);
    this.#watch();
    const { keyPrefix, scope, tier } = principal;
    this.#reply({ ok: true, op: 'auth', keyPrefix, scope, tier });
  }

  async #subscribe({ channel, since, parameters, id = channel }: Extract<Message, { op: 'subscribe' }>) {
    const operation = known(this.#parts.channels, channel, 'channel');
    const task = this.#begin(id, 'subscription', LIMITS.stream.subscriptions);
    try {
      const input = { ...parameters, ...(since === undefined ? {} : { since }) };
      const context = this.#context(task.stop.signal, undefined);
      const { frames, mayStay } = await openChannel(operation, input, context, this.#parts.options);
      this.#reply({ ok: true, op: 'subscribe', channel, id });
      if (mayStay) {
        task.recheck = () => mayStay(this.#principal).catch((error) => this.#dismiss(error, { channel, id }, task));
        this.#watch();
      }
      void this.#relay({ channel, id }, frames, task);
    } catch (error) {
      this.#tasks.delete(id);
      throw error;
    }
  }

  /** From now on the authority of the connection and of its subscriptions is asked for again and again. */
  #watch(): void {
    // Who left while the message was heard is not watched: nobody would stop it.
    if (this.#isWatched || this.#socket.readyState === this.#socket.CLOSED) return;
    this.#isWatched = true;
    this.#stops.push(this.#parts.timers.every(LIMITS.stream.authorityMs, () => void this.#recheck()));
  }

  async #recheck(): Promise<void> {
    if (!(await this.#isRenewed())) return;
    for (const { recheck } of this.#tasks.values()) void recheck?.();
  }

  /** One subscription ends, the others go on. */
  #dismiss(error: unknown, names: { readonly channel: string; readonly id: string }, task: Task): void {
    if (task.stop.signal.aborted) return;
    task.stop.abort();
    this.#refuse(error, { op: 'subscribe', ...names });
    this.#finish(names.id, task);
  }

  async #relay(
    names: { readonly channel: string; readonly id: string },
    frames: AsyncIterable<Frame>,
    task: Task,
  ): Promise<void> {
    try {
      for await (const { seq, type, data } of frames) {
        if (task.stop.signal.aborted) return;
        await this.#send({ ...names, seq, type, data });
      }
    } catch (error) {
      this.#refuse(error, { op: 'subscribe', ...names });
    } finally {
      this.#finish(names.id, task);
    }
  }

  #solve({ solver, input = {}, id = solver }: Extract<Message, { op: 'solve' }>) {
    const operation = known(this.#parts.solvers, solver, 'solver');
    const task = this.#begin(id, 'run', LIMITS.stream.runs);
    const names = { channel: operation.name, id };
    this.#reply({ ok: true, op: 'solve', ...names });
    void this.#run(operation, input, names, task);
  }

  async #run(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    names: { readonly channel: string; readonly id: string },
    task: Task,
  ): Promise<void> {
    const { services, options } = this.#parts;
    let seq = 0;
    let isSending = false;
    const onProgress = (fraction: number) => {
      if (isSending || task.stop.signal.aborted) return;
      isSending = true;
      const data = { svcond: services.pulse.svcond, fraction };
      void this.#send({ ...names, seq: ++seq, type: 'progress', data }).finally(() => {
        isSending = false;
      });
    };
    try {
      const data = await invoke(operation, input, this.#context(task.stop.signal, onProgress), options);
      await this.#send({ ...names, seq: ++seq, type: 'result', data });
    } catch (error) {
      this.#refuse(error, { op: 'solve', ...names });
    } finally {
      this.#finish(names.id, task);
    }
  }

  /** @throws DomainError CONFLICT, RATE_LIMITED */
  #begin(id: string, kind: Task['kind'], limit: number): Task {
    if (this.#tasks.has(id)) {
      throw new DomainError('CONFLICT', `${show(id)} goes on already; give this one another id.`);
    }
    const own = [...this.#tasks.values()].filter((task) => task.kind === kind).length;
    if (own >= limit) {
      throw new DomainError('RATE_LIMITED', `${own} ${kind}s of this connection go on; ${limit} are allowed.`);
    }
    const task: Task = { kind, stop: new AbortController() };
    this.#tasks.set(id, task);
    return task;
  }

  #finish(id: string, task: Task): void {
    if (this.#tasks.get(id) === task) this.#tasks.delete(id);
    if (this.#isEnding && this.#runs === 0) this.#close(CLOSE_CODES.goingAway, 'SHUTTING_DOWN');
  }

  #context(signal: AbortSignal, onProgress: Context['onProgress']): Context {
    const { address, baseUrl, requestId } = this.#visitor;
    const principal = this.#principal;
    const caller = principal?.keyId ?? address;
    const { services } = this.#parts;
    return { services, principal, requestId, caller, signal, idempotencyKey: undefined, onProgress, baseUrl };
  }

  /** A message counts as a request. */
  async #count(): Promise<void> {
    const usage = await this.#parts.services.rateLimit.consume(this.#principal, this.#visitor.address);
    if (!usage.isExceeded) return;
    const message = `More than ${usage.limit} messages in a minute; try again in ${usage.resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { facts: { retry_after: usage.resetSeconds } });
  }

  /** Resolves when the message has left the process. */
  #send(message: Readonly<Record<string, unknown>>): Promise<void> {
    return new Promise((resolve) => this.#socket.send(JSON.stringify(message), () => resolve()));
  }

  /** Nobody waits for an answer to be taken, so that one who only asks and never reads is cut off. */
  #reply(message: Readonly<Record<string, unknown>>): void {
    if (this.#socket.bufferedAmount > LIMITS.stream.bufferedBytes) this.#socket.terminate();
    else void this.#send(message);
  }

  #refuse(error: unknown, names: Names): void {
    const { requestId } = this.#visitor;
    this.#parts.onFailed(requestId, error);
    this.#reply({ ...refusalOf(error, requestId), ...names });
  }

  /** The end of one who may not stay: nothing goes on for them. */
  #expel(error: unknown, code: number, names: Names): void {
    this.#refuse(error, names);
    this.#isEnding = true;
    for (const { stop } of this.#tasks.values()) stop.abort();
    this.#close(code, refusalOf(error, this.#visitor.requestId).code);
  }

  #beat(): void {
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
    this.#stops.push(this.#parts.timers.after(LIMITS.stream.graceMs, () => this.#socket.terminate()));
  }

  #gone(): void {
    for (const stop of this.#stops) stop();
    for (const { stop } of this.#tasks.values()) stop.abort();
  }
}

function known(operations: ReadonlyMap<string, Operation>, name: string, what: string): Operation {
  const operation = operations.get(name);
  if (operation) return operation;
  throw new DomainError(
    'NOT_FOUND',
    `There is no ${what} ${show(name)}; there are ${[...operations.keys()].join(', ')}.`,
  );
}

function closeCodeOf(error: unknown): number {
  const isCrowded = error instanceof DomainError && error.code === 'RATE_LIMITED';
  return isCrowded ? CLOSE_CODES.tooMany : CLOSE_CODES.keyRefused;
}

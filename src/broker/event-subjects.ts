// Takes events from a NATS broker: a subject for each machine and each contract. A message passes the checks of the same
// call over HTTP, and its reply follows the commit. What is beyond the limits is refused at once, never kept.

import { randomUUID } from 'node:crypto';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { parseJsonObject } from '../core/json-object.ts';
import { LIMITS } from '../core/limits.ts';
import { errorResponseOf } from '../operations/error-response.ts';
import { type InvokeOptions, invoke } from '../operations/invoke.ts';
import type { Context, Operation } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import type { Nats, NatsMessage } from '../services/node/nats.ts';

/** A broker does not tell whence a message came: callers without a key share one address. */
const ADDRESS = 'nats';
const SOON = { retryAfterSeconds: 1 };

export interface EventSubjectsOptions {
  readonly nats: Nats;
  /** First word of the subjects, and the name of the group whose nodes share the messages. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly invokeOptions: InvokeOptions;
  /** The service's address in answers. */
  readonly baseUrl: string;
  readonly onFailed: (error: unknown) => void;
}

interface Target {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, string>>;
}

export class EventSubjects {
  readonly counts = { taken: 0, refused: 0 };
  readonly #options: EventSubjectsOptions;
  /** Of a machine, with its slug; `.batch` or `.contract.<id>` may follow. */
  readonly #root: string;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #open = new Set<Promise<void>>();
  readonly #openOf = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #unsubscribe: () => Promise<void>;
  #openBytes = 0;

  constructor(options: EventSubjectsOptions) {
    this.#options = options;
    this.#operations = new Map(options.operations.map((operation) => [operation.name, operation]));
    this.#root = `${options.prefix}.events.`;
    this.#unsubscribe = options.nats.subscribe({
      subject: `${this.#root}>`,
      group: options.prefix,
      take: (message) => this.#take(message),
    });
  }

  /** Messages that wait for their commit. */
  get waiting(): number {
    return this.#open.size;
  }

  /** Takes no more messages, and answers those it has. */
  async close(): Promise<void> {
    await this.#unsubscribe();
    await Promise.all(this.#open);
    this.#ending.abort();
  }

  #take(message: NatsMessage): void {
    const { messages, bytes } = LIMITS.broker;
    if (this.#open.size >= messages || this.#openBytes + message.bytes.length > bytes) {
      const text = `The node has ${this.#open.size} messages to write and takes no more at once.`;
      this.#refuse(message, new DomainError('QUEUE_FULL', text, SOON), randomUUID());
      return;
    }
    this.#openBytes += message.bytes.length;
    const answered = this.#answer(message).finally(() => {
      this.#openBytes -= message.bytes.length;
      this.#open.delete(answered);
    });
    this.#open.add(answered);
  }

  async #answer(message: NatsMessage): Promise<void> {
    const requestId = randomUUID();
    try {
      const { result, status } = await this.#call(message, requestId);
      this.counts.taken++;
      message.reply(JSON.stringify(result), { 'Svc-Status': String(status) });
    } catch (error) {
      this.#refuse(message, error, requestId);
    }
  }

  async #call(message: NatsMessage, requestId: string): Promise<{ readonly result: unknown; readonly status: number }> {
    const { services, invokeOptions, baseUrl } = this.#options;
    const principal = await this.#authenticated(message.header('Authorization'));
    const tenant = services.rateLimit.tenantOf(principal, ADDRESS);
    return this.#withinShare(tenant, async () => {
      await this.#count(principal);
      const { operation, input } = this.#targetOf(message.subject);
      if (message.bytes.length > LIMITS.body.bytes)
        throw new DomainError('BODY_TOO_LARGE', `The message must have at most ${LIMITS.body.bytes} bytes.`);
      const context: Context = {
        ...{ services, principal, requestId, tenant, baseUrl, caller: principal?.keyId ?? ADDRESS },
        ...{ isLocal: false, signal: this.#ending.signal, idempotencyKey: undefined, onProgress: undefined },
      };
      const body = message.bytes.length === 0 ? {} : parseJsonObject(message.bytes, 'The message');
      const result = await invoke(operation, { ...body, ...input }, context, invokeOptions);
      return { result, status: operation.status ?? 200 };
    });
  }

  /**
   * The caller of a message. Those whose key the node does not know share the places of callers without one, so that
   * guesses of keys keep no others waiting.
   *
   * @throws DomainError KEY_…, RATE_LIMITED
   */
  async #authenticated(authorization: string | undefined): Promise<Principal | undefined> {
    if (authorization === undefined) return undefined;
    const { access, rateLimit } = this.#options.services;
    const raw = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (raw !== undefined && access.isKnown(raw)) {
      const known = await access.authenticate(raw).catch(() => undefined);
      if (known !== undefined) return known;
    }
    return this.#withinShare(rateLimit.tenantOf(undefined, ADDRESS), async () => {
      try {
        if (raw === undefined)
          throw new DomainError('KEY_INVALID', 'The header Authorization must have the form `Bearer svc_ak_…`.');
        return await access.authenticate(raw);
      } catch (error) {
        // Failed attempts count against those without a key.
        if (error instanceof DomainError && error.code.startsWith('KEY_')) await this.#count(undefined);
        throw error;
      }
    });
  }

  /** Counts a message as a request. @throws DomainError RATE_LIMITED */
  async #count(principal: Principal | undefined): Promise<void> {
    const { limit, resetSeconds, isExceeded } = await this.#options.services.rateLimit.consume(principal, ADDRESS);
    if (!isExceeded) return;
    const text = `Rate limit of ${limit} requests per minute exceeded; retry in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', text, { retryAfterSeconds: resetSeconds });
  }

  /**
   * One tenant never has all messages that wait. Its refusals keep their places while they are delayed, so many
   * are checked in a second and no more.
   *
   * @throws DomainError RATE_LIMITED
   */
  async #withinShare<Result>(tenant: string, work: () => Promise<Result>): Promise<Result> {
    const open = this.#openOf.get(tenant) ?? 0;
    if (open >= LIMITS.broker.tenantMessages)
      throw new DomainError('RATE_LIMITED', `${open} messages of yours wait to be written; send fewer at once.`, SOON);
    this.#openOf.set(tenant, open + 1);
    try {
      return await work();
    } catch (error) {
      await this.#options.services.refusalDelay.wait(error, () => tenant);
      throw error;
    } finally {
      const left = (this.#openOf.get(tenant) ?? 1) - 1;
      if (left === 0) this.#openOf.delete(tenant);
      else this.#openOf.set(tenant, left);
    }
  }

  /** @throws DomainError BAD_REQUEST */
  #targetOf(subject: string): Target {
    const [slug = '', kind, id, ...rest] = subject.slice(this.#root.length).split('.');
    if (kind === undefined) return this.#target('machine.event', { slug });
    if (kind === 'batch' && id === undefined) return this.#target('machine.event-batch', { slug });
    if (kind === 'contract' && id !== undefined && rest.length === 0)
      return this.#target('contract.event', { slug, id });
    const form = `${this.#root}<slug>`;
    const text = `A subject is ${form}, ${form}.batch or ${form}.contract.<id>; got ${subject.slice(0, 100)}.`;
    throw new DomainError('BAD_REQUEST', text);
  }

  #target(name: string, input: Target['input']): Target {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new DomainError('INTERNAL', `There is no operation ${name}.`);
    return { operation, input };
  }

  #refuse(message: NatsMessage, error: unknown, requestId: string): void {
    this.counts.refused++;
    const body = errorResponseOf(error, requestId);
    const { status } = ERROR_FORMS[body.code];
    if (status === 500) this.#options.onFailed(error);
    const wait = error instanceof DomainError ? error.retryAfterSeconds : undefined;
    const headers = { 'Svc-Status': String(status), ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) };
    message.reply(JSON.stringify(body), headers);
  }
}

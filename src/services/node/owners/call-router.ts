// Makes each call that may change a machine at the node that owns the machine.

import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../core/errors.ts';
import type { MachineRepository } from '../../../storage/machines/machines.ts';
import { currentCall } from '../../../storage/node/idempotency.ts';
import { MachineMoved } from './call-receiver.ts';
import { type CallSender, OwnerUnreachable } from './call-sender.ts';
import type { MachineOwners, Place } from './machine-owners.ts';

/** What a call carries to the node that makes it. */
export interface CallContext {
  /** Who calls, as services/access says it. */
  readonly principal: object | undefined;
  readonly requestId: string;
  readonly caller: string;
  readonly tenant: string;
  readonly isLocal: boolean;
  readonly idempotencyKey: string | undefined;
  readonly baseUrl: string;
  /** Whether another node has forwarded the call; then it is not forwarded again. */
  readonly isForwarded?: true | undefined;
}

export interface MachineCall {
  /** Name of the operation. */
  readonly operation: string;
  /** Of the machine that the call may change; untrusted. */
  readonly slug: string;
  /** Untrusted, as the caller gave it. */
  readonly input: unknown;
  readonly context: CallContext;
}

/** A call in a message: with the Idempotency-Key that it runs under. */
export interface ForwardedCall extends Omit<MachineCall, 'slug'> {
  readonly lease?: {
    readonly principal: string;
    readonly key: string;
    readonly owner: string;
    readonly outcomes: readonly string[];
  };
}

/** A refusal of another node, which has logged it. */
export class ForwardedRefusal extends DomainError {}

export interface CallRouterOptions {
  readonly owners: MachineOwners;
  readonly sender: Pick<CallSender, 'send'>;
  readonly machines: Pick<MachineRepository, 'bySlug'>;
}

const MAX_SLUGS = 100_000;
/** How long a call waits while its machine is handed over. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 40;

export class CallRouter {
  readonly #options: CallRouterOptions;
  /** Ids of machines by slug; neither ever changes. */
  readonly #ids = new LRUCache<string, string>({ max: MAX_SLUGS });

  constructor(options: CallRouterOptions) {
    this.#options = options;
  }

  /**
   * Makes a call here or at the owner of its machine.
   *
   * @throws DomainError OWNER_UNREACHABLE, and those of the call; MachineMoved if the call was forwarded already
   */
  async run<Answer>(call: MachineCall, here: () => Promise<Answer>): Promise<Answer> {
    const { owners } = this.#options;
    if (owners.ownsAll) return owners.during(undefined, here);
    const id = await this.#idOf(call.slug);
    // Nobody owns it; the call is refused, or creates it.
    if (id === undefined) return here();
    for (let pauses = 0; ; pauses++) {
      const place = owners.placeOf(id);
      if (place.kind === 'here') return owners.during(id, here);
      if (call.context.isForwarded) throw new MachineMoved(`Machine ${call.slug} is owned by another node.`);
      if (place.kind === 'node') {
        const done = await this.#forward(call, id, place);
        if (done !== undefined) return done.result as Answer;
      }
      if (pauses * PAUSE_MS > PATIENCE_MS) throw unreachable(`No node owns machine ${call.slug} yet.`, 1);
      await owners.renew();
      if (owners.placeOf(id).kind !== 'here') await sleep(PAUSE_MS);
    }
  }

  /** @returns undefined if the machine is, or may be, another node's by now */
  async #forward(
    call: MachineCall,
    id: string,
    { node }: Extract<Place, { kind: 'node' }>,
  ): Promise<{ readonly result: unknown } | undefined> {
    const { sender, owners } = this.#options;
    try {
      const outcome = await sender.send(node, JSON.stringify(forwardedCall(call)));
      if ('isMoved' in outcome) return undefined;
      if ('result' in outcome) return outcome;
      const { code, message, ...options } = outcome.error;
      throw new ForwardedRefusal(code, message, options);
    } catch (error) {
      if (!(error instanceof OwnerUnreachable)) throw error;
      if (!error.isUndone) {
        const message = `${error.message} Whether the call was made is not known: repeat it with its Idempotency-Key.`;
        throw unreachable(message, 1, error);
      }
      await owners.renew();
      const now = owners.placeOf(id);
      if (now.kind !== 'node' || now.node.id !== node.id) return undefined;
      if (await owners.succeedIfEnded(node.id)) return undefined;
      throw unreachable(`${error.message} Nothing was done.`, Math.ceil(now.leaseMs / 1e3) + 1, error);
    }
  }

  async #idOf(slug: string): Promise<string | undefined> {
    const known = this.#ids.get(slug);
    if (known !== undefined) return known;
    const machine = await this.#options.machines.bySlug(slug);
    if (machine !== undefined) this.#ids.set(slug, machine.id);
    return machine?.id;
  }
}

function forwardedCall({ operation, input, context }: MachineCall): ForwardedCall {
  const { principal, requestId, caller, tenant, isLocal, idempotencyKey, baseUrl } = context;
  const carried = { principal, requestId, caller, tenant, isLocal, idempotencyKey, baseUrl };
  const lease = currentCall()?.lease;
  if (lease === undefined) return { operation, input, context: carried };
  const outcomes = lease.outcomes.map((sealed) => Buffer.from(sealed).toString('base64'));
  return { operation, input, context: carried, lease: { ...lease, outcomes } };
}

const unreachable = (message: string, retryAfterSeconds: number, cause?: unknown) =>
  new DomainError('OWNER_UNREACHABLE', message, { retryAfterSeconds, cause });

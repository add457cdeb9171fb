// Sends calls to other nodes and gives back what they answered. Calls to a node that are made in one turn of the event
// loop, or while it takes an earlier message, are one message.

import type { ErrorRecord } from '../../../core/error-record.ts';
import type { MachineOwners } from './machine-owners.ts';
import { CALL_LIFE_MS, type SignedMessages } from './signed-messages.ts';
import { type NodeAddress, type Transport, Undelivered } from './transport.ts';

/** What became of a call, as JSON. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly error: ErrorRecord }
  /** The node does not own the machine; nothing was done. */
  | { readonly isMoved: true };

/** First part of an answer. */
export const ACCEPTED = 'accepted';
/** Begins the only part of the answer to a message that is not taken. */
export const REFUSED = 'refused ';

/** The owner cannot be asked now. */
export class OwnerUnreachable extends Error {
  override readonly name = 'OwnerUnreachable';
  /** Whether the call has certainly not been made. */
  readonly isUndone: boolean;

  constructor(message: string, isUndone: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isUndone = isUndone;
  }
}

interface PendingCall {
  readonly text: string;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_CALLS = 256;
const MAX_BATCH_CHARACTERS = 400_000;

export interface CallSenderOptions {
  readonly messages: SignedMessages;
  /** The first one that can send is used. */
  readonly transports: readonly Transport[];
  readonly owners: Pick<MachineOwners, 'isAlive' | 'onRead'>;
}

export class CallSender {
  readonly #options: CallSenderOptions;
  readonly #queues = new Map<string, { readonly to: NodeAddress; readonly calls: PendingCall[] }>();
  /** Messages that a node has not yet taken, by node; calls made meanwhile wait. */
  readonly #untaken = new Map<string, number>();
  /** Messages that wait for answers, by node. */
  readonly #open = new Map<AbortController, string>();
  readonly #sent = { http: 0, nats: 0 };

  constructor(options: CallSenderOptions) {
    this.#options = options;
    options.owners.onRead(() => {
      for (const [controller, id] of this.#open) {
        if (!options.owners.isAlive(id)) controller.abort(new Error(`Node ${id} is gone.`));
      }
    });
  }

  /** Calls sent since the start, by way. */
  get sent(): Readonly<Record<Transport['name'], number>> {
    return this.#sent;
  }

  /** @param text  JSON of the call @throws OwnerUnreachable */
  send(to: NodeAddress, text: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(to.id) ?? { to, calls: [] };
      if (queue.calls.length === 0) {
        this.#queues.set(to.id, queue);
        if (!this.#untaken.has(to.id)) setImmediate(() => this.#flush(to.id));
      }
      queue.calls.push({ text, resolve, reject });
    });
  }

  /** Asks whether this very node is the one that answers at its address. @throws OwnerUnreachable */
  async ping(to: NodeAddress): Promise<void> {
    await this.#sendBatch(to, [], () => {});
  }

  #flush(id: string): void {
    const queue = this.#queues.get(id);
    if (queue === undefined) return;
    this.#queues.delete(id);
    let batch: PendingCall[] = [];
    let characters = 0;
    for (const call of queue.calls) {
      if (batch.length === MAX_CALLS || (batch.length > 0 && characters + call.text.length > MAX_BATCH_CHARACTERS)) {
        this.#start(queue.to, batch);
        [batch, characters] = [[], 0];
      }
      batch.push(call);
      characters += call.text.length;
    }
    this.#start(queue.to, batch);
  }

  #start(to: NodeAddress, batch: readonly PendingCall[]): void {
    this.#untaken.set(to.id, (this.#untaken.get(to.id) ?? 0) + 1);
    let isTaken = false;
    const onTaken = () => {
      if (isTaken) return;
      isTaken = true;
      const left = (this.#untaken.get(to.id) ?? 1) - 1;
      if (left > 0) this.#untaken.set(to.id, left);
      else {
        this.#untaken.delete(to.id);
        this.#flush(to.id);
      }
    };
    this.#sendBatch(to, batch, onTaken)
      .catch((error) => {
        for (const { reject } of batch) reject(error);
        if (!isTaken) this.#refuseWaiting(to, error);
      })
      .finally(onTaken);
  }

  /** Calls that wait for a message which the node has not taken: they would wait as long again. */
  #refuseWaiting(to: NodeAddress, cause: unknown): void {
    const queue = this.#queues.get(to.id);
    if (queue === undefined) return;
    this.#queues.delete(to.id);
    const error = new OwnerUnreachable(`Node ${to.id} at ${to.url} takes no calls.`, true, { cause });
    for (const { reject } of queue.calls) reject(error);
  }

  async #sendBatch(to: NodeAddress, batch: readonly PendingCall[], onTaken: () => void): Promise<void> {
    const { messages, transports } = this.#options;
    const { nonce, text } = messages.call(to.id, `[${batch.map((call) => call.text).join(',')}]`);
    const bytes = Buffer.byteLength(text);
    let undelivered: unknown;
    for (const transport of transports) {
      if (!transport.canSend(bytes)) continue;
      try {
        await this.#sendBy(transport, to, { nonce, text }, batch, onTaken);
        return;
      } catch (error) {
        if (!(error instanceof Undelivered)) throw error;
        undelivered = error;
      }
    }
    throw new OwnerUnreachable(`Node ${to.id} at ${to.url} cannot be reached.`, true, { cause: undelivered });
  }

  async #sendBy(
    transport: Transport,
    to: NodeAddress,
    { nonce, text }: { readonly nonce: string; readonly text: string },
    batch: readonly PendingCall[],
    onTaken: () => void,
  ): Promise<void> {
    const controller = new AbortController();
    this.#open.set(controller, to.id);
    let isAccepted = false;
    const refusal: { error?: OwnerUnreachable } = {};
    const timer = setTimeout(() => {
      if (!isAccepted) controller.abort(new Error(`Node ${to.id} did not take the call within ${CALL_LIFE_MS} ms.`));
    }, CALL_LIFE_MS);
    const onPart = (part: string) => {
      if (part.startsWith(REFUSED)) {
        const reason = part.slice(REFUSED.length);
        // It was taken when it came first.
        const isUndone = !reason.startsWith('REPLAYED');
        refusal.error = new OwnerUnreachable(`Node ${to.id} refused the call: ${reason}`, isUndone);
        return;
      }
      const body = this.#options.messages.openAnswer(nonce, part);
      if (body === ACCEPTED) {
        isAccepted = true;
        onTaken();
        return;
      }
      for (const [i, outcome] of JSON.parse(body) as [number, Outcome][]) batch[i]?.resolve(outcome);
    };
    try {
      await transport.send(to, text, onPart, controller.signal);
    } catch (error) {
      if (error instanceof Undelivered) throw error;
      const cause = controller.signal.aborted ? controller.signal.reason : error;
      throw new OwnerUnreachable(`Node ${to.id} at ${to.url} broke off: ${messageOf(cause)}`, false, { cause });
    } finally {
      clearTimeout(timer);
      this.#open.delete(controller);
    }
    if (refusal.error) throw refusal.error;
    this.#sent[transport.name] += batch.length;
    // Those with an outcome are resolved, and stay so.
    for (const { reject } of batch) reject(new OwnerUnreachable(`Node ${to.id} ended without an answer.`, false));
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

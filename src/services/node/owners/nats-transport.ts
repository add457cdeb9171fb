// Messages between nodes over NATS: requests on a subject of each node, with replies in parts; an empty one is the last.
// https://docs.nats.io/nats-concepts/core-nats/reqreply

import { withResolvers } from '../../../core/with-resolvers.ts';
import type { Nats } from '../nats.ts';
import { type NodeAddress, type Receive, type Transport, Undelivered } from './transport.ts';

export interface NatsTransportOptions {
  readonly nats: Nats;
  /** Id of this node. */
  readonly id: string;
  readonly receive: Receive;
}

const subjectOf = (id: string) => `svc.calls.${id}`;

export class NatsTransport implements Transport {
  readonly name = 'nats';
  readonly #nats: Nats;
  readonly #pending = new Set<(error: Error) => void>();

  constructor({ nats, id, receive }: NatsTransportOptions) {
    this.#nats = nats;
    nats.subscribe({
      subject: subjectOf(id),
      take: (message) =>
        void receive(new TextDecoder().decode(message.bytes), (part) => message.reply(part)).then(() =>
          message.reply(''),
        ),
    });
    nats.onLost(() => {
      for (const reject of this.#pending) reject(new Error('NATS broke off.'));
    });
  }

  canSend(bytes: number): boolean {
    return bytes <= this.#nats.maxBytes;
  }

  async send(to: NodeAddress, message: string, onPart: (part: string) => void, signal: AbortSignal): Promise<void> {
    if (!this.#nats.isConnected) throw new Undelivered('NATS is not connected.');
    const { promise, resolve, reject } = withResolvers<void>();
    const take = (part: string) => {
      if (part === '') return resolve();
      try {
        onPart(part);
      } catch (error) {
        reject(error);
      }
    };
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#pending.add(reject);
    const end = this.#nats.request(subjectOf(to.id), message, {
      onPart: take,
      onNobody: () => reject(new Undelivered(`Node ${to.id} is not on NATS.`)),
      onFailed: reject,
    });
    try {
      await promise;
    } finally {
      this.#pending.delete(reject);
      signal.removeEventListener('abort', abort);
      end();
    }
  }
}

// Messages between the nodes of one database: text under a MAC whose key is derived from the master key. A call is for
// one node, within a few seconds, once; an answer is for one call.

import { timingSafeEqual } from 'node:crypto';
import { toHex } from '../../../core/bits.ts';
import type { Clock } from '../../../core/clock.ts';
import type { RowMac } from '../../../storage/access/account-macs.ts';
import type { SealedBox } from '../sealed-box.ts';

/** Changes with what messages hold. A node refuses messages of another format by its name. */
export const MESSAGE_FORMAT = 1;
/** How long a call may be on its way to a busy node; then its sender gives up, too. */
export const CALL_LIFE_MS = 10_000;
/** How far the clocks of two nodes may be apart. */
const SKEW_MS = 1_000;
const NONCE_BYTES = 16;
/** Of the calls of a few seconds. */
const MAX_NONCES = 200_000;
const NAME = 'svc-calls';
const PURPOSES = {
  calls: 'calls between nodes',
  answers: 'answers between nodes',
  tickets: 'long calls between nodes',
};

export type RefusalCode = 'FORMAT' | 'KEY' | 'FOREIGN' | 'LATE' | 'CLOCK' | 'REPLAYED' | 'MALFORMED' | 'BUSY';

/** A message that this node does not take. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface Head {
  readonly from: string;
  readonly to: string;
  readonly nonce: string;
  readonly expiresMs: number;
}

export interface ReceivedMessage extends Head {
  /** The rest of the message. */
  readonly body: string;
}

export interface SignedMessagesOptions {
  readonly box: Pick<SealedBox, 'rowMac'>;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Id of this node. */
  readonly id: string;
  readonly format?: number;
}

export class SignedMessages {
  readonly #options: SignedMessagesOptions;
  readonly #prefix: string;
  readonly #calls: RowMac;
  readonly #answers: RowMac;
  readonly #tickets: RowMac;
  /** Nonces of calls that would still be taken, with the time at which they would not; the oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(options: SignedMessagesOptions) {
    this.#options = options;
    this.#prefix = `${NAME}/${options.format ?? MESSAGE_FORMAT}`;
    this.#calls = options.box.rowMac(PURPOSES.calls);
    this.#answers = options.box.rowMac(PURPOSES.answers);
    this.#tickets = options.box.rowMac(PURPOSES.tickets);
  }

  /** @param body  JSON of the calls */
  call(to: string, body: string): { readonly nonce: string; readonly text: string } {
    const { randomBytes, id } = this.#options;
    const nonce = toHex(randomBytes(NONCE_BYTES));
    const head: Head = { from: id, to, nonce, expiresMs: this.#nowMs() + CALL_LIFE_MS };
    return { nonce, text: this.#signed(this.#calls, `${JSON.stringify(head)}\n${body}`) };
  }

  /** Proves to a node, before it reads a long call, that the sender has the master key. */
  ticket(to: string): string {
    const expiresMs = this.#nowMs() + CALL_LIFE_MS;
    return `${expiresMs} ${toHex(this.#tickets(`${to}\n${expiresMs}`))}`;
  }

  /** Whether a ticket is for this node, and in time. */
  admits(ticket: string): boolean {
    const [expires = '', hex = ''] = ticket.split(' ');
    const [nowMs, expiresMs] = [this.#nowMs(), Number(expires)];
    if (!(expiresMs >= nowMs && expiresMs <= nowMs + CALL_LIFE_MS + SKEW_MS)) return false;
    return isEqual(hex, this.#tickets(`${this.#options.id}\n${expires}`));
  }

  /** Checks a call, and remembers it so that it is taken once. @throws MessageRefused */
  receive(text: string): ReceivedMessage {
    const content = this.#verified(this.#calls, text);
    const end = content.indexOf('\n');
    const head = JSON.parse(content.slice(0, end)) as Head;
    const { to, nonce, expiresMs, from } = head;
    const { id } = this.#options;
    if (to !== id) {
      throw new MessageRefused(
        'FOREIGN',
        `The call is for node ${to}; this is node ${id}. Do two nodes state one SVC_NODE_URL?`,
      );
    }
    const nowMs = this.#nowMs();
    if (expiresMs > nowMs + CALL_LIFE_MS + SKEW_MS) {
      throw new MessageRefused(
        'CLOCK',
        `The clock of node ${from} is ahead of that of node ${id} by more than ${SKEW_MS} ms.`,
      );
    }
    if (expiresMs < nowMs) {
      throw new MessageRefused(
        'LATE',
        `The call of node ${from} came ${nowMs - expiresMs} ms too late, or its clock is behind.`,
      );
    }
    this.#forgetOld(nowMs);
    if (this.#seen.has(nonce)) throw new MessageRefused('REPLAYED', 'The call was received before.');
    if (this.#seen.size >= MAX_NONCES) throw new MessageRefused('BUSY', `${MAX_NONCES} calls came within seconds.`);
    this.#seen.set(nonce, expiresMs);
    return { ...head, body: content.slice(end + 1) };
  }

  /** Signs a part of the answer to a call. */
  answer(nonce: string, body: string): string {
    return this.#signed(this.#answers, `${nonce}\n${body}`);
  }

  /** @returns the body of a part of the answer to this call @throws MessageRefused */
  openAnswer(nonce: string, text: string): string {
    const content = this.#verified(this.#answers, text);
    if (!content.startsWith(`${nonce}\n`)) throw new MessageRefused('FOREIGN', 'The answer is for another call.');
    return content.slice(nonce.length + 1);
  }

  #signed(mac: RowMac, content: string): string {
    return `${this.#prefix} ${toHex(mac(content))} ${content}`;
  }

  #verified(mac: RowMac, text: string): string {
    const { id } = this.#options;
    const [prefix = '', hex = ''] = text.slice(0, 100).split(' ');
    if (!prefix.startsWith(`${NAME}/`)) throw new MessageRefused('MALFORMED', 'This is no message between nodes.');
    if (prefix !== this.#prefix) {
      throw new MessageRefused(
        'FORMAT',
        `Node ${id} understands ${this.#prefix}, the other node sent ${prefix.slice(0, 20)}: their versions differ.`,
      );
    }
    const content = text.slice(prefix.length + hex.length + 2);
    if (!isEqual(hex, mac(content))) {
      throw new MessageRefused(
        'KEY',
        'The MAC of the message is wrong: the other node has another SVC_MASTER_KEY, or the message was changed.',
      );
    }
    return content;
  }

  #forgetOld(nowMs: number): void {
    for (const [nonce, expiresMs] of this.#seen) {
      // Nonces are kept in the order of arrival, which differs from that of expiry by the skew alone.
      if (expiresMs + SKEW_MS >= nowMs) return;
      this.#seen.delete(nonce);
    }
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}

function isEqual(hex: string, expected: Uint8Array): boolean {
  const stated = Buffer.from(hex, 'hex');
  return stated.length === expected.length && timingSafeEqual(stated, expected);
}

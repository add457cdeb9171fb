// Takes calls of other nodes: checks the message, makes the calls, and answers each as soon as it is known; outcomes of
// one turn of the event loop are one part.

import { recordOfError } from '../../../core/error-record.ts';
import { DomainError } from '../../../core/errors.ts';
import { ACCEPTED, type Outcome, REFUSED } from './call-sender.ts';
import { MessageRefused, type SignedMessages } from './signed-messages.ts';
import type { Receive } from './transport.ts';

/** This node does not own the machine of a call that another node forwarded. */
export class MachineMoved extends Error {
  override readonly name = 'MachineMoved';
}

/** Makes one call. @throws MachineMoved, DomainError */
export type MakeCall = (call: unknown) => Promise<unknown>;

export interface CallReceiverOptions {
  readonly messages: SignedMessages;
  readonly makeCall: MakeCall;
  readonly onRefused: (message: string) => void;
  /** Receives failures that are no refusals. */
  readonly onFailed: (error: unknown) => void;
}

export class CallReceiver {
  readonly #options: CallReceiverOptions;
  #received = 0;
  #refused = 0;

  constructor(options: CallReceiverOptions) {
    this.#options = options;
  }

  /** Calls made for other nodes, and messages refused, since the start. */
  get counts(): { readonly received: number; readonly refused: number } {
    return { received: this.#received, refused: this.#refused };
  }

  readonly receive: Receive = async (text, reply) => {
    const { messages, onRefused } = this.#options;
    let nonce: string;
    let calls: readonly unknown[];
    try {
      const { body, ...head } = messages.receive(text);
      nonce = head.nonce;
      calls = JSON.parse(body) as unknown[];
    } catch (error) {
      this.#refused++;
      const refusal =
        error instanceof MessageRefused ? `${error.code} ${error.message}` : 'MALFORMED The call is no JSON.';
      onRefused(refusal);
      reply(`${REFUSED}${refusal}`);
      return;
    }
    reply(messages.answer(nonce, ACCEPTED));
    this.#received += calls.length;
    let known: [number, Outcome][] = [];
    const send = () => {
      if (known.length > 0) reply(messages.answer(nonce, JSON.stringify(known)));
      known = [];
    };
    await Promise.all(
      calls.map(async (call, i) => {
        const outcome = await this.#outcomeOf(call);
        if (known.push([i, outcome]) === 1) setImmediate(send);
      }),
    );
    send();
  };

  async #outcomeOf(call: unknown): Promise<Outcome> {
    try {
      return { result: await this.#options.makeCall(call) };
    } catch (error) {
      if (error instanceof MachineMoved) return { isMoved: true };
      if (error instanceof DomainError) return { error: recordOfError(error) };
      this.#options.onFailed(error);
      return { error: { code: 'INTERNAL', message: 'The owner of the machine failed.' } };
    }
  }
}

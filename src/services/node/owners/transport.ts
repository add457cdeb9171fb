// The face of the two ways by which a message reaches another node: HTTP and NATS.

/** Where a node takes messages. */
export interface NodeAddress {
  readonly id: string;
  readonly url: string;
}

/** The message has certainly not arrived, so that another way may be tried. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
}

/** Takes a message. @param reply  sends a part of the answer; the answer ends when the promise settles */
export type Receive = (message: string, reply: (part: string) => void) => Promise<void>;

export interface Transport {
  readonly name: 'http' | 'nats';
  /** Whether a message of so many bytes can be sent now. */
  canSend(bytes: number): boolean;
  /**
   * Sends a message and gives the parts of its answer.
   *
   * @throws Undelivered, or any other error if it may have arrived
   */
  send(to: NodeAddress, message: string, onPart: (part: string) => void, signal: AbortSignal): Promise<void>;
}

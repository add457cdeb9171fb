// Signs webhooks: Standard Webhooks 1.0.0, symmetric signatures.
//
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { createHmac } from 'node:crypto';

export interface SignedMessage {
  /** The same for every attempt, so that receivers can detect duplicates. */
  readonly id: string;
  /** Unix time of this attempt in seconds; receivers reject old ones. */
  readonly seconds: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

export function formatSecret(secret: Uint8Array): string {
  return PREFIX + Buffer.from(secret).toString('base64');
}

/** Signs once per secret, so that a receiver can verify with any of them. */
export function signatureHeaders(
  { id, seconds, body }: SignedMessage,
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const signed = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signed.map((signature) => `v1,${signature}`).join(' '),
  };
}

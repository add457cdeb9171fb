// Runs a fuzzer on several connections. SVC_SEED chooses the cases, SVC_FUZZ multiplies their number.

import fc from 'fast-check';
import { expect } from 'vitest';

const FIXED_SEED = 20_261_122;

export function fuzzSettings(): { readonly seed: number; readonly factor: number } {
  const { SVC_SEED, SVC_FUZZ } = process.env;
  return { seed: Number(SVC_SEED ?? FIXED_SEED), factor: Number(SVC_FUZZ ?? 1) };
}

/**
 * Asserts about `count` cases, one after the other on each connection. A failing case is shrunk and printed.
 *
 * @param seed  of the first connection; the others have those after it
 */
export async function runAll<Case, Client extends { close(): void }>(
  count: number,
  connections: number,
  cases: fc.Arbitrary<Case>,
  connect: () => Client,
  assertOne: (client: Client, one: Case) => Promise<void>,
  seed = fuzzSettings().seed,
): Promise<void> {
  const numRuns = Math.ceil(count / connections);
  const outcomes = await Promise.allSettled(
    Array.from({ length: connections }, async (_, index) => {
      const client = connect();
      const property = fc.asyncProperty(cases, (one) => assertOne(client, one));
      try {
        await fc.assert(property, { numRuns, seed: seed + index });
      } finally {
        client.close();
      }
    }),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [reasonOf(outcome.reason)] : []));
  expect(failures).toEqual([]);
}

const reasonOf = ({ message, cause }: Error) => `${message}\n${String(cause)}`.slice(0, 8_000);

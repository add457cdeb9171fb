// Hostile values at every place of a receipt: a check fails or refuses by name, and never breaks.

import { expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { replayEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { describeReceipt } from '../../src/protocol/words/describe.ts';
import { registryKnowledge } from '../../src/protocol/words/registry-knowledge.ts';
import { compute, envelopeOf, ROD, replayTools, signer, solve } from './sealed-case.ts';
import { leavesOf, nameOf, type Path, withLeaf } from './tamper.ts';

const receipts = [
  ['a law', envelopeOf(await compute({ domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 3 } }))],
  ['a solver', envelopeOf(await solve('heat', ROD))],
] as const;
/** An object that no text can be made of, a list and nothing. */
const HOSTILE = [{ toString: 1 }, [], null] as const;
const knowledge = registryKnowledge(undefined, () => undefined);

/** What a check throws instead of refusing; undefined if it ends as it should. */
async function breakage(check: () => unknown): Promise<string | undefined> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof DomainError)) return String(error);
  }
  return undefined;
}

function sealedAgain({ seal: _, ...body }: Untrusted): Untrusted | undefined {
  try {
    return { ...body, seal: sealEnvelope(body, signer) };
  } catch {
    return undefined;
  }
}

/** Every place but later elements of lists, which the same code reads. */
function placesOf(receipt: object): readonly Path[] {
  const paths = leavesOf(receipt).flatMap(({ path }) => path.map((_, at) => path.slice(0, at + 1)));
  const first = paths.filter((path) => path.every((part) => typeof part === 'string' || part === 0));
  return [...new Map(first.map((path) => [nameOf(path), path])).values()];
}

test.each(receipts)('no value at any place of the receipt of %s breaks a check', async (_, receipt) => {
  const places = placesOf(receipt);
  expect(places.length).toBeGreaterThan(100);
  const broken: string[] = [];
  for (const path of places)
    for (const value of HOSTILE) {
      const forged = withLeaf({ ...receipt } as Untrusted, path, value);
      const one = sealedAgain(forged) ?? forged;
      for (const check of [() => replayEnvelope(one, replayTools()), () => describeReceipt(one, knowledge, true)]) {
        const error = await breakage(check);
        if (error !== undefined) broken.push(`${nameOf(path)} = ${JSON.stringify(value)}: ${error}`);
      }
    }
  expect(broken).toEqual([]);
});

// One receipt checked step by step; every step says what it found, and none stops the next.

import { DomainError } from '../../core/errors.ts';
import type { Difference, Untrusted } from '../../protocol/replay.ts';
import type { ClaimRow } from '../kit/claim-list.ts';
import type { VerifyEngine } from './engine.ts';

export interface Checked {
  readonly envelope: Untrusted;
  readonly claims: readonly ClaimRow[];
  readonly difference?: Difference | undefined;
  /** Of the replay; undefined once nothing is under way. */
  readonly fraction?: number | undefined;
}

/** @throws DomainError for what is no receipt at all */
export async function checkReceipt(
  engine: VerifyEngine,
  envelope: Untrusted,
  show: (checked: Checked) => void,
): Promise<void> {
  const seal = await engine.seal(envelope);
  let hmac: ClaimRow = { claim: 'hmac', reason: engine.hmacReason };
  let replay: ClaimRow = { claim: 'replay', reason: 'computing …' };
  const now = () => [...seal, hmac, replay];
  show({ envelope, claims: now(), fraction: 0 });
  if (engine.hmac) {
    hmac = await engine.hmac(envelope).catch((error: unknown) => ({ claim: 'hmac', reason: wordsOf(error) }));
    show({ envelope, claims: now(), fraction: 0 });
  }
  try {
    const report = await engine.replay(envelope, (fraction) => show({ envelope, claims: now(), fraction }));
    replay = report.claims.find(({ claim }) => claim === 'replay') ?? replay;
    show({ envelope, claims: now(), difference: report.first_difference });
  } catch (error) {
    replay = { claim: 'replay', reason: wordsOf(error) };
    show({ envelope, claims: now() });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.message} Nothing else depends on it.` : String(error);
}

export type Verdict = 'good' | 'bad' | 'partial' | 'open';

export function verdictOf({ claims, fraction }: Checked): Verdict {
  if (claims.some(({ ok }) => ok === false)) return 'bad';
  if (fraction !== undefined) return 'open';
  return claims.find(({ claim }) => claim === 'replay')?.ok === true ? 'good' : 'partial';
}

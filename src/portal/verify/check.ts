// A receipt or a bundle checked step by step; every step says what it found, and none stops the next.

import type { MachineBundle } from '../../chain/bundle.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { Difference } from '../../protocol/difference.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { ClaimRow } from '../kit/claim-list.ts';
import type { Opened } from '../work/open-file.ts';
import type { VerifyEngine } from './engine.ts';

export interface Checked {
  /** Of a receipt. */
  readonly envelope?: Untrusted;
  /** A stretch of a chain, and how long it took to look at it. */
  readonly bundle?: MachineBundle;
  readonly elapsedMs?: number;
  readonly claims: readonly ClaimRow[];
  readonly difference?: Difference | undefined;
  /** Of the replay; undefined once nothing is under way. */
  readonly fraction?: number | undefined;
}

export async function checkFile(engine: VerifyEngine, opened: Opened, show: (checked: Checked) => void): Promise<void> {
  if (opened.kind === 'receipt') return checkReceipt(engine, opened.envelope, show, opened.kernel);
  const { bundle } = opened;
  show({ bundle, claims: [{ claim: 'rows', reason: 'hashing …' }], fraction: 0 });
  const { claims, elapsedMs } = await engine.bundle(bundle);
  show({ bundle, claims: claims.map(({ ok, ...claim }) => ({ ...claim, ok: ok ?? undefined })), elapsedMs });
}

/** @throws DomainError for what is no receipt at all */
export async function checkReceipt(
  engine: VerifyEngine,
  envelope: Untrusted,
  show: (checked: Checked) => void,
  kernel?: KernelImage,
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
    const report = await engine.replay(envelope, (fraction) => show({ envelope, claims: now(), fraction }), kernel);
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

export function verdictOf({ bundle, claims, fraction }: Checked): Verdict {
  if (claims.some(({ ok }) => ok === false)) return 'bad';
  if (fraction !== undefined) return 'open';
  if (bundle) return claims.every(({ ok }) => ok === true) ? 'good' : 'partial';
  return claims.find(({ claim }) => claim === 'replay')?.ok === true ? 'good' : 'partial';
}

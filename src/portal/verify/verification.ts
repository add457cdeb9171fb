// Verifies a receipt or a bundle step by step; reports after each step and continues after a failed one.

import type { MachineBundle } from '../../chain/bundle.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import type { Difference } from '../../protocol/difference.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { ClaimRow } from '../kit/claim-list.ts';
import type { OpenedFile } from '../worker/open-file.ts';
import type { VerifyEngine } from './engine.ts';

export interface Verification {
  /** Set for a receipt. */
  readonly envelope?: Untrusted;
  /** Set for a chain bundle. */
  readonly bundle?: MachineBundle;
  readonly elapsedMs?: number;
  readonly claims: readonly ClaimRow[];
  readonly difference?: Difference | undefined;
  /** Progress; undefined after completion. */
  readonly fraction?: number | undefined;
}

export async function verifyFile(
  engine: VerifyEngine,
  file: OpenedFile,
  onUpdate: (verification: Verification) => void,
): Promise<void> {
  if (file.kind === 'receipt') return verifyReceipt(engine, file.envelope, onUpdate, file.kernel);
  const { bundle } = file;
  onUpdate({ bundle, claims: [{ claim: 'rows', reason: 'hashing …' }], fraction: 0 });
  const { claims, elapsedMs } = await engine.verifyBundle(bundle);
  onUpdate({ bundle, claims: claims.map(({ ok, ...claim }) => ({ ...claim, ok: ok ?? undefined })), elapsedMs });
}

/** @throws DomainError if the envelope is not a receipt */
export async function verifyReceipt(
  engine: VerifyEngine,
  envelope: Untrusted,
  onUpdate: (verification: Verification) => void,
  kernel?: KernelImage,
): Promise<void> {
  const seal = await engine.verifySeal(envelope);
  let hmac: ClaimRow = { claim: 'hmac', reason: engine.hmacReason };
  let replay: ClaimRow = { claim: 'replay', reason: 'computing …' };
  const claims = () => [...seal, hmac, replay];
  onUpdate({ envelope, claims: claims(), fraction: 0 });
  if (engine.verifyHmac) {
    hmac = await engine.verifyHmac(envelope).catch((error: unknown) => ({ claim: 'hmac', reason: errorText(error) }));
    onUpdate({ envelope, claims: claims(), fraction: 0 });
  }
  try {
    const report = await engine.replay(
      envelope,
      (fraction) => onUpdate({ envelope, claims: claims(), fraction }),
      kernel,
    );
    replay = report.claims.find(({ claim }) => claim === 'replay') ?? replay;
    onUpdate({ envelope, claims: claims(), difference: report.first_difference });
  } catch (error) {
    replay = { claim: 'replay', reason: errorText(error) };
    onUpdate({ envelope, claims: claims() });
  }
}

function errorText(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.message} The other checks do not depend on it.` : String(error);
}

export type Verdict = 'good' | 'bad' | 'partial' | 'open';

export function verdictOf({ bundle, claims, fraction }: Verification): Verdict {
  if (claims.some(({ ok }) => ok === false)) return 'bad';
  if (fraction !== undefined) return 'open';
  if (bundle) return claims.every(({ ok }) => ok === true) ? 'good' : 'partial';
  return claims.find(({ claim }) => claim === 'replay')?.ok === true ? 'good' : 'partial';
}

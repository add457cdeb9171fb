// Verifies a receipt or a bundle step by step; reports after each step and continues after a failed one.

import type { MachineBundle } from '../../chain/bundle.ts';
import { DomainError } from '../../core/errors.ts';
import { foreignKernel } from '../../protocol/bundled-kernel.ts';
import type { Difference } from '../../protocol/difference.ts';
import type { RevisionReport } from '../../protocol/replay.ts';
import type { ReceiptWords } from '../../protocol/words/describe.ts';
import {
  type CheckedClaim,
  completeClaims,
  isSealed as isSigned,
  type ReceiptVerdict,
  receiptVerdict,
} from '../../protocol/words/verdict.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import type { OpenedFile, OpenedReceipt } from '../worker/opened-file.ts';
import type { VerifyEngine } from './engine.ts';

export interface Verification {
  /** Set for a receipt. */
  readonly receipt?: OpenedReceipt;
  /** The receipt in words, once its seal was checked. */
  readonly words?: ReceiptWords | undefined;
  /** Set for a sealed receipt in a portal. */
  readonly cited?: CitedReceipt | undefined;
  /** Set for a chain bundle. */
  readonly bundle?: MachineBundle;
  readonly elapsedMs?: number;
  readonly claims: readonly CheckedClaim[];
  readonly difference?: Difference | undefined;
  /** Of the solver, after a replay of a receipt. */
  readonly revision?: RevisionReport | undefined;
  /** Progress; undefined after completion. */
  readonly fraction?: number | undefined;
}

export async function verifyFile(
  engine: VerifyEngine,
  file: OpenedFile,
  onUpdate: (verification: Verification) => void,
): Promise<void> {
  if (file.kind === 'receipt') return verifyReceipt(engine, file, onUpdate);
  const { bundle } = file;
  onUpdate({ bundle, claims: [{ claim: 'rows', reason: 'hashing …' }], fraction: 0 });
  const { claims, elapsedMs } = await engine.verifyBundle(bundle);
  onUpdate({ bundle, claims, elapsedMs });
}

/** @throws DomainError if the envelope is not a receipt */
export async function verifyReceipt(
  engine: VerifyEngine,
  receipt: OpenedReceipt,
  onUpdate: (verification: Verification) => void,
): Promise<void> {
  const { envelope, isSealed } = receipt;
  const seal = isSealed ? await engine.verifySeal(envelope) : [];
  const words = await engine.describe(envelope, isSigned(seal));
  const cited = isSealed ? await engine.cite?.(envelope).catch(() => undefined) : undefined;
  let hmac: readonly CheckedClaim[] = [];
  let replay: readonly CheckedClaim[] = [{ claim: 'kernel', reason: 'computing …' }];
  const update = (more: Pick<Verification, 'fraction' | 'difference' | 'revision'>) => {
    const claims = completeClaims([...seal, ...hmac, ...replay], engine.hints);
    onUpdate({ receipt, words, cited, claims, ...more });
  };
  update({ fraction: 0 });
  if (isSealed && engine.verifyHmac) {
    hmac = [await engine.verifyHmac(envelope).catch((error: unknown) => ({ claim: 'hmac', reason: errorText(error) }))];
    update({ fraction: 0 });
  }
  const foreign = foreignKernel(envelope, receipt.kernel);
  if (foreign !== undefined) {
    replay = [foreign];
    return update({});
  }
  try {
    const report = await engine.replay(receipt, (fraction) => update({ fraction }));
    replay = report.claims.filter(({ claim }) => seal.every((one) => one.claim !== claim));
    update({ difference: report.first_difference, revision: report.revision });
  } catch (error) {
    replay = [{ claim: 'kernel', reason: errorText(error) }];
    update({});
  }
}

function errorText(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.message} The other checks do not depend on it.` : String(error);
}

/** Without a pinned key nobody is known to have signed it. */
function chainVerdict(claims: readonly CheckedClaim[]): Verdict {
  if (claims.every(({ claim }) => claim !== 'key pinned')) return 'unknown_key';
  return claims.every(({ ok }) => ok === true) ? 'good' : 'partial';
}

export type Verdict = ReceiptVerdict['verdict'] | 'open';

export function verdictOf({ bundle, claims, fraction }: Verification): Verdict {
  if (claims.some(({ ok }) => ok === false)) return 'bad';
  if (fraction !== undefined) return 'open';
  if (bundle) return chainVerdict(claims);
  return receiptVerdict(claims).verdict;
}

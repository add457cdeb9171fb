// Checks what a node stores beside its machines and outside of their chains: filed runs, kernels, arrays, sealed
// columns, accounts, and times.

import { LIMITS } from '../../core/limits.ts';
import type { ReceiptKeys } from '../../protocol/receipt.ts';
import { publicJwk } from '../../protocol/signing.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { AccountInspection } from '../../storage/fsck/accounts.ts';
import { ArchiveInspection } from '../../storage/fsck/archive.ts';
import { ComputeInspection } from '../../storage/fsck/compute.ts';
import { NodeInspection } from '../../storage/fsck/node.ts';
import { SealedInspection } from '../../storage/fsck/sealed.ts';
import { TimeInspection } from '../../storage/fsck/times.ts';
import { RowArchive } from '../../storage/machines/archive/archive.ts';
import { ACCOUNT_MACS } from '../node/begin-account-macs.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { checkAccountMacs } from './account-macs.ts';
import type { ReportFault } from './faults.ts';
import { checkKernelFiles, checkStoredBytes } from './kernels.ts';
import { RunsCheck } from './runs.ts';
import { SealedCheck } from './sealed.ts';
import { checkTimes } from './times.ts';

export interface StoredOptions {
  /** Public keys of the node, 32 bytes each. If undefined (could not be opened), signatures are not checked. */
  readonly keys: readonly Uint8Array[] | undefined;
  /** What the master key opens. Without it, HMACs and sealed columns are not checked. */
  readonly secrets?: { readonly receipts: ReceiptKeys; readonly box: SealedBox } | undefined;
  /** Folder of the built kernels, with a slash at its end; without it, no files are checked. */
  readonly kernelFolder?: URL | undefined;
  /** Whether the values of filed runs are computed again. */
  readonly isReplayed?: boolean;
  readonly nowMs: number;
  /** Folder of archived rows. */
  readonly archiveFolder?: string | undefined;
}

export async function checkStored(
  on: Executor,
  { keys, secrets, kernelFolder, isReplayed = false, nowMs, archiveFolder }: StoredOptions,
  report: ReportFault,
): Promise<void> {
  const compute = new ComputeInspection(on);
  const archive = new ArchiveInspection(on, new RowArchive(archiveFolder));
  const files = kernelFolder === undefined ? new Map() : await checkKernelFiles(kernelFolder, report);
  const kernels = await checkStoredBytes(compute, files, report);
  const trusted = keys?.map(publicJwk);
  const mac = secrets?.box.rowMac(ACCOUNT_MACS);
  if (mac !== undefined) await checkAccountMacs(on, { node: new NodeInspection(on, archive), compute }, mac, report);
  const { receipts } = secrets ?? {};
  await new RunsCheck(compute, { trusted, receipts, mac, kernels, isReplayed, nowMs }, report).run();
  await new SealedCheck(new SealedInspection(on, archive), secrets?.box, report).run();
  for (const { table, key, column, message } of await new AccountInspection(on).faults(LIMITS.demoKeyHours))
    report(table, key, 'SAID', message, column);
  await checkTimes(new TimeInspection(on), report);
}

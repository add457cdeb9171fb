// Checks the MACs of accounts, of their keys and of the number of their runs; runs.ts checks those of the runs.

import { toHex } from '../../core/bits.ts';
import {
  accountText,
  holds,
  type MacedAccount,
  macedAccounts,
  type RowMac,
  runsText,
} from '../../storage/access/account-macs.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { ComputeInspection } from '../../storage/fsck/compute.ts';
import type { NodeInspection } from '../../storage/fsck/node.ts';
import { isMacsFact, MACS_FACT } from '../node/begin-account-macs.ts';
import type { ReportFault } from './faults.ts';

const BATCH_SIZE = 500;
/** Maximum missing runs of an account that are named one by one. */
const MAX_NAMED = 100;

export async function checkAccountMacs(
  on: Executor,
  { node, compute }: { readonly node: NodeInspection; readonly compute: ComputeInspection },
  mac: RowMac,
  report: ReportFault,
): Promise<void> {
  const fact = await node.fact(MACS_FACT);
  if (fact === undefined || !isMacsFact(fact, mac))
    report('node', { key: MACS_FACT }, 'MAC', 'The record of when the MACs began is missing or changed.', 'value');
  let after: string | null = null;
  for (;;) {
    const found: MacedAccount[] = await macedAccounts(
      on,
      'id > ?::uuid or ?::uuid is null',
      [after, after],
      BATCH_SIZE,
    );
    for (const account of found) {
      checkKeys(account, mac, report);
      await checkRunCount(account, compute, mac, report);
    }
    after = found.at(-1)?.id ?? null;
    if (found.length < BATCH_SIZE) return;
  }
}

function checkKeys(account: MacedAccount, mac: RowMac, report: ReportFault): void {
  for (const { id, text, mac: stored } of account.keys)
    if (!holds(mac, text, stored))
      report('api_key', { id, account_id: account.id }, 'MAC', `The key is not what its MAC says${shown(stored)}.`);
  if (holds(mac, accountText(account), account.mac)) return;
  const message = `The account with its ${account.keys.length} keys is not what its MAC says${shown(account.mac)}: it was changed, or a key is missing or added.`;
  report('account', { id: account.id }, 'MAC', message);
}

async function checkRunCount(
  account: MacedAccount,
  compute: ComputeInspection,
  mac: RowMac,
  report: ReportFault,
): Promise<void> {
  const { id, runs } = account;
  if (!holds(mac, runsText(account), account.runs_mac))
    report('account', { id }, 'MAC', `The number of runs, ${runs}, is not what its MAC says.`, 'runs');
  const missing = await compute.missingRuns(id, runs, MAX_NAMED);
  for (const no of missing)
    report('run', { account_id: id, no }, 'GAP', `Run ${no} of ${runs} of the account is missing.`, 'no');
}

/** Whether a MAC is there at all. */
const shown = (stored: Uint8Array | null): string =>
  stored === null ? ', which is missing' : ` (${toHex(stored).slice(0, 8)}…)`;

// The first start of a node that knows the MACs of accounts computes those of the rows that exist, and records how many.
// Later starts compute none: a row without a MAC is then a fault.

import { canonicalJson } from '../../core/canonical-json.ts';
import type { AccountMacs, RowMac } from '../../storage/access/account-macs.ts';
import type { Storage } from '../../storage/storage.ts';

/** Purpose of the MACs of accounts, keys and filed runs. */
export const ACCOUNT_MACS = 'accounts';
/** The fact about the node that says when the MACs began. */
export const MACS_FACT = 'account_macs';

interface MacsFact {
  readonly tick: number;
  readonly accounts: number;
  readonly keys: number;
  readonly runs: number;
  /** Of the other fields, hex. */
  readonly mac: string;
}

/** @returns false if the record is missing although rows have MACs; svc fsck names it */
export async function beginAccountMacs(
  { node, transaction }: Pick<Storage, 'node' | 'transaction'>,
  { macs, mac, tick }: { readonly macs: AccountMacs; readonly mac: RowMac; readonly tick: number },
): Promise<boolean> {
  if ((await node.get(MACS_FACT)) !== undefined) return true;
  return transaction(async (on) => {
    const count = await macs.begin(on);
    // Another node may have been faster.
    if ((await node.get(MACS_FACT, on)) !== undefined) return true;
    if (count === undefined) return false;
    await node.setOnce(MACS_FACT, factText({ tick, ...count }, mac), on);
    return true;
  });
}

function factText(fields: Omit<MacsFact, 'mac'>, mac: RowMac): string {
  return JSON.stringify({ ...fields, mac: Buffer.from(mac(textOf(fields))).toString('hex') });
}

/** Whether a stored record is what the node wrote. */
export function isMacsFact(value: string, mac: RowMac): boolean {
  try {
    const { tick, accounts, keys, runs } = JSON.parse(value) as MacsFact;
    return factText({ tick, accounts, keys, runs }, mac) === value;
  } catch {
    return false;
  }
}

const textOf = ({ tick, accounts, keys, runs }: Omit<MacsFact, 'mac'>) =>
  canonicalJson(['account_macs', tick, accounts, keys, runs]);

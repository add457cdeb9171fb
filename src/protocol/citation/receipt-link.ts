// Link to the Verify page of a node for one receipt. A receipt is too long for a link, so the link carries its hash: the
// page says where the file may be, and whether what is opened there is this receipt.

import type { Untrusted } from '../untrusted.ts';

const PAGE = '/verify';
const SHA256 = /^[0-9a-f]{64}$/;
const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface NamedReceipt {
  /** Of its sealed fields. */
  readonly sha256: string;
  /** Of a run that its owner has filed on the node. */
  readonly runId: string | undefined;
}

/** @param address  of the node; its path, query and fragment are dropped, since the portal is at its root */
export function receiptLink(address: string, sha256: string, { run_id: runId }: Untrusted): string {
  const url = new URL(PAGE, address);
  url.username = '';
  url.password = '';
  url.searchParams.set('receipt', sha256);
  if (typeof runId === 'string' && RUN_ID.test(runId)) url.searchParams.set('run', runId);
  return url.href;
}

/** The receipt that the query of a link names; undefined if it names none. */
export function receiptInLink(search: string): NamedReceipt | undefined {
  const query = new URLSearchParams(search);
  const [sha256, runId] = [query.get('receipt') ?? '', query.get('run') ?? ''];
  return SHA256.test(sha256) ? { sha256, runId: RUN_ID.test(runId) ? runId : undefined } : undefined;
}

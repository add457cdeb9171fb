// Verifies one row: hash, payload, link to the previous row if loaded, and inclusion in the signed tree.

import type { ApiInput, ApiOutput } from '../../../client/client.ts';
import { DomainError } from '../../../core/errors.ts';
import type { ClaimRow } from '../../kit/claim-list.ts';
import { formatCount } from '../../kit/format.ts';
import { callApi, callApiAsVisitor, currentKey } from '../../session.ts';
import { loadTrustedKeys } from '../../solve/experiment.ts';
import { workerClient } from '../../worker/worker-client.ts';
import { getCheckpoint } from '../machine-api.ts';
import type { RowRecord } from '../records.ts';
import { isRowInTree } from './row-inclusion.ts';

/** @throws DomainError from the node; Error if it does not respond */
export async function verifyRow(
  slug: string,
  row: RowRecord,
  before: RowRecord | undefined,
): Promise<readonly ClaimRow[]> {
  const range = { slug, rows: [row], from: row.seq, before };
  const [{ faults, unreadable }, note, trusted] = await Promise.all([
    workerClient.request('checkRows', { range }),
    getCheckpoint(slug),
    loadTrustedKeys(),
  ]);
  const reason = faults[0]?.reason;
  const checkpoint = await workerClient.request('openCheckpoint', { note, slug, trusted });
  // The checks stop at the first fault: earlier claims hold, later claims are unchecked.
  const order = ['HASH', 'LINK', 'TICK', 'COMMIT'] as const;
  const failedAt = reason === undefined ? order.length : order.indexOf(reason as (typeof order)[number]);
  const holds = (index: number) => (failedAt === index ? false : failedAt > index ? true : undefined);
  return [
    { claim: 'The row matches its hash', ok: holds(0) },
    before === undefined && row.seq > 0
      ? { claim: 'The row links to the previous row', reason: 'The previous row is not loaded.' }
      : {
          claim: row.seq === 0 ? 'The row is the first of the chain' : 'The row links to the previous row',
          ok: holds(1),
        },
    unreadable > 0
      ? { claim: 'The payload matches its commitment', reason: 'The payload is erased or sealed.' }
      : { claim: 'The payload matches its commitment', ok: holds(3) },
    await inclusionClaim(slug, row, checkpoint),
    ...(await receiptClaims(slug, row)),
  ];
}

/** A transition may contain a receipt, formerly a stamp. Only the node has the secret, so it verifies both. */
async function receiptClaims(slug: string, { seq, payload }: RowRecord): Promise<ClaimRow[]> {
  const receipt = fieldOf(payload, 'receipt');
  if (receipt === null || typeof receipt !== 'object') return [];
  if (fieldOf(receipt, 'kind') === 'transition')
    return [await transitionClaim(slug, seq, fieldOf(payload, 'contract'))];
  const claim = 'The receipt was stamped by this node (HMAC)';
  const apiKey = currentKey.value;
  if (apiKey === undefined) return [{ claim, reason: 'Checking it requires any API key.' }];
  const stamp = Object.fromEntries(STAMP_FIELDS.map((name) => [name, fieldOf(receipt, name)]));
  // The node validates the fields, which come from a row.
  const { valid } = await callApi('receipt.verify', stamp as ApiInput<'receipt.verify'>, { key: apiKey.key });
  return [{ claim, ok: valid === true }];
}

/** The node checks the receipt of a transition with the whole proof chain of its contract. */
async function transitionClaim(slug: string, seq: number, contract: unknown): Promise<ClaimRow> {
  const claim = 'The receipt was signed by this node for this transition (HMAC)';
  let answer: ApiOutput<'contract.verify'>;
  try {
    answer = await callApiAsVisitor('contract.verify', { slug, id: String(contract) });
  } catch (error) {
    // A chain too long for one call leaves the other claims as they are.
    if (error instanceof DomainError) return { claim, reason: error.message };
    throw error;
  }
  if (answer.valid) return { claim, ok: true };
  const { reason, seq: badSeq, message = '' } = answer.first_bad ?? {};
  // The checks of the node stop at the first fault; receipts are checked in the order of their rows.
  if (reason === 'RECEIPT' && badSeq === seq) return { claim, ok: false, reason: message };
  return { claim, reason: `The proof chain of the contract has a fault elsewhere: ${message}` };
}

const STAMP_FIELDS = ['svcProof', 'operatorIds', 'R_t', 'svcond', 'keyPrefix', 'value', 'unit', 'epoch'] as const;

const fieldOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

type Checkpoint = Parameters<typeof isRowInTree>[2] | undefined;

async function inclusionClaim(slug: string, row: RowRecord, checkpoint: Checkpoint): Promise<ClaimRow> {
  const claim = 'The row is in the tree signed by this node';
  if (checkpoint?.kid === undefined) return { claim, ok: false, reason: 'The checkpoint is not signed by this node.' };
  const size = formatCount(checkpoint.size);
  if (row.seq >= checkpoint.size)
    return { claim, reason: `The newest checkpoint covers ${size} rows; the next one will include this row.` };
  return { claim, ok: await isRowInTree(slug, row, checkpoint), reason: `Checkpoint ${size}, ${checkpoint.origin}.` };
}

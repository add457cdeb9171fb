// One row checked by itself: its hash, its payload, the row before it if that is at hand, and its place in the signed tree.

import type { ClaimRow } from '../../kit/claim-list.ts';
import { ask, key } from '../../session.ts';
import { trustedKeys } from '../../solve/experiment.ts';
import { desk } from '../../work/desk.ts';
import { readCheckpoint } from '../node.ts';
import type { RowRecord } from '../records.ts';
import { inThousands } from '../tick-words.ts';
import { isInside } from './first-outside.ts';

/** @throws DomainError, Error when the node does not answer */
export async function verifyRow(
  slug: string,
  row: RowRecord,
  before: RowRecord | undefined,
): Promise<readonly ClaimRow[]> {
  const stretch = { slug, rows: [row], from: row.seq, before };
  const [{ faults, unread }, note, trusted] = await Promise.all([
    desk.ask('rows', { stretch }),
    readCheckpoint(slug),
    trustedKeys(),
  ]);
  const reason = faults[0]?.reason;
  const checkpoint = await desk.ask('note', { note, slug, trusted });
  // What is found first is told; whatever is looked at after it was not looked at.
  const order = ['HASH', 'LINK', 'TICK', 'COMMIT'] as const;
  const place = reason === undefined ? order.length : order.indexOf(reason as (typeof order)[number]);
  const holds = (at: number) => (place === at ? false : place > at ? true : undefined);
  return [
    { claim: 'Its hash is that of what it says', ok: holds(0) },
    before === undefined && row.seq > 0
      ? { claim: 'It names the row before it', reason: 'The row before it is not in sight.' }
      : { claim: row.seq === 0 ? 'It is the first row' : 'It names the row before it', ok: holds(1) },
    unread > 0
      ? { claim: 'Its payload is the one that was committed to', reason: 'There is no payload to compare.' }
      : { claim: 'Its payload is the one that was committed to', ok: holds(3) },
    await placeOf(slug, row, checkpoint),
    ...(await receiptOf(row)),
  ];
}

/** A transition may carry a stamp; the secrets that made it are the node's, so the node is asked. */
async function receiptOf({ payload }: RowRecord): Promise<ClaimRow[]> {
  const receipt = fieldOf(payload, 'receipt');
  if (receipt === null || typeof receipt !== 'object') return [];
  const claim = 'The receipt in it was stamped by this node (HMAC)';
  const mine = key.value;
  if (mine === undefined) return [{ claim, reason: 'Any key may ask the node.' }];
  const body = Object.fromEntries(STAMP_FIELDS.map((name) => [name, fieldOf(receipt, name)]));
  const { valid } = await ask('POST', '/api/svc/verify', { body, key: mine.key });
  return [{ claim, ok: valid === true }];
}

const STAMP_FIELDS = ['svcProof', 'operatorIds', 'R_t', 'svcond', 'keyPrefix', 'value', 'unit', 'epoch'] as const;

const fieldOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

type Checkpoint = Parameters<typeof isInside>[2] | undefined;

async function placeOf(slug: string, row: RowRecord, checkpoint: Checkpoint): Promise<ClaimRow> {
  const claim = 'It stands in the tree that this node signed';
  if (checkpoint?.kid === undefined)
    return { claim, ok: false, reason: 'The checkpoint has no signature of this node.' };
  const size = inThousands(checkpoint.size);
  if (row.seq >= checkpoint.size)
    return { claim, reason: `The newest checkpoint has ${size} rows; the next will cover it.` };
  return { claim, ok: await isInside(slug, row, checkpoint), reason: `Checkpoint ${size}, ${checkpoint.origin}.` };
}

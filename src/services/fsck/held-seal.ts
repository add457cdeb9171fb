// A seal over all machines, or a checkpoint of one, that somebody kept outside the database. It shows what was deleted
// from the database since, which nothing inside can show.

import { payloadOf } from '../../chain/bundle.ts';
import { type Hash, isSameBytes } from '../../chain/merkle.ts';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { isCheckpointSignedBy, type ParsedNote, parseCheckpoint } from '../../chain/note.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { NodeInspection } from '../../storage/fsck/node.ts';
import { isSignedByNative } from '../node/key-ring.ts';
import { isEnvelopeSigned, type ParsedEnvelope, parseEnvelope } from '../node/stored-seal.ts';
import type { ReportFault } from './faults.ts';
import { tryParseJson } from './rows.ts';

/** What `svc fsck --seal` was given. */
export type HeldSeal =
  | { readonly kind: 'seal'; readonly no: string; readonly envelope: ParsedEnvelope }
  | { readonly kind: 'checkpoint'; readonly slug: string; readonly note: ParsedNote };

/**
 * Reads an answer of `GET /api/chain/seal`, its envelope alone, or a checkpoint, with or without cosignatures.
 *
 * @returns undefined for any other text
 */
export function parseHeldSeal(text: string): HeldSeal | undefined {
  const note = parseCheckpoint(text);
  const slug = /\/m\/([a-z0-9-]+)$/.exec(note?.checkpoint.origin ?? '')?.[1];
  if (note !== undefined && slug !== undefined) return { kind: 'checkpoint', slug, note };
  const value = tryParseJson(text) as { readonly envelope?: unknown } | null | undefined;
  const envelope = parseEnvelope(JSON.stringify(value?.envelope ?? value) ?? '');
  const { no } = envelope === undefined ? {} : payloadOf({ payload_text: new TextDecoder().decode(envelope.payload) });
  return envelope && Number.isSafeInteger(no) ? { kind: 'seal', no: String(no), envelope } : undefined;
}

/** Whether a key of the node signed it. */
export function isHeldSealSigned(held: HeldSeal, keys: readonly Uint8Array[]): boolean {
  if (held.kind === 'seal') return isEnvelopeSigned(SEAL_TYPE, held.envelope, keys);
  const { origin } = held.note.checkpoint;
  return keys.some((key) => isCheckpointSignedBy(held.note, origin, key, isSignedByNative));
}

/** Reports that a seal is not stored as it was kept. */
export async function checkHeldSeal(
  { no, envelope }: HeldSeal & { kind: 'seal' },
  inspection: NodeInspection,
  report: ReportFault,
): Promise<void> {
  const [stored] = await inspection.seals(String(BigInt(no) - 1n), 1);
  const entry = ['node_seal', { no }] as const;
  if (stored?.no !== no) {
    report(...entry, 'GAP', 'The given seal is missing: seals were deleted, and what they covered may be too.', 'no');
    return;
  }
  const { payload } = parseEnvelope(stored.envelope) ?? {};
  if (payload === undefined || sha256Hex(payload) !== sha256Hex(envelope.payload))
    report(...entry, 'SEAL', 'The seal is not the given one: history was rewritten.', 'envelope');
}

/** Compares a kept checkpoint with the tree of its machine. */
export class HeldCheckpointCheck {
  readonly #note: ParsedNote | undefined;
  readonly #report: ReportFault;
  #isReached = false;

  /** @param note  checkpoint of this machine; undefined if none is given */
  constructor(note: ParsedNote | undefined, report: ReportFault) {
    this.#note = note;
    this.#report = report;
  }

  /** @param root  root of the first `size` rows */
  visit(size: number, root: () => Hash): void {
    const { checkpoint } = this.#note ?? {};
    if (checkpoint?.size !== size) return;
    this.#isReached = true;
    if (isSameBytes(checkpoint.root, root())) return;
    const message = `The first ${size} rows are not those of the given checkpoint: history was rewritten.`;
    this.#report('audit', { seq: size - 1 }, 'TREE', message);
  }

  finish(count: number): void {
    const { checkpoint } = this.#note ?? {};
    if (checkpoint === undefined || this.#isReached) return;
    const message = `The given checkpoint has ${checkpoint.size} rows, the chain ${count}: rows were dropped.`;
    this.#report('audit', { seq: count }, 'GAP', message);
  }
}

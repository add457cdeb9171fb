// Checks what a node stores besides its machines: the seals over all machines, and the checkpoints of witnessed logs.

import { payloadOf } from '../../chain/bundle.ts';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { isCheckpointSignedBy, parseCheckpoint, type VerifierKey } from '../../chain/note.ts';
import { NO_HASH } from '../../chain/row.ts';
import { fromBase64, toHex } from '../../core/bits.ts';
import { verifySignature } from '../../core/ed25519.ts';
import { preAuthenticationEncoding } from '../../protocol/dsse.ts';
import { publicJwk } from '../../protocol/signing.ts';
import type { InspectedSeal, InspectedWitnessed, NodeInspection } from '../../storage/fsck/node.ts';
import type { SealEnvelope } from '../node/seals.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';

const BATCH_SIZE = 500;

/** @param keys  public keys of the node; if undefined (could not be opened), signatures are not checked */
export async function checkSeals(
  inspection: NodeInspection,
  keys: readonly Uint8Array[] | undefined,
  report: ReportFault,
): Promise<void> {
  let last = '0';
  /** Root in the previous seal; undefined if its envelope cannot be read. */
  let root: unknown = NO_HASH;
  for (;;) {
    const seals = await inspection.seals(last, BATCH_SIZE);
    for (const seal of seals) {
      const expected = BigInt(last) + 1n;
      const isNext = BigInt(seal.no) === expected;
      if (!isNext) report('node_seal', { no: seal.no }, 'GAP', `The seals from ${expected} on are missing.`, 'no');
      const signed = checkSeal(seal, keys, report);
      if (isNext && root !== undefined && signed !== undefined && signed.prev_root !== root)
        report('node_seal', { no: seal.no }, 'LINK', `The seal does not name the root of seal ${last}.`, 'envelope');
      last = seal.no;
      root = signed?.root;
    }
    if (seals.length < BATCH_SIZE) return;
  }
}

/** @returns the signed payload; undefined if the envelope is invalid */
function checkSeal(
  { no, svcond, machines, root, envelope }: InspectedSeal,
  keys: readonly Uint8Array[] | undefined,
  report: ReportFault,
): Readonly<Record<string, unknown>> | undefined {
  const entry = ['node_seal', { no }] as const;
  const parsed = parseEnvelope(envelope);
  if (parsed === undefined) {
    report(...entry, 'SIGNATURE', 'envelope is not a valid DSSE envelope.', 'envelope');
    return undefined;
  }
  const { payload, keyid, sig } = parsed;
  const message = preAuthenticationEncoding(SEAL_TYPE, payload);
  const isOurs = keys?.some((key) => publicJwk(key).kid === keyid && verifySignature(key, message, sig));
  if (isOurs === false) report(...entry, 'SIGNATURE', 'envelope is not signed by a key of this node.', 'envelope');
  const fields = payloadOf({ payload_text: new TextDecoder().decode(payload) });
  reportUnequal(report, entry, 'envelope', [
    ['no', no, fields.no],
    ['svcond', svcond, fields.svcond],
    ['machines', machines, fields.machines],
    ['root', root, fields.root],
  ]);
  return fields;
}

interface ParsedEnvelope {
  readonly payload: Uint8Array;
  readonly keyid: string;
  readonly sig: Uint8Array;
}

/** Parses an envelope with exactly one signature; undefined for anything else. */
function parseEnvelope(text: string): ParsedEnvelope | undefined {
  const { payloadType, payload = '', signatures } = (tryParseJson(text) ?? {}) as Partial<SealEnvelope>;
  const { keyid = '', sig = '' } = signatures?.[0] ?? {};
  const canonical = { payloadType: SEAL_TYPE, payload, signatures: [{ keyid, sig }] };
  const payloadBytes = fromBase64(String(payload));
  const sigBytes = fromBase64(String(sig));
  if (payloadType !== SEAL_TYPE || JSON.stringify(canonical) !== text) return undefined;
  return payloadBytes && sigBytes && { payload: payloadBytes, keyid, sig: sigBytes };
}

/** @param logs  keys of known logs; notes of other logs are parsed, but their signatures are not checked */
export async function checkWitnessed(
  inspection: NodeInspection,
  logs: readonly VerifierKey[],
  report: ReportFault,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const found = await inspection.witnessed(after, BATCH_SIZE);
    for (const entry of found) checkNote(entry, logs, report);
    after = found.at(-1)?.origin;
    if (found.length < BATCH_SIZE) return;
  }
}

function checkNote(
  { origin, size, root, note }: InspectedWitnessed,
  logs: readonly VerifierKey[],
  report: ReportFault,
): void {
  const entry = ['witnessed', { origin }] as const;
  const parsed = parseCheckpoint(note);
  if (parsed === undefined) {
    report(...entry, 'CHECKPOINT', 'note is not a checkpoint.', 'note');
    return;
  }
  const { checkpoint: signed } = parsed;
  const isSame = reportUnequal(report, entry, 'note', [
    ['origin', origin, signed.origin],
    ['size', size, signed.size],
    ['root', toHex(root), toHex(signed.root)],
  ]);
  const keys = logs.filter(({ name }) => name === signed.origin);
  const isSigned =
    keys.length === 0 || keys.some(({ publicKey }) => isCheckpointSignedBy(parsed, signed.origin, publicKey));
  if (isSame && !isSigned) report(...entry, 'SIGNATURE', 'note is not signed by a key of this log.', 'note');
}

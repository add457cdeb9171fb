// What a node keeps beside its machines: the seals over all of them, and the logs that it is the witness of.

import { payloadOf } from '../../chain/bundle.ts';
import { SEAL_TYPE } from '../../chain/node-seal.ts';
import { isCheckpointSignedBy, parseCheckpoint, type VerifierKey } from '../../chain/note.ts';
import { NO_HASH } from '../../chain/row.ts';
import { fromBase64, toHex } from '../../core/bits.ts';
import { isSignedBy } from '../../core/ed25519.ts';
import { preAuthenticationEncoding, publicJwk } from '../../protocol/seal.ts';
import type { AnchorInspection, InspectedSeal, InspectedWitnessed } from '../../storage/fsck/anchors.ts';
import type { SealRecord } from '../node/seals.ts';
import { type Find, findUnequal } from './faults.ts';
import { parsed } from './rows.ts';

const AT_ONCE = 500;

/** @param keys  public keys of the node; undefined where they could not be opened: then signatures are not checked */
export async function checkSeals(
  inspection: AnchorInspection,
  keys: readonly Uint8Array[] | undefined,
  find: Find,
): Promise<void> {
  let last = '0';
  /** What the seal before says of itself; undefined where that cannot be read. */
  let root: unknown = NO_HASH;
  for (;;) {
    const seals = await inspection.seals(last, AT_ONCE);
    for (const seal of seals) {
      const expected = BigInt(last) + 1n;
      const isNext = BigInt(seal.no) === expected;
      if (!isNext) find('node_seal', { no: seal.no }, 'GAP', `The seals from ${expected} on are missing.`, 'no');
      const said = checkSeal(seal, keys, find);
      if (isNext && root !== undefined && said !== undefined && said.prev_root !== root)
        find('node_seal', { no: seal.no }, 'LINK', `The seal does not name the root of seal ${last}.`, 'envelope');
      last = seal.no;
      root = said?.root;
    }
    if (seals.length < AT_ONCE) return;
  }
}

/** @returns what was signed; undefined for what is no envelope */
function checkSeal(
  { no, svcond, machines, root, envelope }: InspectedSeal,
  keys: readonly Uint8Array[] | undefined,
  find: Find,
): Readonly<Record<string, unknown>> | undefined {
  const place = ['node_seal', { no }] as const;
  const opened = openEnvelope(envelope);
  if (opened === undefined) {
    find(...place, 'SIGNATURE', 'envelope is no DSSE envelope as it was written.', 'envelope');
    return undefined;
  }
  const { payload, keyid, sig } = opened;
  const signed = preAuthenticationEncoding(SEAL_TYPE, payload);
  const isOurs = keys?.some((key) => publicJwk(key).kid === keyid && isSignedBy(key, signed, sig));
  if (isOurs === false) find(...place, 'SIGNATURE', 'envelope is not signed by a key of this node.', 'envelope');
  const said = payloadOf({ payload_text: new TextDecoder().decode(payload) });
  findUnequal(find, place, 'envelope', [
    ['no', no, said.no],
    ['svcond', svcond, said.svcond],
    ['machines', machines, said.machines],
    ['root', root, said.root],
  ]);
  return said;
}

interface OpenedEnvelope {
  readonly payload: Uint8Array;
  readonly keyid: string;
  readonly sig: Uint8Array;
}

/** With one signature and nothing else in it; undefined for anything else. */
function openEnvelope(text: string): OpenedEnvelope | undefined {
  const { payloadType, payload = '', signatures } = (parsed(text) ?? {}) as Partial<SealRecord['envelope']>;
  const { keyid = '', sig = '' } = signatures?.[0] ?? {};
  const whole = { payloadType: SEAL_TYPE, payload, signatures: [{ keyid, sig }] };
  const bytes = [payload, sig].map((one) => fromBase64(String(one)));
  const [payloadBytes, sigBytes] = bytes;
  if (payloadType !== SEAL_TYPE || JSON.stringify(whole) !== text) return undefined;
  return payloadBytes && sigBytes && { payload: payloadBytes, keyid, sig: sigBytes };
}

/** @param logs  keys of logs that are known here: other notes are read, and their signatures believed */
export async function checkWitnessed(
  inspection: AnchorInspection,
  logs: readonly VerifierKey[],
  find: Find,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const found = await inspection.witnessed(after, AT_ONCE);
    for (const one of found) checkNote(one, logs, find);
    after = found.at(-1)?.origin;
    if (found.length < AT_ONCE) return;
  }
}

function checkNote({ origin, size, root, note }: InspectedWitnessed, logs: readonly VerifierKey[], find: Find): void {
  const place = ['witnessed', { origin }] as const;
  const read = parseCheckpoint(note);
  if (read === undefined) {
    find(...place, 'CHECKPOINT', 'note is no checkpoint.', 'note');
    return;
  }
  const { checkpoint: said } = read;
  const isSame = findUnequal(find, place, 'note', [
    ['origin', origin, said.origin],
    ['size', size, said.size],
    ['root', toHex(root), toHex(said.root)],
  ]);
  const keys = logs.filter(({ name }) => name === said.origin);
  const isSigned =
    keys.length === 0 || keys.some(({ publicKey }) => isCheckpointSignedBy(read, said.origin, publicKey));
  if (isSame && !isSigned) find(...place, 'SIGNATURE', 'note is not signed by a key of this log.', 'note');
}

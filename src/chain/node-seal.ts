// The seal over all machines of a node: one Merkle root (RFC 6962) over the identity and the head of each chain. The
// hash of a head stands for all rows before it, so a chain that was rewritten or cut contradicts an earlier seal.
//
// Seals are numbered. Each names the hash of the newest sound one before it, those between that were damaged, and the
// first start of the node.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sha256Hex } from '../core/sha256.ts';
import { CompactRange } from './compact-range.ts';
import { idHash } from './identity.ts';
import { type Hash, leafHash } from './merkle.ts';
import { NO_HASH } from './row.ts';

/** DSSE payload type. */
export const SEAL_TYPE = 'application/vnd.svc.machines+json';
/** Seals of format 1 name only the root of the previous one, and no first start. */
export const SEAL_FORMAT = 'svc-machines/2';

/** A machine's entry in the seal. */
export interface SealedHead {
  readonly slug: string;
  /** Hash of row 0 and of the last row, hex. */
  readonly genesisHash: string;
  readonly headHash: string;
}

/**
 * Seals that the node could not read when it made the next one. Their root is what the heads that it went on from have,
 * so a damaged seal that is restored shows whether they were those that it covers.
 */
export interface DamagedSeals {
  /** Number of the first one. They end before the seal that names them. */
  readonly from: number;
  /** Root of the stored heads, hex. */
  readonly root: string;
}

/** Machines hashed between two pauses, about 2 ms. */
const SLICE = 256;

/**
 * Over the leaves id_hash ‖ head_hash, 64 bytes each, sorted as bytes.
 *
 * @param pause  called now and then, so that many machines do not hold up everything else
 */
export async function sealRoot(heads: readonly SealedHead[], pause = async () => {}): Promise<Hash> {
  const leaves: string[] = [];
  for (const { slug, genesisHash, headHash } of heads) {
    if (leaves.push(idHash(slug, genesisHash) + headHash) % SLICE === 0) await pause();
  }
  leaves.sort();
  const tree = new CompactRange();
  for (const leaf of leaves) {
    tree.add(leafHash(fromHex(leaf) ?? concat()));
    if (tree.size % SLICE === 0) await pause();
  }
  return tree.root();
}

/** The signed text. */
export function sealText(seal: {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: Hash;
  /** Signed text of the newest sound seal before; undefined for the first. */
  readonly previous: string | undefined;
  /** If the seals right before this one were damaged when it was made. */
  readonly damaged?: DamagedSeals | undefined;
  /** First start of the node. */
  readonly genesis: { readonly tick: number; readonly unixMs: number };
}): string {
  const { no, svcond, machines, root, previous, damaged, genesis } = seal;
  const { tick, unixMs: unix_ms } = genesis;
  return canonicalJson({
    format: SEAL_FORMAT,
    no,
    svcond,
    machines,
    root: toHex(root),
    prev: previous === undefined ? NO_HASH : sha256Hex(previous),
    ...(damaged === undefined ? {} : { damaged: { from: damaged.from, root: damaged.root } }),
    genesis: { tick, unix_ms },
  });
}

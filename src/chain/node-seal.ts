// The seal over all machines of a node: one Merkle root (RFC 6962) over the identity and the head of each chain. A
// chain rewritten from its first row contradicts an earlier seal. Seals are numbered, and each contains the previous
// root.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { idHash } from './identity.ts';
import { type Hash, treeRoot } from './merkle.ts';
import { NO_HASH } from './row.ts';

/** DSSE payload type. */
export const SEAL_TYPE = 'application/vnd.svc.machines+json';
const FORMAT = 'svc-machines/1';

/** A machine's entry in the seal. */
export interface SealedHead {
  readonly slug: string;
  /** Hash of row 0 and of the last row, hex. */
  readonly genesisHash: string;
  readonly headHash: string;
}

/** Over the leaves id_hash ‖ head_hash, 64 bytes each, sorted as bytes. */
export function sealRoot(heads: readonly SealedHead[]): Hash {
  const leaves = heads.map(({ slug, genesisHash, headHash }) => idHash(slug, genesisHash) + headHash).sort();
  return treeRoot(leaves.map((leaf) => fromHex(leaf) ?? concat()));
}

/** The signed text. */
export function sealText(seal: {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: Hash;
  /** Root of the previous seal; undefined for the first. */
  readonly previous: Hash | undefined;
}): string {
  const { no, svcond, machines, root, previous } = seal;
  const prev_root = previous === undefined ? NO_HASH : toHex(previous);
  return canonicalJson({ format: FORMAT, no, svcond, machines, root: toHex(root), prev_root });
}

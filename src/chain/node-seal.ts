// The seal over all machines of a node: one Merkle root (RFC 6962) over what each is called and how far its chain has come, so
// that no chain can be written anew from its beginning without a seal that says otherwise. Seals are numbered, and each names
// the root of the one before.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { idHash } from './identity.ts';
import { type Hash, treeRoot } from './merkle.ts';
import { NO_HASH } from './row.ts';

/** DSSE payload type. */
export const SEAL_TYPE = 'application/vnd.svc.machines+json';
const FORMAT = 'svc-machines/1';

/** What a machine puts into the seal. */
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

/** The text that is signed. */
export function sealText(seal: {
  readonly no: number;
  readonly svcond: number;
  readonly machines: number;
  readonly root: Hash;
  /** Of the seal before; undefined for the first. */
  readonly before: Hash | undefined;
}): string {
  const { no, svcond, machines, root, before } = seal;
  const prev_root = before === undefined ? NO_HASH : toHex(before);
  return canonicalJson({ format: FORMAT, no, svcond, machines, root: toHex(root), prev_root });
}

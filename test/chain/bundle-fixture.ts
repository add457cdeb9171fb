// Builds bundles from in-memory chains, without a service.

import { BUNDLE_FORMAT, type BundledRow, type MachineBundle } from '../../src/chain/bundle.ts';
import { addressOf, idHash } from '../../src/chain/identity.ts';
import { inclusionRanges, rangeHash, siblingSubtrees } from '../../src/chain/merkle.ts';
import { type NoteSigner, signCheckpoint, verifierKey } from '../../src/chain/note.ts';
import type { Row } from '../../src/chain/row.ts';
import { toHex } from '../../src/core/bits.ts';
import { leavesOf } from './chain-fixture.ts';
import { readerOf, treeHash } from './reference-tree.ts';

function withoutSlug({ slug: _, salt, payload_text, sealed: __, ...head }: Row): BundledRow {
  return { ...head, ...(salt === undefined || payload_text === undefined ? {} : { salt, payload_text }) };
}

function headOf(row: Row): Omit<BundledRow, 'salt' | 'payload_text'> {
  const { salt: _, payload_text: __, ...head } = withoutSlug(row);
  return head;
}

/** Bundles rows `from` to `to` (inclusive) of a chain, with a checkpoint of `size` rows. */
export function bundleOf(
  rows: readonly Row[],
  {
    from,
    to,
    size,
    signer,
  }: { readonly from: number; readonly to: number; readonly size: number; readonly signer: NoteSigner },
): MachineBundle {
  const [first] = rows;
  if (first === undefined) throw new Error('the chain is empty');
  const leaves = leavesOf(rows).slice(0, size);
  const readHash = readerOf(leaves);
  const origin = `node.example/m/${first.slug}`;
  const before = rows[from - 1];
  const id = idHash(first.slug, first.row_hash);
  const siblings = from < size ? siblingSubtrees({ from, to: Math.min(to + 1, size) }, size).map(readHash) : [];
  return {
    format: BUNDLE_FORMAT,
    kind: 'machine',
    machine: {
      slug: first.slug,
      genesis_tick: first.svcond,
      genesis_hash: first.row_hash,
      id_hash: id,
      address: addressOf(id),
    },
    from,
    to,
    next_from: to + 1 < rows.length ? to + 1 : null,
    before: before === undefined ? null : headOf(before),
    rows: rows.slice(from, to + 1).map(withoutSlug),
    checkpoint: {
      note: signCheckpoint({ origin, size, root: treeHash(leaves) }, signer),
      verifier_key: verifierKey(origin, signer.publicKey),
      beside: siblings.map(toHex),
      genesis:
        from === 0
          ? null
          : { row: headOf(first), path: inclusionRanges(0, size).map((range) => toHex(rangeHash(range, readHash))) },
    },
    versions: [],
  };
}

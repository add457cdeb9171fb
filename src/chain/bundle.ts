// A stretch of a chain as one file that proves itself: rows, the signed checkpoint, what leads from the rows to its root,
// and the definitions of the contracts that moved it. Whoever has the file needs neither the node nor a network.
//
// Nothing in it is believed. What the file says of itself is read within limits and checked claim by claim; a claim that
// cannot be checked with what is here is neither true nor false, and says what is missing.

import { z } from 'zod';
import { fromHex } from '../core/bits.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import { addressOf, idHash } from './identity.ts';
import { isIncluded, isSame, leafHash, rootWith, subtreesBeside } from './merkle.ts';
import { isCheckpointSignedBy, type ParsedNote, parseCheckpoint, parseVerifierKey } from './note.ts';
import { ROW_VERSION, type Row, SALT_BYTES } from './row.ts';
import { BEGINNING, type Fault, faultsOf, validateRows } from './validate.ts';

export const BUNDLE_FORMAT = 'svc-bundle/1';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const place = z.int().min(0);
const word = z.string().min(1).max(120);

/** A row as it is hashed; the slug stands once, at the top. */
const bundledRow = z.strictObject({
  v: z.literal(ROW_VERSION),
  seq: place,
  svcond: place,
  type: word,
  source: word,
  actor: word,
  commit: hash,
  prev: hash,
  row_hash: hash,
  salt: z
    .string()
    .length(2 * SALT_BYTES)
    .optional(),
  /** Canonical JSON, byte for byte as committed to. */
  payload_text: z.string().max(LIMITS.chain.payloadBytes).optional(),
});
const heads = bundledRow.omit({ salt: true, payload_text: true });
const path = z.array(hash).max(64);

const bundledVersion = z.strictObject({
  contract: z.uuid(),
  no: z.int().min(1),
  /** Canonical JSON. */
  definition: z.string().max(LIMITS.body.bytes),
  definition_hash: hash,
  svcond: place,
});

export const MachineBundle = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  kind: z.literal('machine'),
  machine: z.strictObject({
    slug: z.string().regex(/^[a-z0-9-]{3,63}$/),
    genesis_tick: place,
    genesis_hash: hash,
    id_hash: hash,
    address: z.string().max(64),
  }),
  from: place,
  to: place,
  /** Where the next bundle begins; null at the head of the chain. */
  next_from: place.nullable(),
  /** The row before the first one, so that its link and its tick can be checked. */
  before: heads.nullable(),
  rows: z.array(bundledRow).min(1).max(LIMITS.bundle.rows),
  checkpoint: z
    .strictObject({
      note: z.string().max(16_384),
      /** `name+id+key`, as witnesses keep it. */
      verifier_key: z.string().max(512),
      /** Hashes of the complete subtrees beside the rows, from left to right. */
      beside: z.array(hash).max(256),
      /** Row 0 and its path to the root, where the rows begin later. */
      genesis: z.strictObject({ row: heads, path }).nullable(),
    })
    .nullable(),
  versions: z.array(bundledVersion).max(LIMITS.bundle.versions),
});

export type MachineBundle = z.output<typeof MachineBundle>;
export type BundledRow = z.output<typeof bundledRow>;

/** Whether something holds; null where it cannot be known from the file. */
export interface BundleClaim {
  readonly claim: string;
  readonly ok: boolean | null;
  readonly reason?: string;
}

const WORDS: Readonly<Record<Fault, string>> = {
  GAP: 'has another number than its place',
  HASH: 'does not have the hash that it says',
  LINK: 'does not name the hash of the row before',
  TICK: 'is older than the row before',
  COMMIT: 'shows another payload than it committed to',
  TREE: 'is not in the tree of the checkpoint',
};

/** A row of a bundle in the form in which it is hashed. */
const rowOf = (slug: string, row: z.output<typeof heads> | BundledRow): Row => ({ slug, ...row });

/**
 * Every claim of the bundle, checked with nothing but itself.
 *
 * @param trusted  public keys obtained elsewhere, 32 bytes each; without them the checkpoint proves consistency, not origin
 */
export function verifyMachineBundle(bundle: MachineBundle, trusted?: readonly Uint8Array[]): BundleClaim[] {
  const note = bundle.checkpoint === null ? undefined : parseCheckpoint(bundle.checkpoint.note);
  return [
    identityClaim(bundle, note),
    rowsClaim(bundle, note),
    ...noteClaims(bundle, note, trusted),
    treeClaim(bundle, note),
    payloadsClaim(bundle),
    definitionsClaim(bundle),
  ];
}

const holds = (claim: string, reason?: string): BundleClaim => ({ claim, ok: true, ...(reason ? { reason } : {}) });
const fails = (claim: string, reason: string): BundleClaim => ({ claim, ok: false, reason });
const unknown = (claim: string, reason: string): BundleClaim => ({ claim, ok: null, reason });

/** The name follows from the slug and row 0, and row 0 is the one of this chain. */
function identityClaim({ machine, from, rows, checkpoint }: MachineBundle, note: ParsedNote | undefined): BundleClaim {
  const { slug, genesis_tick, genesis_hash, id_hash, address } = machine;
  const id = idHash(slug, genesis_hash);
  if (id_hash !== id || address !== addressOf(id)) return fails('identity', `The identity of ${slug} is ${id}.`);
  if (from === 0) {
    const isFirst = rows[0]?.row_hash === genesis_hash && rows[0].svcond === genesis_tick;
    return isFirst ? holds('identity') : fails('identity', 'The first row is another one than the identity names.');
  }
  if (!checkpoint?.genesis || note === undefined)
    return unknown('identity', 'The rows begin later, and nothing here ties them to row 0.');
  const { row, path: siblings } = checkpoint.genesis;
  const isNamed = row.row_hash === genesis_hash && row.svcond === genesis_tick;
  const isOwn = isNamed && faultsOf(rowOf(slug, row), slug, 0, BEGINNING).length === 0;
  const { size, root } = note.checkpoint;
  const isIn = isIncluded(leafHash(bytesOf(row.row_hash)), 0, size, siblings.map(bytesOf), root);
  return isOwn && isIn ? holds('identity') : fails('identity', 'Row 0 is not the one that the identity names.');
}

/** Numbers, hashes, links, ticks, and the payloads that are shown. */
function rowsClaim(
  { machine: { slug }, from, to, next_from, rows, before }: MachineBundle,
  note: ParsedNote | undefined,
): BundleClaim {
  if (to !== from + rows.length - 1)
    return fails('rows', `Rows ${from} to ${to} are announced, ${rows.length} are here.`);
  if (next_from !== null && next_from !== to + 1)
    return fails('rows', `next_from is ${next_from}; ${to + 1} is expected, or null at the head of the chain.`);
  if (next_from === null && note !== undefined && note.checkpoint.size > to + 1)
    return fails(
      'rows',
      `The chain is said to end with row ${to}; its checkpoint has ${countOf(note.checkpoint.size)}.`,
    );
  if ((before === null) !== (from === 0)) return fails('rows', `The row before row ${from} is needed, and no other.`);
  if (before !== null && faultsOf(rowOf(slug, before), slug, from - 1, undefined).length > 0)
    return fails('rows', `The row before row ${from} is not what it says.`);
  const anchor = before ?? BEGINNING;
  const { first_bad: bad } = validateRows(
    rows.map((row) => rowOf(slug, row)),
    slug,
    from,
    anchor,
  );
  return bad === undefined
    ? holds('rows', countOf(rows.length))
    : fails('rows', `Row ${bad.seq} ${WORDS[bad.reason]}.`);
}

function noteClaims(
  { machine: { slug }, checkpoint }: MachineBundle,
  note: ParsedNote | undefined,
  trusted: readonly Uint8Array[] | undefined,
): BundleClaim[] {
  if (checkpoint === null) return [unknown('checkpoint', 'The bundle was made before the first checkpoint.')];
  const key = parseVerifierKey(checkpoint.verifier_key);
  if (note === undefined || key === undefined)
    return [fails('checkpoint', 'The checkpoint or its key is not one of C2SP signed-note.')];
  const { origin, size } = note.checkpoint;
  const isOurs = origin === key.name && origin.endsWith(`/m/${slug}`);
  const isSigned = isOurs && isCheckpointSignedBy(note, key.name, key.publicKey);
  const claims = [
    isSigned
      ? holds('checkpoint', `${origin} signed ${countOf(size)}.`)
      : fails('checkpoint', isOurs ? 'The Ed25519 signature does not belong to it.' : `It is of ${origin}.`),
  ];
  if (trusted) {
    const isKnown = trusted.some((one) => isSame(one, key.publicKey));
    claims.push(isKnown ? holds('key pinned') : fails('key pinned', 'Its key is not among the trusted ones.'));
  }
  return claims;
}

/** The rows lead to the signed root with what stands beside them. */
function treeClaim({ from, to, rows, checkpoint }: MachineBundle, note: ParsedNote | undefined): BundleClaim {
  if (checkpoint === null) return unknown('tree', 'No checkpoint covers these rows yet.');
  if (note === undefined) return fails('tree', 'There is no root to compare with.');
  const { size, root } = note.checkpoint;
  if (size <= from) return unknown('tree', `The checkpoint covers ${countOf(size)}; these are newer.`);
  const covered = rows.slice(0, size - from);
  const names = subtreesBeside({ from, to: from + covered.length }, size);
  if (names.length !== checkpoint.beside.length)
    return fails('tree', `${names.length} hashes lead to the root; ${checkpoint.beside.length} are given.`);
  const given = new Map(names.map(({ level, index }, i) => [`${level} ${index}`, bytesOf(checkpoint.beside[i] ?? '')]));
  const leaves = covered.map((row) => leafHash(bytesOf(row.row_hash)));
  const found = rootWith(leaves, from, size, ({ level, index }) => given.get(`${level} ${index}`) ?? NOTHING);
  if (!isSame(found, root))
    return fails('tree', 'The rows do not lead to the root that was signed: history was rewritten.');
  if (covered.length === rows.length) return holds('tree');
  return unknown(
    'tree',
    `Rows ${from} to ${size - 1} are in the signed tree; rows ${size} to ${to} are newer than it.`,
  );
}

function payloadsClaim({ rows }: MachineBundle): BundleClaim {
  const missing = rows.filter(({ salt, payload_text }) => salt === undefined || payload_text === undefined).length;
  if (missing === 0) return holds('payloads');
  return unknown('payloads', `${missing} of ${countOf(rows.length)} have no payload here: erased by law, or sealed.`);
}

/** Each definition has its hash, and the rows that put it into force name it; those that are named are here. */
function definitionsClaim({ rows, versions }: MachineBundle): BundleClaim {
  const named = namedVersions(rows);
  let open = 0;
  for (const { contract, no, definition, definition_hash, svcond } of versions) {
    const name = `Version ${no} of ${contract}`;
    if (sha256Hex(definition) !== definition_hash)
      return fails('definitions', `${name} does not have the hash that it says.`);
    const said = named.get(`${contract} ${no}`);
    if (said === undefined) open++;
    else if (said.hash !== definition_hash)
      return fails('definitions', `${name} is another one than the chain put into force.`);
    else if (said.svcond !== svcond)
      return fails('definitions', `${name} is of tick ${said.svcond}, not of tick ${svcond}.`);
    named.delete(`${contract} ${no}`);
  }
  if (named.size > 0) return unknown('definitions', `${named.size} that these rows put into force are not here.`);
  if (versions.length === 0) return holds('definitions', 'There is no contract.');
  if (open === 0) return holds('definitions');
  return unknown(
    'definitions',
    `${open} of ${versions.length} were put into force by rows that are not here or not readable.`,
  );
}

/** Hashes of definitions by contract and version, and their ticks, as the chain says. */
function namedVersions(rows: readonly BundledRow[]): Map<string, { readonly hash: unknown; readonly svcond: number }> {
  const found = new Map<string, { readonly hash: unknown; readonly svcond: number }>();
  for (const row of rows) {
    const { contract, version, definition_hash: hash } = row.type === 'contract' ? payloadOf(row) : {};
    if (hash !== undefined) found.set(`${contract} ${version}`, { hash, svcond: row.svcond });
  }
  return found;
}

/** The payload of a row as an object; empty where it is not here or is none. */
export function payloadOf({ payload_text: text }: Pick<Row, 'payload_text'>): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

const NOTHING = new Uint8Array(32);
const bytesOf = (hex: string) => fromHex(hex) ?? NOTHING;
const countOf = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

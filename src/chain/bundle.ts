// A range of chain rows as one self-verifying file: rows, the signed checkpoint, the hashes that lead from the rows to
// its root, and the definitions of the contracts behind its transitions. Verification needs neither the node nor a
// network.
//
// The file is untrusted. It is parsed within limits and verified claim by claim. A claim that the file alone cannot
// decide is neither true nor false, and names what is missing.

import { z } from 'zod';
import { fromHex } from '../core/bits.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import { addressOf, idHash } from './identity.ts';
import { isIncluded, isSameBytes, leafHash, rootFromLeaves, siblingSubtrees } from './merkle.ts';
import { isCheckpointSignedBy, type ParsedNote, parseCheckpoint, parseVerifierKey } from './note.ts';
import { ROW_VERSION, type Row, SALT_BYTES } from './row.ts';
import { rowSignature } from './signed-act.ts';
import { issuedByRows } from './tally.ts';
import { CHAIN_START, type RowFault, rowFaults, validateRows } from './validate.ts';

export const BUNDLE_FORMAT = 'svc-bundle/1';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const nonNegative = z.int().min(0);
const shortText = z.string().min(1).max(120);

/** A row as hashed, without the slug, which the bundle states once. */
const bundledRow = z.strictObject({
  v: z.literal(ROW_VERSION),
  seq: nonNegative,
  svcond: nonNegative,
  type: shortText,
  source: shortText,
  actor: shortText,
  commit: hash,
  prev: hash,
  row_hash: hash,
  salt: z
    .string()
    .length(2 * SALT_BYTES)
    .optional(),
  /** Canonical JSON, byte-identical to the committed text. */
  payload_text: z.string().max(LIMITS.chain.payloadBytes).optional(),
});
const bundledHead = bundledRow.omit({ salt: true, payload_text: true });
const path = z.array(hash).max(64);

const bundledVersion = z.strictObject({
  contract: z.uuid(),
  no: z.int().min(1),
  /** Canonical JSON. */
  definition: z.string().max(LIMITS.body.bytes),
  definition_hash: hash,
  svcond: nonNegative,
});

export const MachineBundle = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  kind: z.literal('machine'),
  machine: z.strictObject({
    slug: z.string().regex(/^[a-z0-9-]{3,63}$/),
    genesis_tick: nonNegative,
    genesis_hash: hash,
    id_hash: hash,
    address: z.string().max(64),
  }),
  from: nonNegative,
  to: nonNegative,
  /** First row of the next bundle; null at the head of the chain. */
  next_from: nonNegative.nullable(),
  /** The row before the first one, to check the first link and tick. */
  before: bundledHead.nullable(),
  rows: z.array(bundledRow).min(1).max(LIMITS.bundle.rows),
  checkpoint: z
    .strictObject({
      note: z.string().max(16_384),
      /** `name+id+key`, the signed-note format. */
      verifier_key: z.string().max(512),
      /** Hashes of the complete subtrees beside the rows, left to right. */
      beside: z.array(hash).max(256),
      /** Row 0 and its inclusion path, for bundles that start after row 0. */
      genesis: z.strictObject({ row: bundledHead, path }).nullable(),
    })
    .nullable(),
  versions: z.array(bundledVersion).max(LIMITS.bundle.versions),
});

export type MachineBundle = z.output<typeof MachineBundle>;
export type BundledRow = z.output<typeof bundledRow>;

/** The result of one check; `ok` is null if the file alone cannot decide it. */
export interface BundleClaim {
  readonly claim: string;
  readonly ok: boolean | null;
  readonly reason?: string;
}

const FAULT_TEXT: Readonly<Record<RowFault, string>> = {
  GAP: 'has an unexpected row number',
  HASH: 'does not match its stated hash',
  LINK: 'does not link to the hash of the previous row',
  TICK: 'has an earlier tick than the previous row',
  COMMIT: 'has a payload that does not match its commitment',
  TREE: 'is not in the tree of the checkpoint',
};

/** A bundled row with the slug, as it is hashed. */
const rowOf = (slug: string, row: z.output<typeof bundledHead> | BundledRow): Row => ({ slug, ...row });

/**
 * Verifies every claim of the bundle without any other source.
 *
 * @param trusted  public keys from another source, 32 bytes each; without them the checkpoint proves consistency only
 */
export function verifyMachineBundle(bundle: MachineBundle, trusted?: readonly Uint8Array[]): BundleClaim[] {
  const note = bundle.checkpoint === null ? undefined : parseCheckpoint(bundle.checkpoint.note);
  return [
    identityClaim(bundle, note),
    rowsClaim(bundle, note),
    ...checkpointClaims(bundle, note, trusted),
    treeClaim(bundle, note),
    payloadsClaim(bundle),
    definitionsClaim(bundle),
    ...signatureClaims(bundle),
    ...supplyClaims(bundle),
  ];
}

const pass = (claim: string, reason?: string): BundleClaim => ({ claim, ok: true, ...(reason ? { reason } : {}) });
const fail = (claim: string, reason: string): BundleClaim => ({ claim, ok: false, reason });
const undecided = (claim: string, reason: string): BundleClaim => ({ claim, ok: null, reason });

/** The identity follows from the slug and row 0, and row 0 belongs to this chain. */
function identityClaim({ machine, from, rows, checkpoint }: MachineBundle, note: ParsedNote | undefined): BundleClaim {
  const { slug, genesis_tick, genesis_hash, id_hash, address } = machine;
  const id = idHash(slug, genesis_hash);
  if (id_hash !== id || address !== addressOf(id))
    return fail('identity', `The stated identity does not match ${slug}, whose identity is ${id}.`);
  if (from === 0) {
    const isFirst = rows[0]?.row_hash === genesis_hash && rows[0].svcond === genesis_tick;
    return isFirst
      ? pass('identity')
      : fail('identity', 'The first row does not match the stated genesis hash and tick.');
  }
  if (!checkpoint?.genesis || note === undefined)
    return undecided('identity', 'The rows start after row 0, and the bundle has no proof of row 0.');
  const { row, path: siblings } = checkpoint.genesis;
  const isGenesis = row.row_hash === genesis_hash && row.svcond === genesis_tick;
  const isValid = isGenesis && rowFaults(rowOf(slug, row), slug, 0, CHAIN_START).length === 0;
  const { size, root } = note.checkpoint;
  const isInTree = isIncluded(leafHash(bytesOf(row.row_hash)), 0, size, siblings.map(bytesOf), root);
  return isValid && isInTree
    ? pass('identity')
    : fail('identity', 'Row 0 does not match the stated genesis hash and tick, or is not in the signed tree.');
}

/** Row numbers, hashes, links, ticks, and the payloads that are included. */
function rowsClaim(
  { machine: { slug }, from, to, next_from, rows, before }: MachineBundle,
  note: ParsedNote | undefined,
): BundleClaim {
  if (to !== from + rows.length - 1)
    return fail('rows', `Expected rows ${from} to ${to}; the bundle has ${countOf(rows.length)}.`);
  if (next_from !== null && next_from !== to + 1)
    return fail('rows', `next_from must be ${to + 1}, or null at the head of the chain; got ${next_from}.`);
  if (next_from === null && note !== undefined && note.checkpoint.size > to + 1)
    return fail(
      'rows',
      `The bundle ends the chain at row ${to}, but its checkpoint covers ${countOf(note.checkpoint.size)}.`,
    );
  if ((before === null) !== (from === 0))
    return fail('rows', `"before" must be the row before row ${from}, or null for row 0.`);
  if (before !== null && rowFaults(rowOf(slug, before), slug, from - 1, undefined).length > 0)
    return fail('rows', `Row ${from - 1}, given as the previous row, is not valid.`);
  const start = before ?? CHAIN_START;
  const { first_bad: bad } = validateRows(
    rows.map((row) => rowOf(slug, row)),
    slug,
    from,
    start,
  );
  return bad === undefined
    ? pass('rows', countOf(rows.length))
    : fail('rows', `Row ${bad.seq} ${FAULT_TEXT[bad.reason]}.`);
}

function checkpointClaims(
  { machine: { slug }, checkpoint }: MachineBundle,
  note: ParsedNote | undefined,
  trusted: readonly Uint8Array[] | undefined,
): BundleClaim[] {
  if (checkpoint === null) return [undecided('checkpoint', 'The bundle predates the first checkpoint.')];
  const key = parseVerifierKey(checkpoint.verifier_key);
  if (note === undefined || key === undefined)
    return [fail('checkpoint', 'The checkpoint or its key is not a valid C2SP signed note or verifier key.')];
  const { origin, size } = note.checkpoint;
  const isOrigin = origin === key.name && origin.endsWith(`/m/${slug}`);
  const isSigned = isOrigin && isCheckpointSignedBy(note, key.name, key.publicKey);
  const claims = [
    isSigned
      ? pass('checkpoint', `${origin} signed ${countOf(size)}.`)
      : fail('checkpoint', isOrigin ? 'The Ed25519 signature is not valid.' : `The checkpoint is of ${origin}.`),
  ];
  if (trusted) {
    const isTrusted = trusted.some((trustedKey) => isSameBytes(trustedKey, key.publicKey));
    claims.push(
      isTrusted ? pass('key pinned') : fail('key pinned', 'The checkpoint key is not one of the trusted keys.'),
    );
  }
  return claims;
}

/** The rows and the subtrees beside them give the signed root. */
function treeClaim({ from, to, rows, checkpoint }: MachineBundle, note: ParsedNote | undefined): BundleClaim {
  if (checkpoint === null) return undecided('tree', 'No checkpoint covers these rows yet.');
  if (note === undefined) return fail('tree', 'The checkpoint is not valid, so there is no root to compare with.');
  const { size, root } = note.checkpoint;
  if (size <= from)
    return undecided('tree', `The checkpoint covers ${countOf(size)}; the rows of the bundle are newer.`);
  const covered = rows.slice(0, size - from);
  const siblings = siblingSubtrees({ from, to: from + covered.length }, size);
  if (siblings.length !== checkpoint.beside.length)
    return fail('tree', `Expected ${siblings.length} hashes beside the rows; got ${checkpoint.beside.length}.`);
  const hashes = new Map(
    siblings.map(({ level, index }, i) => [`${level} ${index}`, bytesOf(checkpoint.beside[i] ?? '')]),
  );
  const leaves = covered.map((row) => leafHash(bytesOf(row.row_hash)));
  const computed = rootFromLeaves(
    leaves,
    from,
    size,
    ({ level, index }) => hashes.get(`${level} ${index}`) ?? EMPTY_HASH,
  );
  if (!isSameBytes(computed, root))
    return fail('tree', 'The rows do not match the signed root: history was rewritten.');
  if (covered.length === rows.length) return pass('tree');
  return undecided(
    'tree',
    `Rows ${from} to ${size - 1} are in the signed tree; rows ${size} to ${to} are newer than the checkpoint.`,
  );
}

function payloadsClaim({ rows }: MachineBundle): BundleClaim {
  const missing = rows.filter(({ salt, payload_text }) => salt === undefined || payload_text === undefined).length;
  if (missing === 0) return pass('payloads');
  return undecided('payloads', `${missing} of ${countOf(rows.length)} have no payload: erased by law, or sealed.`);
}

/** Each definition matches its hash and the row that activated it, and no activated version is missing. */
function definitionsClaim({ rows, versions }: MachineBundle): BundleClaim {
  const activated = activatedVersions(rows);
  let unproven = 0;
  for (const { contract, no, definition, definition_hash, svcond } of versions) {
    const name = `Version ${no} of ${contract}`;
    if (sha256Hex(definition) !== definition_hash)
      return fail('definitions', `${name} does not match its stated hash.`);
    const expected = activated.get(`${contract} ${no}`);
    if (expected === undefined) unproven++;
    else if (expected.hash !== definition_hash)
      return fail('definitions', `${name} is not the version that the chain activated.`);
    else if (expected.svcond !== svcond)
      return fail('definitions', `${name} is from tick ${expected.svcond}, not from tick ${svcond}.`);
    activated.delete(`${contract} ${no}`);
  }
  if (activated.size > 0) return undecided('definitions', `${activated.size} activated by these rows are missing.`);
  if (versions.length === 0) return pass('definitions', 'No contracts.');
  if (unproven === 0) return pass('definitions');
  return undecided(
    'definitions',
    `${unproven} of ${versions.length} were activated by rows that are missing or not readable.`,
  );
}

/** What parties of contracts have signed; nothing if they have not. Whether their keys were bound is for `fsck`. */
function signatureClaims({ machine, rows }: MachineBundle): BundleClaim[] {
  let signed = 0;
  for (const row of rows) {
    const isValid = rowSignature(machine.slug, row.type, payloadOf(row));
    if (isValid === false) return [fail('signatures', `The signature in row ${row.seq} is not one of its contents.`)];
    if (isValid === true) signed++;
  }
  return signed === 0 ? [] : [pass('signatures', `${signed} by keys of parties.`)];
}

/** The supply of the machine's token at the last row, for a bundle that starts at the first one. */
function supplyClaims({ from, to, rows }: MachineBundle): BundleClaim[] {
  if (from > 0 || !rows.some(({ type }) => type === 'tally_genesis')) return [];
  const issued = issuedByRows(rows, payloadOf);
  if (issued === undefined)
    return [undecided('supply', 'A row that sets the token or one of its rates has no readable payload.')];
  return [pass('supply', `${issued.supply} of ${issued.maxSupply} tokens at row ${to}.`)];
}

/** Definition hash and tick of each contract version that the rows activate. */
function activatedVersions(
  rows: readonly BundledRow[],
): Map<string, { readonly hash: unknown; readonly svcond: number }> {
  const versions = new Map<string, { readonly hash: unknown; readonly svcond: number }>();
  for (const row of rows) {
    const { contract, version, definition_hash: hash } = row.type === 'contract' ? payloadOf(row) : {};
    if (hash !== undefined) versions.set(`${contract} ${version}`, { hash, svcond: row.svcond });
  }
  return versions;
}

/** The payload of a row as an object; empty if it is missing or not an object. */
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

const EMPTY_HASH = new Uint8Array(32);
const bytesOf = (hex: string) => fromHex(hex) ?? EMPTY_HASH;
const countOf = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

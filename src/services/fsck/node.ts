// Checks what a node stores besides its machines: the seals over all machines, and the checkpoints of witnessed logs.

import { payloadOf } from '../../chain/bundle.ts';
import { type DamagedSeals, SEAL_FORMAT, SEAL_TYPE, type SealedHead, sealRoot } from '../../chain/node-seal.ts';
import { isCheckpointSignedBy, parseCheckpoint, type VerifierKey } from '../../chain/note.ts';
import { NO_HASH, type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { InspectedHead, InspectedSeal, InspectedWitnessed, NodeInspection } from '../../storage/fsck/node.ts';
import type { SealPayload } from '../machines/seal-log.ts';
import { isEnvelopeSigned, parseEnvelope } from '../node/stored-seal.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';

const BATCH_SIZE = 500;
/** Maximum missing seals, and missing heads, that are named one by one. */
const MAX_NAMED = 100n;

/** What a seal says. */
interface SignedSeal {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the signed text, hex. */
  readonly sha256: string;
  /** Whether the node signed it, and the columns say the same. */
  readonly isSound: boolean;
}

/** What the first seal names as its predecessor. */
const FIRST: SignedSeal = { fields: { root: NO_HASH }, sha256: NO_HASH, isSound: true };

/**
 * @param keys  public keys of the node; if undefined (could not be opened), signatures are not checked
 * @returns the signed fields of the newest sound seal whose heads are stored; undefined without one
 */
export async function checkSeals(
  inspection: NodeInspection,
  keys: readonly Uint8Array[] | undefined,
  report: ReportFault,
): Promise<SignedSeal['fields'] | undefined> {
  const genesis = new GenesisCheck(await inspection.fact('genesis'), report);
  let last = '0';
  /** The previous seal; undefined if its envelope cannot be read. */
  let previous: SignedSeal | undefined = FIRST;
  let newest: SignedSeal['fields'] | undefined;
  for (;;) {
    const seals = await inspection.seals(last, BATCH_SIZE);
    for (const seal of seals) {
      const isNext = reportMissing(last, seal.no, report);
      const signed = checkSeal(seal, keys, report);
      if (isNext && signed) {
        if (signed.fields.damaged !== undefined) await checkAfterDamaged(inspection, seal.no, signed, previous, report);
        else if (previous && !isLinked(signed.fields, previous)) reportUnlinked(seal.no, last, report);
      }
      // Seals of format 1 name no first start, and have no stored heads.
      if (signed?.isSound && signed.fields.format === SEAL_FORMAT) {
        newest = signed.fields;
        genesis.visit(newest);
      }
      last = seal.no;
      previous = signed;
    }
    if (seals.length < BATCH_SIZE) return newest;
  }
}

/** Reports the seals between two numbers. @returns whether there are none */
function reportMissing(last: string, no: string, report: ReportFault): boolean {
  const [from, to] = [BigInt(last) + 1n, BigInt(no) - 1n];
  // A damaged number may leave a gap of any size.
  for (let at = from; at <= to && at - from < MAX_NAMED; at++)
    report('node_seal', { no: String(at) }, 'GAP', `The seal is missing; the next one is ${no}.`, 'no');
  if (from !== BigInt(no)) report('node_seal', { no }, 'GAP', `The seals from ${from} to ${to} are missing.`, 'no');
  return from === BigInt(no);
}

const reportUnlinked = (no: string, previous: string, report: ReportFault): void =>
  report('node_seal', { no }, 'LINK', `The seal does not name seal ${previous}.`, 'envelope');

/**
 * Checks a seal that was made while those before it were damaged. It names the newest sound one, and the root of the
 * heads that it went on from. That is the root of the seal before it, unless heads were changed with the damage.
 */
async function checkAfterDamaged(
  inspection: NodeInspection,
  no: string,
  { fields }: SignedSeal,
  previous: SignedSeal | undefined,
  report: ReportFault,
): Promise<void> {
  const { from, root } = Object(fields.damaged) as Partial<DamagedSeals>;
  const before = BigInt(Number.isSafeInteger(from) ? Number(from) : 0) - 1n;
  const [named] = before > 0n ? await inspection.seals(String(before - 1n), 1) : [];
  const { payload } = parseEnvelope(named?.envelope ?? '') ?? {};
  const sha256 = before === 0n ? NO_HASH : payload && sha256Hex(payload);
  // A seal that is missing, or damaged since, has a fault of its own.
  if (before < 0n || before >= BigInt(no) - 1n || (sha256 !== undefined && fields.prev !== sha256))
    reportUnlinked(no, String(before), report);
  if (previous?.isSound !== true || previous.fields.root === root) return;
  const message = `Seal ${String(previous.fields.no)} was damaged when this one was made, and covers other heads than this one goes on from: what it covers may be missing.`;
  report('node_seal', { no }, 'SEAL', message, 'envelope');
}

/** Whether a seal names the one before it: by its hash, or in format 1 by its root. */
function isLinked({ format, prev, prev_root }: SignedSeal['fields'], { sha256, fields }: SignedSeal): boolean {
  return format === SEAL_FORMAT ? prev === sha256 : prev_root === fields.root;
}

/** Compares the first start of the node with the first one that a seal names. */
class GenesisCheck {
  readonly #value: string | undefined;
  readonly #report: ReportFault;
  #first: string | undefined;

  constructor(value: string | undefined, report: ReportFault) {
    this.#value = value;
    this.#report = report;
  }

  visit({ no, genesis }: SignedSeal['fields']): void {
    if (this.#first !== undefined) return;
    const { tick, unix_ms: unixMs } = (genesis ?? {}) as Record<string, unknown>;
    this.#first = JSON.stringify({ tick, unixMs });
    const stored = (tryParseJson(this.#value ?? '') ?? {}) as Record<string, unknown>;
    const actual = JSON.stringify({ tick: stored.tick, unixMs: stored.unixMs });
    if (actual === this.#first) return;
    const message = `The first start of the node is ${this.#value ?? 'missing'}; seal ${String(no)} says ${this.#first}.`;
    this.#report('node', { key: 'genesis' }, 'GENESIS', message, 'value');
  }
}

/**
 * Compares machines and rows with the heads that the newest seal covers. If the stored heads give its root, they are
 * what the node signed, and machines or rows that differ are wrong; else a head that differs may be wrong itself.
 *
 * @param reportOf  reports faults of one machine
 */
export async function checkSealedHeads(
  inspection: NodeInspection,
  newest: SignedSeal['fields'] | undefined,
  reportOf: (slug: string | null) => ReportFault,
): Promise<void> {
  const heads: SealedHead[] = [];
  const different: InspectedHead[] = [];
  let after: string | undefined;
  for (;;) {
    const found = await inspection.sealedHeads(after, BATCH_SIZE);
    for (const head of found) {
      heads.push({ slug: head.slug, genesisHash: head.genesis_hash, headHash: head.head_hash });
      if (!isUnchanged(head)) different.push(head);
    }
    after = found.at(-1)?.machine_id;
    if (found.length < BATCH_SIZE) break;
  }
  const { no = 0, root, svcond = 0 } = newest ?? {};
  const isEmpty = heads.length === 0 && newest === undefined;
  const isConfirmed = isEmpty || toHex(await sealRoot(heads)) === root;
  if (!isConfirmed) {
    const message = `The ${heads.length} sealed heads do not give the root of seal ${String(no)}, the newest valid one: a head was changed, or seal ${Number(no) + 1} is missing.`;
    reportOf(null)('sealed_head', { no: Number(no) }, 'SEAL', message);
    for (const { id, slug } of await inspection.machinesWithoutHead(Number(svcond), Number(MAX_NAMED)))
      reportOf(slug)(
        'sealed_head',
        { machine_id: id },
        'SEAL',
        `The machine is older than seal ${String(no)}, but its sealed head is missing.`,
      );
  }
  for (const head of different) await reportHead(inspection, head, isConfirmed, reportOf(head.slug));
}

function isUnchanged(head: InspectedHead): boolean {
  const { machine_id, genesis_hash, head_hash, actual_id, actual_genesis_hash, actual_hash } = head;
  return machine_id === actual_id && genesis_hash === actual_genesis_hash && head_hash === actual_hash;
}

/** @param isConfirmed  whether slug, first row and last row are what the node signed */
async function reportHead(
  inspection: NodeInspection,
  head: InspectedHead,
  isConfirmed: boolean,
  report: ReportFault,
): Promise<void> {
  const { machine_id, slug, genesis_hash, seq, head_hash } = head;
  const { actual_id, actual_genesis_hash, actual_seq, actual_hash } = head;
  const machine = ['machine', { id: machine_id, slug }] as const;
  const entry = ['sealed_head', { machine_id }] as const;
  if (!isConfirmed) report(...entry, 'SEAL', 'The machine, its first row or its row of this number is another one.');
  else if (actual_id === null) report(...machine, 'SEAL', 'The machine was sealed and is missing.', 'id');
  else if (actual_id !== machine_id) report(...entry, 'SAID', `The id of ${slug} is ${actual_id}.`, 'machine_id');
  else if (actual_genesis_hash !== genesis_hash)
    report(...machine, 'SEAL', 'The first row is not the one that was sealed.', 'genesis_hash');
  else {
    const sealedSeq = await inspection.seqOf(machine_id, head_hash);
    if (sealedSeq !== undefined)
      report(...entry, 'SAID', `seq is ${seq}; the sealed row has the number ${sealedSeq}.`, 'seq');
    else if (actual_hash === null) {
      const first = Math.min(Number(actual_seq) + 1, Number(seq));
      report(
        'audit',
        { seq: first },
        'SEAL',
        `Rows ${first} to ${seq} were sealed and are missing: rows were dropped.`,
      );
    } else report('audit', { seq: Number(seq) }, 'SEAL', 'The row is not the sealed one: history was rewritten.');
  }
}

/** Checks the rows of the node's machine that record seals. */
export class SealRecordsCheck {
  readonly #inspection: NodeInspection;
  readonly #report: ReportFault;
  readonly #records = new Map<string, SealPayload & { readonly seq: number }>();

  constructor(inspection: NodeInspection, report: ReportFault) {
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type !== 'node_seal' || row.actor !== SYSTEM_ACTOR) return;
    const { no, sha256 } = payloadOf(row) as Partial<SealPayload>;
    if (no !== undefined && sha256 !== undefined) this.#records.set(String(no), { no, sha256, seq: row.seq });
  }

  async finish(): Promise<void> {
    if (this.#records.size === 0) return;
    let after: string | undefined;
    for (;;) {
      const seals = await this.#inspection.seals(after, BATCH_SIZE);
      for (const { no, envelope } of seals) {
        const record = this.#records.get(no);
        this.#records.delete(no);
        const { payload } = parseEnvelope(envelope) ?? {};
        if (record === undefined || payload === undefined || sha256Hex(payload) === record.sha256) continue;
        const message = `The seal is not the one that row ${record.seq} of the node's machine records.`;
        this.#report('node_seal', { no }, 'SEAL', message, 'envelope');
      }
      after = seals.at(-1)?.no;
      if (seals.length < BATCH_SIZE) break;
    }
    for (const [no, { seq }] of this.#records) {
      const message = `Row ${seq} of the node's machine records this seal, but it is missing.`;
      this.#report('node_seal', { no }, 'GAP', message, 'no');
    }
  }
}

/** @returns the signed payload; undefined if the envelope is invalid */
function checkSeal(
  { no, svcond, machines, root, envelope }: InspectedSeal,
  keys: readonly Uint8Array[] | undefined,
  report: ReportFault,
): SignedSeal | undefined {
  const entry = ['node_seal', { no }] as const;
  const parsed = parseEnvelope(envelope);
  if (parsed === undefined) {
    report(...entry, 'SIGNATURE', 'envelope is not a valid DSSE envelope.', 'envelope');
    return undefined;
  }
  const { payload } = parsed;
  const isSigned = keys === undefined || isEnvelopeSigned(SEAL_TYPE, parsed, keys);
  if (!isSigned) report(...entry, 'SIGNATURE', 'envelope is not signed by a key of this node.', 'envelope');
  const fields = payloadOf({ payload_text: new TextDecoder().decode(payload) });
  const isSame = reportUnequal(report, entry, 'envelope', [
    ['no', no, fields.no],
    ['svcond', svcond, fields.svcond],
    ['machines', machines, fields.machines],
    ['root', root, fields.root],
  ]);
  return { fields, sha256: sha256Hex(payload), isSound: isSigned && isSame };
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

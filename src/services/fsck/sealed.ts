// Opens every column that is sealed under the master key. The seal authenticates the key of its row, so content of
// another row, or of another column, does not open.

import { canonicalJson } from '../../core/canonical-json.ts';
import { tickOf } from '../../core/clock.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { SealedAnswer, SealedEpoch, SealedInspection } from '../../storage/fsck/sealed.ts';
import { unframed } from '../../storage/node/idempotency.ts';
import { anchorKeyContext } from '../anchors/keys.ts';
import { keptSampleContext } from '../engine/kept-samples.ts';
import { segmentContext } from '../engine/window-segments.ts';
import { avatarName } from '../machines/tally/tally.ts';
import { effectContext, openAnswer } from '../node/idempotency.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { secretContext } from '../node/secret-ring.ts';
import { webhookSecretContext } from '../webhooks/secrets.ts';
import { type FsckFault, type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';
import { isNearTime } from './times.ts';
import { paginate } from './unreadable-rows.ts';

/** Rows of the chain whose payloads are kept. */
const SAMPLE_TYPES: ReadonlySet<string | null> = new Set(['event', 'emit', 'reading']);

/** Missing epochs that are reported singly. */
const MAX_GAP = 10;

type Entry = readonly [table: string, key: FsckFault['key']];

export class SealedCheck {
  readonly #inspection: SealedInspection;
  readonly #box: SealedBox | undefined;
  readonly #report: ReportFault;

  /** @param box  undefined without the master key: seals are not opened */
  constructor(inspection: SealedInspection, box: SealedBox | undefined, report: ReportFault) {
    this.#inspection = inspection;
    this.#box = box;
    this.#report = report;
  }

  async run(): Promise<void> {
    await this.#checkSecrets();
    for await (const { machine_id, epoch, sealed } of paginate(this.#inspection.anchorKeys, atOf))
      this.#open(['anchor_key', { machine_id, epoch }], 'sealed', anchorKeyContext(machine_id, epoch), sealed);
    await this.#checkSamples();
    await this.#checkSegments();
    for await (const { machine_id, sha256, sealed } of paginate(this.#inspection.avatars, atOf)) {
      const entry: Entry = ['tally_avatar', { machine_id }];
      const content = this.#open(entry, 'sealed', avatarName(machine_id), sealed);
      if (content !== undefined && sha256Hex(content) !== sha256)
        this.#report(...entry, 'SEALED', `sha256 is ${sha256}; that of the picture is another.`, 'sha256');
    }
    await this.#checkAnswers();
  }

  /** @returns the content; undefined if it does not open, which is reported, or without the master key */
  #open([table, key]: Entry, column: string, name: string, sealed: Uint8Array): Uint8Array | undefined {
    try {
      return this.#box?.open(name, sealed);
    } catch {
      this.#report(table, key, 'SEALED', `${column} does not open under the master key.`, column);
      return undefined;
    }
  }

  #openAnswer(entry: Entry, { principal, key, route, body_sha256, status, headers }: SealedAnswer, body: Uint8Array) {
    const facts = { principal, key, route, bodySha256: body_sha256, status: status ?? 0, headers: headers ?? '' };
    try {
      if (this.#box !== undefined) openAnswer(this.#box, facts, body);
    } catch {
      const message = 'The answer does not open under the master key with its route, request, status and headers.';
      this.#report(...entry, 'SEALED', message, 'body');
    }
  }

  async #checkSecrets(): Promise<void> {
    const first: number[] = [];
    for await (const secret of paginate(this.#inspection.nodeSecrets, atOf)) {
      const { owner, epoch, sealed, created } = secret;
      const entry: Entry = ['secret_epoch', { purpose: owner, epoch }];
      this.#open(entry, 'ciphertext', secretContext(owner as 'seal', epoch), sealed);
      this.#checkEpoch(entry, secret);
      if (epoch === 1) first.push(Number(created));
    }
    await this.#checkGenesis(first);
    for await (const secret of paginate(this.#inspection.webhookSecrets, atOf)) {
      const { owner, epoch, sealed } = secret;
      const entry: Entry = ['webhook_secret', { machine_id: owner, epoch }];
      this.#open(entry, 'sealed', webhookSecretContext(owner, epoch), sealed);
      this.#checkEpoch(entry, secret);
    }
  }

  /** Each epoch is retired when the next one is created. If the times differ, either may be wrong. */
  #checkEpoch([table, key]: Entry, { epoch, retired, previous, next_created }: SealedEpoch): void {
    for (let missing = (previous ?? 0) + 1; missing < Math.min(epoch, (previous ?? 0) + MAX_GAP); missing++)
      this.#report(table, { ...key, epoch: missing }, 'GAP', 'The epoch is missing.', 'epoch');
    if (retired === next_created) return;
    if (next_created === null)
      this.#report(
        table,
        { ...key, epoch: epoch + 1 },
        'GAP',
        `The epoch is missing: epoch ${epoch} was retired.`,
        'epoch',
      );
    const message = `Epoch ${epoch} must be retired when epoch ${epoch + 1} is created.`;
    this.#report(table, key, 'SAID', message, 'retired_at');
    if (next_created !== null) this.#report(table, { ...key, epoch: epoch + 1 }, 'SAID', message, 'created_at');
  }

  /** The first secrets and the fact `genesis` are of the first start. @param created  milliseconds since 1970 */
  async #checkGenesis(created: readonly number[]): Promise<void> {
    const text = await this.#inspection.genesis();
    const entry: Entry = ['node', { key: 'genesis' }];
    if (text === undefined) {
      if (created.length > 0) this.#report(...entry, 'SAID', 'The first start of the node is not recorded.', 'key');
      return;
    }
    const genesis = (tryParseJson(text) ?? {}) as { readonly tick?: unknown; readonly unixMs?: unknown };
    const { tick, unixMs } = genesis;
    const isExact =
      typeof unixMs === 'number' && Number.isSafeInteger(unixMs) && JSON.stringify({ tick, unixMs }) === text;
    if (!isExact || Math.abs(tickOf(BigInt(unixMs) * 1_000_000n) - Number(tick)) > 1)
      this.#report(...entry, 'SAID', `value is ${text}; a tick and its time are expected.`, 'value');
    const far = created.filter((ms) => !isNearTime(ms, Number(unixMs)));
    if (far.length === created.length && far.length > 0)
      this.#report(...entry, 'SAID', 'The first secrets were not created at the first start.', 'value');
    else if (far.length > 0)
      this.#report(
        'secret_epoch',
        { epoch: 1 },
        'SAID',
        'created_at is not the first start of the node.',
        'created_at',
      );
  }

  async #checkSamples(): Promise<void> {
    for await (const sample of paginate(this.#inspection.samples, atOf)) {
      const { machine_id, seq, svcond, until_svcond, sealed, row_type, row_svcond } = sample;
      const entry: Entry = ['kept_sample', { machine_id, seq }];
      const content = this.#open(entry, 'sealed', keptSampleContext(machine_id, Number(seq)), sealed);
      const text = content && Buffer.from(content).toString();
      if (text !== undefined && canonicalJson(tryParseJson(text) ?? null) !== text)
        this.#report(...entry, 'SEALED', 'The content is not canonical JSON.', 'sealed');
      if (!SAMPLE_TYPES.has(row_type))
        this.#report(...entry, 'SAID', `Row ${seq} is ${row_type ?? 'missing'}, not a sample.`, 'seq');
      else reportUnequal(this.#report, entry, `row ${seq}`, [['svcond', svcond, row_svcond]]);
      if (BigInt(until_svcond) < BigInt(svcond))
        this.#report(...entry, 'SAID', `until_svcond is ${until_svcond}, before the sample.`, 'until_svcond');
    }
  }

  /** What a segment holds follows from the rows; the seal shows that a node of this master key found it there. */
  async #checkSegments(): Promise<void> {
    for await (const segment of paginate(this.#inspection.segments, atOf)) {
      const { machine_id: machineId, from_seq, to_seq, until_svcond, sealed, previous, head_seq } = segment;
      const entry: Entry = ['window_segment', { machine_id: machineId, to_seq }];
      const [fromSeq, toSeq, until] = [from_seq, to_seq, until_svcond].map(Number) as [number, number, number];
      this.#open(entry, 'sealed', segmentContext({ machineId, fromSeq, toSeq, until }), sealed);
      if (previous !== null && previous !== from_seq) {
        const message = `It follows row ${from_seq}; the one before ends at row ${previous}.`;
        this.#report(...entry, 'GAP', message, 'from_seq');
        const missing = `The segment is missing; the next one ends at row ${to_seq}.`;
        this.#report(entry[0], { ...entry[1], to_seq: from_seq }, 'GAP', missing, 'to_seq');
      }
      if (head_seq !== null && toSeq > Number(head_seq))
        this.#report(...entry, 'SAID', `It ends at row ${to_seq}; the last row is ${head_seq}.`, 'to_seq');
    }
  }

  async #checkAnswers(): Promise<void> {
    for await (const answer of paginate(this.#inspection.answers, atOf)) {
      const { principal, key, state, body, outcomes } = answer;
      const entry: Entry = ['idempotency', { principal, key }];
      if (body !== null) {
        this.#openAnswer(entry, answer, body);
        if (state !== 'done') this.#report(...entry, 'SAID', `state is ${state}, but there is an answer.`, 'state');
      }
      for (const sealed of framesOf(outcomes) ?? [new Uint8Array()])
        this.#open(entry, 'outcomes', effectContext(principal, key), sealed);
    }
  }
}

const atOf = ({ at }: { readonly at: string }) => at;

/** Undefined if a frame is incomplete. */
function framesOf(outcomes: Uint8Array | null): readonly Uint8Array[] | undefined {
  if (outcomes === null) return [];
  try {
    return unframed(Buffer.from(outcomes));
  } catch {
    return undefined;
  }
}

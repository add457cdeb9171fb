// Checks the scheduled anchors of one machine: its anchor keys and settings, the state of each mother, and the
// cosignatures of its witnesses.

import { payloadOf } from '../../chain/bundle.ts';
import { cosignatureTime } from '../../chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey, signaturesBy, type VerifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Witness } from '../../storage/anchors/settings.ts';
import type {
  AnchorInspection,
  InspectedAnchorConfig,
  InspectedAnchorKey,
  InspectedMother,
  InspectedWitness,
} from '../../storage/fsck/anchors.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';
import { latestTick, mayBeTickOf, type RowTick } from './times.ts';

const TABLES = ['anchored', 'anchor_key', 'anchor_config', 'anchor_mother', 'anchor_witness'];

/** A chain row that created an anchor key. */
interface KeyRow {
  readonly row: Row;
  readonly isOnTime: RowTick['isOnTime'];
}

export class AnchorSettingsCheck {
  readonly #machineId: string;
  readonly #nowMs: number;
  readonly #inspection: AnchorInspection;
  readonly #report: ReportFault;
  readonly #keyRows: KeyRow[] = [];
  #configCount = 0;
  #newestConfig: Row | undefined;
  #svcond = -1;

  constructor(machineId: string, nowMs: number, inspection: AnchorInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#nowMs = nowMs;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type === 'anchor_key') this.#keyRows.push({ row, isOnTime: row.svcond > this.#svcond });
    if (row.type === 'anchor_config') {
      this.#configCount++;
      this.#newestConfig = row;
    }
    this.#svcond = row.svcond;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const isUsed = this.#keyRows.length > 0 || this.#configCount > 0;
    if (!isUsed && !TABLES.some((table) => tables.has(table))) return;
    const keys = await this.#inspection.keys(this.#machineId);
    this.#checkKeys(keys);
    const newestEpoch = keys.at(-1)?.epoch ?? 0;
    for (const state of await this.#inspection.motherStates(this.#machineId)) this.#checkMother(state, newestEpoch);
    const config = await this.#inspection.config(this.#machineId);
    const witnesses = config === undefined ? [] : await this.#checkConfig(config);
    if (config === undefined && this.#newestConfig !== undefined)
      this.#configFault(`Row ${this.#newestConfig.seq} set the settings, but they are missing.`);
    await this.#checkWitnesses(config, witnesses);
  }

  /** Checks that keys and their rows match one to one. */
  #checkKeys(keys: readonly InspectedAnchorKey[]): void {
    const unmatched = new Map(keys.map((key) => [key.epoch, key]));
    for (const [i, { row, isOnTime }] of this.#keyRows.entries()) {
      const { epoch: payloadEpoch } = payloadOf(row);
      const epoch = typeof payloadEpoch === 'number' ? payloadEpoch : i + 1;
      const key = unmatched.get(epoch);
      unmatched.delete(epoch);
      if (key === undefined) {
        this.#report('anchor_key', { epoch }, 'SAID', `Row ${row.seq} created this key, but it is missing.`, 'epoch');
        continue;
      }
      const created = Number(key.created_svcond);
      if (!mayBeTickOf(created, { svcond: row.svcond, isOnTime }))
        reportUnequal(this.#report, ['anchor_key', { epoch }], `row ${row.seq}`, [
          ['created_svcond', created, row.svcond],
        ]);
    }
    for (const epoch of unmatched.keys())
      this.#report('anchor_key', { epoch }, 'SAID', 'No row of the chain created this key.', 'epoch');
  }

  /** A mother's state may be one anchor behind, since it is updated after the child's row. */
  #checkMother(state: InspectedMother, newestEpoch: number): void {
    const { mother_id, has_state, epoch, size, newest, before, pseudonyms } = state;
    const fault = (message: string, column: string) =>
      this.#report('anchor_mother', { mother_id }, 'SAID', message, column);
    if (!has_state) {
      if (before !== null)
        fault(`A tree of ${newest} rows was anchored in this mother, but its state is missing.`, 'mother_id');
      return;
    }
    if (size !== (newest ?? '0') && size !== (before ?? '0'))
      fault(`size is ${size}; the largest tree anchored in this mother has ${newest ?? '0'} rows.`, 'size');
    else if (epoch !== null && size === '0')
      fault(`size is 0; the mother knows the pseudonym of epoch ${epoch}.`, 'size');
    if (epoch === null && size !== '0')
      fault(`epoch is null; a tree of ${size} rows was anchored in this mother.`, 'epoch');
    else if (epoch !== null && (newest === null || epoch < Math.max(1, pseudonyms) || epoch > newestEpoch)) {
      const message = `epoch is ${epoch}; the mother knows ${pseudonyms} pseudonyms, and the machine has ${newestEpoch} keys.`;
      fault(message, 'epoch');
    }
  }

  #configFault(message: string, column?: string): void {
    this.#report('anchor_config', { machine_id: this.#machineId }, 'SAID', message, column);
  }

  /** @returns the configured witnesses; none if the column cannot be parsed */
  async #checkConfig(config: InspectedAnchorConfig): Promise<readonly Witness[]> {
    const { version, set_by, every_ticks, due_tick } = config;
    const mothers = parseList<string>(config.mothers, (slug) => typeof slug === 'string');
    const witnesses = parseList<Witness>(config.witnesses, isWitness);
    const newest = this.#newestConfig;
    if (newest === undefined) this.#configFault('No row of the chain set these settings.');
    else {
      const payload = payloadOf(newest);
      const isReadable = newest.payload_text !== undefined;
      reportUnequal(this.#report, ['anchor_config', { machine_id: this.#machineId }], `row ${newest.seq}`, [
        ['version', version, isReadable ? payload.version : this.#configCount],
        ['set_by', set_by, newest.actor],
        ...(isReadable ? ([['every_ticks', every_ticks, payload.every_ticks]] as const) : []),
      ]);
      if (isReadable && mothers?.length !== payload.mothers)
        this.#configFault(
          `mothers has ${mothers?.length} entries; row ${newest.seq} says ${String(payload.mothers)}.`,
          'mothers',
        );
      if (isReadable && witnesses?.length !== payload.witnesses)
        this.#configFault(
          `witnesses has ${witnesses?.length} entries; row ${newest.seq} says ${String(payload.witnesses)}.`,
          'witnesses',
        );
    }
    if (mothers === undefined) this.#configFault('mothers is not a valid list of slugs.', 'mothers');
    if (witnesses === undefined) this.#configFault('witnesses is not a valid list of witnesses.', 'witnesses');
    const existing = await this.#inspection.slugsAmong(mothers ?? []);
    for (const [i, slug] of (mothers ?? []).entries()) {
      if (!existing.has(slug)) this.#configFault(`mothers names ${slug}; machine not found.`, 'mothers');
      else if (mothers?.indexOf(slug) !== i) this.#configFault(`mothers names ${slug} twice.`, 'mothers');
    }
    const isIdle = mothers?.length === 0 && witnesses?.length === 0;
    if (mothers && witnesses && isIdle !== (due_tick === null)) {
      const expected = isIdle ? 'null, since there are no mothers and no witnesses' : 'a tick';
      this.#configFault(`due_tick is ${due_tick}; it must be ${expected}.`, 'due_tick');
    }
    if (due_tick !== null) this.#checkDueTick(Number(due_tick), Number(every_ticks));
    return witnesses ?? [];
  }

  /** Anchors become due when they are set, and then in each period. */
  #checkDueTick(due: number, every: number): void {
    const first = (this.#newestConfig?.svcond ?? 0) - LIMITS.clock.aheadTicks;
    const last = latestTick(this.#nowMs) + every;
    if (due < first || due > last)
      this.#configFault(`due_tick is ${due}; it must be between ${first} and ${last}.`, 'due_tick');
  }

  async #checkWitnesses(config: InspectedAnchorConfig | undefined, configured: readonly Witness[]): Promise<void> {
    // Earlier settings may have named other witnesses, or the same ones with other keys.
    const isFirstVersion = this.#configCount === 1 && config !== undefined;
    for (const witness of await this.#inspection.witnesses(this.#machineId)) {
      const { url } = witness;
      const match = configured.find((entry) => entry.url === url);
      if (match === undefined && isFirstVersion) {
        // Either table may be wrong, so both are reported.
        const message = `anchor_witness has ${url}, which is not in the settings.`;
        this.#report('anchor_witness', { url }, 'SAID', message, 'url');
        this.#configFault(message, 'witnesses');
      }
      this.#checkCosignature(witness, match && parseVerifierKey(match.verifier_key), isFirstVersion);
    }
  }

  /** @param isOnlyKey  whether the witness never had another key */
  #checkCosignature(
    { url, size, cosignature, note }: InspectedWitness,
    key: VerifierKey | undefined,
    isOnlyKey: boolean,
  ): void {
    const entry = ['anchor_witness', { url }] as const;
    if (cosignature === null) {
      if (size !== '0') this.#report(...entry, 'SAID', `size is ${size}; the cosignature is missing.`, 'cosignature');
      return;
    }
    if (note === null) {
      this.#report(...entry, 'CHECKPOINT', `size is ${size}; no checkpoint has this size.`, 'size');
      return;
    }
    const isLine = cosignature.indexOf('\n') === cosignature.length - 1;
    const cosigned = isLine ? parseCheckpoint(`${note}${cosignature}`) : undefined;
    if (cosigned === undefined) {
      this.#report(...entry, 'SIGNATURE', 'cosignature is not a line of a signed note.', 'cosignature');
      return;
    }
    if (key === undefined) return;
    const { name, publicKey } = key;
    const isByKey = isOnlyKey || signaturesBy(cosigned, name, publicKey, 'cosignature').length > 0;
    if (isByKey && cosignatureTime(cosigned, name, publicKey) === undefined)
      this.#report(
        ...entry,
        'SIGNATURE',
        `cosignature is not a signature by ${name} of the checkpoint of size ${size}.`,
        'cosignature',
      );
  }
}

/** Parses a list stored as compact JSON; undefined for anything else. */
function parseList<Item>(text: string, isItem: (value: unknown) => boolean): readonly Item[] | undefined {
  const list = tryParseJson(text);
  return Array.isArray(list) && list.every(isItem) && JSON.stringify(list) === text ? (list as Item[]) : undefined;
}

function isWitness(value: unknown): boolean {
  const { url, verifier_key: key } = (value ?? {}) as Partial<Witness>;
  return typeof url === 'string' && typeof key === 'string' && parseVerifierKey(key)?.algorithm === 'cosignature';
}

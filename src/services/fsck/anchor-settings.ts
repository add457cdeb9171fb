// What a machine keeps for being anchored by itself: its anchor keys and settings, how far each mother has come, and what
// its witnesses cosigned.

import { payloadOf } from '../../chain/bundle.ts';
import { cosignedAt } from '../../chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey, signaturesUnder, type VerifierKey } from '../../chain/note.ts';
import type { Row } from '../../chain/row.ts';
import type { Witness } from '../../storage/anchors/settings.ts';
import type {
  AnchorInspection,
  InspectedAnchorConfig,
  InspectedAnchorKey,
  InspectedMother,
  InspectedWitness,
} from '../../storage/fsck/anchors.ts';
import { type Find, findUnequal } from './faults.ts';
import { parsed } from './rows.ts';

const TABLES = ['anchored', 'anchor_key', 'anchor_config', 'anchor_mother', 'anchor_witness'];

/** A row of the chain that made an anchor key. */
interface MadeKey {
  readonly row: Row;
  /** Its tick is that of the clock, not of the row before, behind which the clock stood. */
  readonly isOnTime: boolean;
}

export class AnchorSettingsCheck {
  readonly #machineId: string;
  readonly #inspection: AnchorInspection;
  readonly #find: Find;
  readonly #made: MadeKey[] = [];
  #changes = 0;
  #newest: Row | undefined;
  #svcond = -1;

  constructor(machineId: string, inspection: AnchorInspection, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    if (row.type === 'anchor_key') this.#made.push({ row, isOnTime: row.svcond > this.#svcond });
    if (row.type === 'anchor_config') {
      this.#changes++;
      this.#newest = row;
    }
    this.#svcond = row.svcond;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const isUsed = this.#made.length > 0 || this.#changes > 0;
    if (!isUsed && !TABLES.some((table) => tables.has(table))) return;
    const keys = await this.#inspection.keys(this.#machineId);
    this.#checkKeys(keys);
    const newestEpoch = keys.at(-1)?.epoch ?? 0;
    for (const state of await this.#inspection.motherStates(this.#machineId)) this.#checkMother(state, newestEpoch);
    const config = await this.#inspection.config(this.#machineId);
    const witnesses = config === undefined ? [] : await this.#checkConfig(config);
    if (config === undefined && this.#newest !== undefined)
      this.#configFault(`Row ${this.#newest.seq} set it, and it is not there.`);
    await this.#checkWitnesses(config, witnesses);
  }

  /** Every key has its row, which counts as they do. */
  #checkKeys(keys: readonly InspectedAnchorKey[]): void {
    const left = new Map(keys.map((key) => [key.epoch, key]));
    for (const [i, { row, isOnTime }] of this.#made.entries()) {
      const { epoch: told } = payloadOf(row);
      const epoch = typeof told === 'number' ? told : i + 1;
      const key = left.get(epoch);
      left.delete(epoch);
      if (key === undefined) {
        this.#find('anchor_key', { epoch }, 'SAID', `Row ${row.seq} made this key, and it is not there.`, 'epoch');
        continue;
      }
      const made = Number(key.created_svcond);
      if (isOnTime ? made !== row.svcond : made > row.svcond)
        findUnequal(this.#find, ['anchor_key', { epoch }], `row ${row.seq}`, [['created_svcond', made, row.svcond]]);
    }
    for (const epoch of left.keys())
      this.#find('anchor_key', { epoch }, 'SAID', 'No row of the chain made this key.', 'epoch');
  }

  /** She knows what was anchored last, or what was before it: the last may just have been noted. */
  #checkMother(state: InspectedMother, newestEpoch: number): void {
    const { mother_id, is_there, epoch, size, newest, before, pseudonyms } = state;
    const fault = (message: string, column: string) =>
      this.#find('anchor_mother', { mother_id }, 'SAID', message, column);
    if (!is_there) {
      if (before !== null) fault(`A tree of ${newest} rows was anchored in her, and she is not there.`, 'mother_id');
      return;
    }
    if (size !== (newest ?? '0') && size !== (before ?? '0'))
      fault(`size is ${size}; the largest tree that was anchored in her has ${newest ?? '0'} rows.`, 'size');
    else if (epoch !== null && size === '0') fault(`size is 0; she knows the pseudonym of epoch ${epoch}.`, 'size');
    if (epoch === null && size !== '0') fault(`epoch is null; a tree of ${size} rows was anchored in her.`, 'epoch');
    else if (epoch !== null && (newest === null || epoch < Math.max(1, pseudonyms) || epoch > newestEpoch)) {
      const message = `epoch is ${epoch}; she knows ${pseudonyms} pseudonyms, and the machine has ${newestEpoch} keys.`;
      fault(message, 'epoch');
    }
  }

  #configFault(message: string, column?: string): void {
    this.#find('anchor_config', { machine_id: this.#machineId }, 'SAID', message, column);
  }

  /** @returns the witnesses that are set, as far as they can be read */
  async #checkConfig(config: InspectedAnchorConfig): Promise<readonly Witness[]> {
    const { version, set_by, every_ticks, due_tick } = config;
    const mothers = listOf<string>(config.mothers, (one) => typeof one === 'string');
    const witnesses = listOf<Witness>(config.witnesses, isWitness);
    const newest = this.#newest;
    if (newest === undefined) this.#configFault('No row of the chain set it.');
    else {
      const said = payloadOf(newest);
      const isRead = newest.payload_text !== undefined;
      findUnequal(this.#find, ['anchor_config', { machine_id: this.#machineId }], `row ${newest.seq}`, [
        ['version', version, isRead ? said.version : this.#changes],
        ['set_by', set_by, newest.actor],
        ...(isRead ? ([['every_ticks', every_ticks, said.every_ticks]] as const) : []),
      ]);
      if (isRead && mothers?.length !== said.mothers)
        this.#configFault(`mothers are not the ${String(said.mothers)} that row ${newest.seq} says.`, 'mothers');
      if (isRead && witnesses?.length !== said.witnesses)
        this.#configFault(`witnesses are not the ${String(said.witnesses)} that row ${newest.seq} says.`, 'witnesses');
    }
    if (mothers === undefined) this.#configFault('mothers is no list of slugs as it was written.', 'mothers');
    if (witnesses === undefined) this.#configFault('witnesses is no list of witnesses as it was written.', 'witnesses');
    const known = await this.#inspection.slugsAmong(mothers ?? []);
    for (const [i, slug] of (mothers ?? []).entries()) {
      if (!known.has(slug)) this.#configFault(`mothers names ${slug}; there is no such machine.`, 'mothers');
      else if (mothers?.indexOf(slug) !== i) this.#configFault(`mothers names ${slug} twice.`, 'mothers');
    }
    const isIdle = mothers?.length === 0 && witnesses?.length === 0;
    if (mothers && witnesses && isIdle !== (due_tick === null)) {
      const expected = isIdle ? 'null, since there is nobody to be anchored in' : 'a tick';
      this.#configFault(`due_tick is ${due_tick}; it should be ${expected}.`, 'due_tick');
    }
    return witnesses ?? [];
  }

  async #checkWitnesses(config: InspectedAnchorConfig | undefined, set: readonly Witness[]): Promise<void> {
    // Settings that were changed may have named others, or the same ones with other keys.
    const areFirst = this.#changes === 1 && config !== undefined;
    for (const witness of await this.#inspection.witnesses(this.#machineId)) {
      const { url } = witness;
      const named = set.find((one) => one.url === url);
      if (named === undefined && areFirst) {
        // Nothing says which of the two is right.
        const message = `anchor_witness has ${url}, which the settings never named.`;
        this.#find('anchor_witness', { url }, 'SAID', message, 'url');
        this.#configFault(message, 'witnesses');
      }
      this.#checkCosignature(witness, named && parseVerifierKey(named.verifier_key), areFirst);
    }
  }

  /** @param isItsKey  whether it was this key all along */
  #checkCosignature(
    { url, size, cosignature, note }: InspectedWitness,
    key: VerifierKey | undefined,
    isItsKey: boolean,
  ): void {
    const place = ['anchor_witness', { url }] as const;
    if (cosignature === null) {
      if (size !== '0') this.#find(...place, 'SAID', `size is ${size}, and nothing was cosigned.`, 'cosignature');
      return;
    }
    if (note === null) {
      this.#find(...place, 'CHECKPOINT', `size is ${size}; there is no checkpoint of this size.`, 'size');
      return;
    }
    const isLine = cosignature.indexOf('\n') === cosignature.length - 1;
    const cosigned = isLine ? parseCheckpoint(`${note}${cosignature}`) : undefined;
    if (cosigned === undefined) {
      this.#find(...place, 'SIGNATURE', 'cosignature is no line of a signed note.', 'cosignature');
      return;
    }
    if (key === undefined) return;
    const { name, publicKey } = key;
    const isByIt = isItsKey || signaturesUnder(cosigned, name, publicKey, 'cosignature').length > 0;
    if (isByIt && cosignedAt(cosigned, name, publicKey) === undefined)
      this.#find(
        ...place,
        'SIGNATURE',
        `cosignature is not by ${name} under the checkpoint of ${size}.`,
        'cosignature',
      );
  }
}

/** A list as it was written; undefined for anything else. */
function listOf<One>(text: string, isOne: (value: unknown) => boolean): readonly One[] | undefined {
  const list = parsed(text);
  return Array.isArray(list) && list.every(isOne) && JSON.stringify(list) === text ? (list as One[]) : undefined;
}

function isWitness(value: unknown): boolean {
  const { url, verifier_key: key } = (value ?? {}) as Partial<Witness>;
  return typeof url === 'string' && typeof key === 'string' && parseVerifierKey(key)?.algorithm === 'cosignature';
}

// Checks status, settings and sealing keys of one machine against its chain: the first row states them, and each later
// change is a row.

import { payloadOf } from '../../chain/bundle.ts';
import { type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { InspectedMachine, MachineInspection } from '../../storage/fsck/machines.ts';
import { isStatedSettings, type StatedSettings } from '../machines/stated-settings.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';

/** Rows that say something about status or settings. */
const SETTING_TYPES: ReadonlySet<string> = new Set(['genesis', 'status', 'settings']);

export class SettingsCheck {
  readonly #machine: InspectedMachine;
  readonly #inspection: MachineInspection;
  readonly #report: ReportFault;
  /** Undefined after a change that cannot be read. */
  #status: string | undefined = 'active';
  /** Empty after a change that cannot be read. */
  #settings: Partial<StatedSettings> = {};
  #version = 0;
  /** Newest readable row that states all settings. */
  #statedSeq: number | undefined;
  /** Stated sealing keys, with the identity that set each; undefined if a later row of the system states it first. */
  readonly #keys = new Map<string, string | undefined>();
  #unreadable = 0;

  constructor(machine: InspectedMachine, inspection: MachineInspection, report: ReportFault) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (!SETTING_TYPES.has(row.type)) return;
    const payload = payloadOf(row);
    if (row.type === 'status') this.#status = typeof payload.to === 'string' ? payload.to : undefined;
    if (row.type === 'settings') this.#version++;
    if (row.type !== 'settings' && row.type !== 'genesis') return;
    if (row.payload_text === undefined) {
      this.#unreadable++;
      this.#settings = {};
      return;
    }
    const stated = row.type === 'genesis' ? payload.machine : payload;
    if (isStatedSettings(stated)) this.#statedSeq = row.seq;
    Object.assign(this.#settings, stated);
    const { sealingKey } = this.#settings;
    if (typeof sealingKey === 'string' && !this.#keys.has(sealingKey))
      this.#keys.set(sealingKey, row.actor === SYSTEM_ACTOR ? undefined : row.actor);
  }

  async finish(): Promise<void> {
    const { id, slug, status, settings_version, settings_seq } = this.#machine;
    reportUnequal(this.#report, ['machine', { id, slug }], 'the chain', [
      ['status', status, this.#status ?? status],
      ['settings_version', settings_version, this.#version],
      // A machine from before such rows has none until the node has appended one.
      ['settings_seq', settings_seq, this.#statedSeq ?? null],
    ]);
    this.#checkSettings();
    await this.#checkSealingKeys();
  }

  #checkSettings(): void {
    const { id, slug, name, description, is_public, settings, sealing_key } = this.#machine;
    const stored: Record<keyof StatedSettings, [string, unknown]> = {
      name: ['name', name],
      description: ['description', description],
      isPublic: ['is_public', is_public],
      settings: ['settings', tryParseJson(settings)],
      sealingKey: ['sealing_key', sealing_key],
    };
    for (const [field, [column, value]] of Object.entries(stored)) {
      const expected = this.#settings[field as keyof StatedSettings];
      if (expected !== undefined && canonicalJson(expected) !== canonicalJson(value ?? null))
        this.#report('machine', { id, slug }, 'SAID', `${column} differs from the chain.`, column);
    }
  }

  /** Each unreadable row may have stated one key. */
  async #checkSealingKeys(): Promise<void> {
    const unmatched = new Map(this.#keys);
    const unstated: string[] = [];
    for (const { public_key, zid, is_owners_salt } of await this.#inspection.sealingKeys(this.#machine.id)) {
      const fault = (message: string, column: string) => this.#keyFault(public_key, message, column);
      const owner = this.#keys.get(public_key);
      if (!unmatched.delete(public_key)) unstated.push(public_key);
      else if (owner !== undefined && owner !== zid) fault(`zid is ${zid}; the chain says ${owner}.`, 'zid');
      if (is_owners_salt !== true) fault('salt is not that of the identity.', 'salt');
      // Either may be wrong, so both are named.
      if (is_owners_salt === false)
        this.#report('identity', { zid }, 'SAID', 'salt is not that of a sealing key of the identity.', 'salt');
    }
    for (const public_key of unmatched.keys())
      this.#keyFault(public_key, 'The chain states this key, but it is missing.');
    if (unstated.length <= this.#unreadable) return;
    for (const public_key of unstated) this.#keyFault(public_key, 'No row of the chain states this key.', 'public_key');
  }

  /** The key is written as PostgreSQL does, so that it can be copied into a query. */
  #keyFault(publicKey: string, message: string, column?: string): void {
    this.#report('sealing_key', { public_key: `\\x${publicKey}` }, 'SAID', message, column);
  }
}

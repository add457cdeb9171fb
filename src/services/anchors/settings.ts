// Where a machine is anchored by itself, how often, and which witnesses are shown its checkpoints; and the doing of it.
//
// Whoever set the mothers lent their right to read them: a private mother who is closed to them later is no longer anchored in.

import { parseVerifierKey } from '../../chain/note.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { MemberRepository } from '../../storage/access/identities.ts';
import type { AnchorRepository, MotherState } from '../../storage/anchors/anchors.ts';
import {
  type AnchorConfig,
  type AnchorSettingsRepository,
  anchorConfigRows,
  type Witness,
  type WitnessState,
} from '../../storage/anchors/settings.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import { type AnchorService, codeOf } from './anchors.ts';
import type { Witnessing } from './witnessing.ts';

export interface AnchorSettings {
  /** Slugs. */
  readonly mothers: readonly string[];
  readonly every_ticks: number;
  readonly witnesses: readonly Witness[];
}

interface LastTry {
  readonly size: number;
  /** When it was last tried by itself. */
  readonly svcond: number | null;
  readonly ok: boolean;
  readonly code: string | null;
  readonly failures: number;
}

/** The settings as they are answered, and how the last tries came out. */
export interface AnchorConfigRecord extends AnchorSettings {
  readonly version: number;
  readonly due_tick: number | null;
  readonly last: readonly (LastTry & { readonly mother: string })[];
  readonly last_witnessed: readonly (LastTry & { readonly url: string; readonly cosignature: string | null })[];
}

export interface AnchorConfigOptions {
  readonly machines: MachineService;
  readonly stored: MachineRepository;
  readonly members: MemberRepository;
  readonly anchors: AnchorRepository;
  readonly settings: AnchorSettingsRepository;
  readonly service: AnchorService;
  readonly witnesses: Witnessing;
  readonly clock: Clock;
  /** A try that broke rather than being refused. */
  readonly onFailed: (error: unknown) => void;
}

const LISTED_STATES = 256;
const NOTHING: AnchorSettings = { mothers: [], every_ticks: LIMITS.chain.anchors.everyTicks, witnesses: [] };

export class AnchorConfigService {
  readonly #options: AnchorConfigOptions;
  #sweeping: Promise<number> | undefined;

  constructor(options: AnchorConfigOptions) {
    this.#options = options;
  }

  async get(child: Machine): Promise<AnchorConfigRecord> {
    const { anchors, settings, stored } = this.#options;
    const config = await settings.config(child.id);
    const states = await anchors.mothers(child.id, LISTED_STATES);
    const mothers = await stored.byIds(
      states.map(({ motherId }) => motherId),
      false,
    );
    const slugs = new Map(mothers.map(({ id, head: { slug } }) => [id, slug]));
    const { mothers: asked, every_ticks, witnesses } = config === undefined ? NOTHING : settingsOf(config);
    return {
      version: config?.version ?? 0,
      mothers: asked,
      every_ticks,
      witnesses,
      due_tick: config?.dueTick ?? null,
      last: states.flatMap((state) => {
        const mother = slugs.get(state.motherId);
        return mother !== undefined && asked.includes(mother) ? [{ mother, ...tryOf(state) }] : [];
      }),
      last_witnessed: (await settings.witnesses(child.id))
        .filter(({ url }) => witnesses.some((one) => one.url === url))
        .map((state) => ({ url: state.url, ...tryOf(state), cosignature: state.cosignature ?? null })),
    };
  }

  /** What a member is shown: those who do not manage the settings learn of no mother whom they may not see. */
  async seenBy(child: Machine, by: Principal): Promise<AnchorConfigRecord> {
    const record = await this.get(child);
    const role = await this.#options.machines.roleOf(child, by);
    if (role === 'admin' || role === 'owner') return record;
    const mothers: string[] = [];
    for (const slug of record.mothers) if (await this.#maySee(slug, by)) mothers.push(slug);
    return { ...record, mothers, last: record.last.filter(({ mother }) => mothers.includes(mother)) };
  }

  /**
   * Settings as a whole, instead of those before. What is the same stays the same version.
   *
   * @param ifVersion  the version that the caller has seen
   * @throws DomainError VALIDATION_FAILED naming the mother or witness, CONFLICT if it is another version, MACHINE_ARCHIVED
   */
  async set(child: Machine, by: Principal, given: AnchorSettings, ifVersion?: number): Promise<AnchorConfigRecord> {
    const { machines, settings } = this.#options;
    await this.#assertGood(child, by, given);
    await machines.commitAlone(child, async ({ id }, on) => {
      const before = await settings.config(id, on);
      const version = before?.version ?? 0;
      if (ifVersion !== undefined && ifVersion !== version) {
        const message = `The anchor settings are at version ${version}, not ${ifVersion}.`;
        throw new DomainError('CONFLICT', message, { facts: { current_version: version } });
      }
      if (before !== undefined && isSame(settingsOf(before), given)) return { rows: [], answer: undefined };
      // Counts only: whoever reads the chain need not be able to read the mothers.
      const { every_ticks, mothers, witnesses } = given;
      const payload = {
        version: version + 1,
        every_ticks,
        mothers: mothers.length,
        witnesses: witnesses.length,
      };
      const row = machines.row(by, 'anchor_config', 'api', payload);
      const isIdle = mothers.length === 0 && witnesses.length === 0;
      const after: AnchorConfig = {
        machineId: id,
        version: version + 1,
        mothers,
        everyTicks: every_ticks,
        witnesses,
        setBy: row.actor,
        dueTick: isIdle ? undefined : row.svcond,
      };
      return { rows: [row], writes: [into(anchorConfigRows, after)], answer: undefined };
    });
    return this.get(child);
  }

  /**
   * Anchors every machine whose time has come; witnesses are asked beside it. Those who call together wait for one.
   *
   * @returns how many mothers were tried
   */
  sweep(limit: number): Promise<number> {
    this.#sweeping ??= this.#sweep(limit).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Every witness that was to be asked so far has answered or failed. */
  async witnessed(): Promise<void> {
    await this.#options.witnesses.settled();
  }

  async #sweep(limit: number): Promise<number> {
    const { settings, stored, witnesses, clock } = this.#options;
    let tries = 0;
    for (const config of await settings.claimDue(tickOf(clock.now()), limit)) {
      for (const slug of config.mothers) {
        // Read each time: what was anchored before has moved its head.
        const [child] = await stored.byIds([config.machineId], false);
        if (child === undefined || child.status === 'archived') break;
        if (await this.#tryMother(child, slug, config.setBy)) tries++;
      }
      for (const witness of config.witnesses) witnesses.add(config.machineId, witness);
    }
    return tries;
  }

  /** @returns whether there was anything to anchor */
  async #tryMother(child: Machine, slug: string, setBy: string): Promise<boolean> {
    const { anchors, stored, service, clock } = this.#options;
    const mother = await stored.bySlug(slug);
    if (mother === undefined) return false;
    const size = (await anchors.mother(child.id, mother.id))?.size ?? 0;
    if (size > 0 && !(await anchors.hasNews(child.id, size))) return false;
    const code = (await this.#isReadable(mother, setBy))
      ? await service.anchor(child, mother, undefined).then(() => undefined, this.#codeOf)
      : 'NOT_FOUND';
    await anchors.tried(child.id, mother.id, tickOf(clock.now()), code);
    return true;
  }

  /** A defect in one try holds up no other. */
  readonly #codeOf = (error: unknown): string => {
    try {
      return codeOf(error);
    } catch {
      this.#options.onFailed(error);
      return 'INTERNAL';
    }
  };

  async #isReadable(mother: Machine, zid: string): Promise<boolean> {
    return mother.isPublic || (await this.#options.members.roleOf(mother.id, zid)) !== undefined;
  }

  async #assertGood(child: Machine, by: Principal, { mothers, witnesses }: AnchorSettings): Promise<void> {
    const details: ErrorDetail[] = [];
    const fault = (path: string, code: string, message: string) => details.push({ path, code, message });
    for (const [i, slug] of mothers.entries()) {
      const path = `mothers.${i}`;
      if (slug === child.head.slug) fault(path, 'SAME_MACHINE', `${path} is ${slug}, which is the machine itself.`);
      else if (mothers.indexOf(slug) !== i) fault(path, 'TWICE', `${path} is ${slug}, which stands there twice.`);
      else if (!(await this.#maySee(slug, by)))
        fault(path, 'NOT_FOUND', `${path} is ${slug}; there is no such machine that you may see.`);
    }
    for (const [i, { url, verifier_key }] of witnesses.entries()) {
      const path = `witnesses.${i}`;
      const isTwice = witnesses.findIndex((one) => one.url === url) !== i;
      if (isTwice) fault(`${path}.url`, 'TWICE', `${path}.url stands there twice.`);
      if (parseVerifierKey(verifier_key)?.algorithm !== 'cosignature')
        fault(`${path}.verifier_key`, 'KEY', `${path}.verifier_key is no C2SP verifier key of type 4 (cosignature).`);
    }
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', details[0]?.message ?? '', { details });
  }

  async #maySee(slug: string, by: Principal): Promise<boolean> {
    try {
      await this.#options.machines.find(slug, by, 'reader');
      return true;
    } catch (error) {
      if (codeOf(error) === 'NOT_FOUND') return false;
      throw error;
    }
  }
}

function settingsOf({ mothers, everyTicks, witnesses }: AnchorConfig): AnchorSettings {
  return { mothers, every_ticks: everyTicks, witnesses };
}

function isSame(a: AnchorSettings, b: AnchorSettings): boolean {
  const text = ({ mothers, every_ticks, witnesses }: AnchorSettings) =>
    JSON.stringify([mothers, every_ticks, witnesses.map(({ url, verifier_key }) => [url, verifier_key])]);
  return text(a) === text(b);
}

function tryOf({ size, triedSvcond, code, failures }: MotherState | WitnessState): LastTry {
  return { size, svcond: triedSvcond ?? null, ok: code === undefined, code: code ?? null, failures };
}

// Scheduled anchors: stores in which mothers a machine is anchored, how often, and which witnesses receive its
// checkpoints; and runs the schedule.
//
// Anchoring uses the read rights of the member who set the mothers. If that member loses access to a private mother,
// the machine is no longer anchored in it.

import { parseVerifierKey } from '../../chain/note.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AnchorRepository } from '../../storage/anchors/anchors.ts';
import type { MotherRepository, MotherState } from '../../storage/anchors/mothers.ts';
import {
  type AnchorConfig,
  type AnchorSettingsRepository,
  anchorConfigRows,
  type Witness,
} from '../../storage/anchors/settings.ts';
import type { AnchorWitnessRepository, WitnessState } from '../../storage/anchors/witnesses.ts';
import { into } from '../../storage/database/writer.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import { type AnchorService, codeOf } from './anchors.ts';
import type { WitnessSubmitter } from './witness-submitter.ts';

export interface AnchorSettings {
  /** Slugs. */
  readonly mothers: readonly string[];
  readonly every_ticks: number;
  readonly witnesses: readonly Witness[];
}

export interface AnchorConfigOptions {
  readonly machines: MachineService;
  readonly machineRepository: MachineRepository;
  readonly members: MemberRepository;
  readonly anchors: AnchorRepository;
  readonly settings: AnchorSettingsRepository;
  readonly motherStates: MotherRepository;
  readonly witnessStates: AnchorWitnessRepository;
  readonly service: AnchorService;
  readonly witnessSubmitter: WitnessSubmitter;
  readonly clock: Clock;
  /** Called when an attempt fails with a defect rather than a refusal. */
  readonly onError: (error: unknown) => void;
}

const MAX_STATES = 256;
const DEFAULT_SETTINGS: AnchorSettings = { mothers: [], every_ticks: LIMITS.chain.anchors.everyTicks, witnesses: [] };

export class AnchorConfigService {
  readonly #options: AnchorConfigOptions;
  #sweeping: Promise<number> | undefined;

  constructor(options: AnchorConfigOptions) {
    this.#options = options;
  }

  /** The settings, with the outcome of the last attempts. */
  async get(child: Machine) {
    const { motherStates, witnessStates, settings, machineRepository } = this.#options;
    const config = await settings.get(child.id);
    const states = await motherStates.list(child.id, MAX_STATES);
    const mothers = await machineRepository.byIds(
      states.map(({ motherId }) => motherId),
      false,
    );
    const slugs = new Map(mothers.map(({ id, head: { slug } }) => [id, slug]));
    const {
      mothers: configured,
      every_ticks,
      witnesses,
    } = config === undefined ? DEFAULT_SETTINGS : settingsOf(config);
    return {
      version: config?.version ?? 0,
      mothers: configured,
      every_ticks,
      witnesses,
      due_tick: config?.dueTick ?? null,
      last: states.flatMap((state) => {
        const mother = slugs.get(state.motherId);
        return mother !== undefined && configured.includes(mother) ? [{ mother, ...attemptOf(state) }] : [];
      }),
      last_witnessed: (await witnessStates.list(child.id))
        .filter(({ url }) => witnesses.some((witness) => witness.url === url))
        .map((state) => ({ url: state.url, ...attemptOf(state), cosignature: state.cosignature ?? null })),
    };
  }

  /** Returns the settings for a member. Members below admin do not see mothers that they may not read. */
  async getFor(child: Machine, by: Principal) {
    const record = await this.get(child);
    const role = await this.#options.machines.roleOf(child, by);
    if (role === 'admin' || role === 'owner') return record;
    const mothers: string[] = [];
    for (const slug of record.mothers) if (await this.#canRead(slug, by)) mothers.push(slug);
    return { ...record, mothers, last: record.last.filter(({ mother }) => mothers.includes(mother)) };
  }

  /**
   * Replaces the settings. Equal settings keep their version.
   *
   * @param ifVersion  version that the caller expects
   * @throws DomainError VALIDATION_FAILED naming the mother or witness, CONFLICT if the version differs,
   *   MACHINE_ARCHIVED
   */
  async set(child: Machine, by: Principal | undefined, given: AnchorSettings, ifVersion?: number) {
    const { machines, settings } = this.#options;
    await this.#assertValid(child, by, given);
    await machines.commitExclusive(child, async ({ id }, on) => {
      const before = await settings.get(id, on);
      const version = before?.version ?? 0;
      if (ifVersion !== undefined && ifVersion !== version) {
        const message = `The anchor settings are at version ${version}, not ${ifVersion}.`;
        throw new DomainError('CONFLICT', message, { facts: { current_version: version } });
      }
      if (before !== undefined && isSame(settingsOf(before), given)) return { rows: [], answer: undefined };
      // Counts only, since readers of the chain may not be allowed to read the mothers.
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

  /** Sets the witnesses of the node's own machine, which has no members who could. */
  async setWitnessesOfNode(witnesses: readonly Witness[]): Promise<void> {
    const { machines, settings } = this.#options;
    const node = await machines.getNodeMachine();
    if (witnesses.length === 0 && (await settings.get(node.id)) === undefined) return;
    await this.set(node, undefined, { ...DEFAULT_SETTINGS, witnesses });
  }

  /**
   * Anchors every due machine, and queues its checkpoints for witnesses. Concurrent calls share one run.
   *
   * @returns the number of anchor attempts
   */
  sweep(limit: number): Promise<number> {
    this.#sweeping ??= this.#sweep(limit).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Resolves when every queued submission to a witness has ended. */
  async settled(): Promise<void> {
    await this.#options.witnessSubmitter.settled();
  }

  async #sweep(limit: number): Promise<number> {
    const { settings, machineRepository, witnessSubmitter, clock } = this.#options;
    let attempts = 0;
    for (const config of await settings.claimDue(tickOf(clock.now()), limit)) {
      for (const slug of config.mothers) {
        // Read each time, since the previous anchor has moved the head.
        const [child] = await machineRepository.byIds([config.machineId], false);
        if (child === undefined || child.status === 'archived') break;
        if (await this.#anchorIn(child, slug, config.setBy)) attempts++;
      }
      for (const witness of config.witnesses) witnessSubmitter.enqueue(config.machineId, witness);
    }
    return attempts;
  }

  /** @returns false if there was nothing to anchor */
  async #anchorIn(child: Machine, slug: string, setBy: string): Promise<boolean> {
    const { anchors, motherStates, machineRepository, service, clock } = this.#options;
    const mother = await machineRepository.bySlug(slug);
    if (mother === undefined) return false;
    const size = (await motherStates.get(child.id, mother.id))?.size ?? 0;
    if (size > 0 && !(await anchors.hasUnanchoredRows(child.id, size))) return false;
    const code = (await this.#isReadable(mother, setBy))
      ? await service.anchor(child, mother, undefined, setBy).then(() => undefined, this.#codeOf)
      : 'NOT_FOUND';
    await motherStates.recordAttempt(child.id, mother.id, tickOf(clock.now()), code);
    return true;
  }

  /** Returns the code of a failure. A defect in one attempt does not stop the others. */
  readonly #codeOf = (error: unknown): string => {
    try {
      return codeOf(error);
    } catch {
      this.#options.onError(error);
      return 'INTERNAL';
    }
  };

  async #isReadable(mother: Machine, zid: string): Promise<boolean> {
    return mother.isPublic || (await this.#options.members.roleOf(mother.id, zid)) !== undefined;
  }

  async #assertValid(child: Machine, by: Principal | undefined, { mothers, witnesses }: AnchorSettings): Promise<void> {
    const details: ErrorDetail[] = [];
    const fault = (path: string, code: string, message: string) => details.push({ path, code, message });
    for (const [i, slug] of mothers.entries()) {
      const path = `mothers.${i}`;
      if (slug === child.head.slug)
        fault(path, 'SAME_MACHINE', `${path} must be another machine; ${slug} is the machine itself.`);
      else if (mothers.indexOf(slug) !== i) fault(path, 'TWICE', `${path} is a duplicate of ${slug}.`);
      else if (!(await this.#canRead(slug, by))) fault(path, 'NOT_FOUND', `${path} is ${slug}; machine not found.`);
    }
    for (const [i, { url, verifier_key }] of witnesses.entries()) {
      const path = `witnesses.${i}`;
      const isDuplicate = witnesses.findIndex((witness) => witness.url === url) !== i;
      if (isDuplicate) fault(`${path}.url`, 'TWICE', `${path}.url is a duplicate.`);
      if (parseVerifierKey(verifier_key)?.algorithm !== 'cosignature')
        fault(
          `${path}.verifier_key`,
          'KEY',
          `${path}.verifier_key is not a valid C2SP verifier key of type 4 (cosignature).`,
        );
    }
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', details[0]?.message ?? '', { details });
  }

  async #canRead(slug: string, by: Principal | undefined): Promise<boolean> {
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

/** The last scheduled attempt. */
function attemptOf({ size, triedSvcond, code, failures }: MotherState | WitnessState) {
  return { size, svcond: triedSvcond ?? null, ok: code === undefined, code: code ?? null, failures };
}

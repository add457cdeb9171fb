// Machine service: creates, finds and changes machines. Every change writes a row into the machine's chain.

import { addressOf, idHash } from '../../chain/identity.ts';
import { appendRow, emptyHead, type NewRow, SALT_BYTES, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { assertTrusted } from '../../core/clock-guard.ts';
import { DomainError } from '../../core/errors.ts';
import { uuidV7 } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import type { Identity } from '../../storage/access/identities.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into, type Write } from '../../storage/database/writer.ts';
import { ROLES, type Role } from '../../storage/machines/access/members.ts';
import type { Committed, Decide, Ledger } from '../../storage/machines/ledger.ts';
import {
  assertNotArchived,
  DEFAULT_ACCEPT_ANCHORS,
  type Machine,
  type MachinePatch,
  type MachineStatus,
} from '../../storage/machines/machines.ts';
import { type SealingKey, sealingKeyRows } from '../../storage/machines/sealing-keys.ts';
import { earlierOutcome, markCurrentEffect } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccessService, Principal, Scope } from '../access/access.ts';
import { type NewIdentity, newIdentity, ownerCommitOf } from '../access/identity.ts';
import type { KeyService } from '../access/keys.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import { KeyedMutex } from '../node/keyed-mutex.ts';
import type { PayloadKeys } from './sealing/payload-keys.ts';
import { type StatedSettings, statedSettings } from './stated-settings.ts';

const POLICY = 'v1';

export interface MachineRequest {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Private unless it says so. */
  readonly is_public?: boolean | undefined;
  /** The owner's equation, for a private machine with sealed payloads. */
  readonly equation?: string | undefined;
  /** Whether payloads are sealed; by default with an equation, or where privacy is asked for in words. */
  readonly sealed?: boolean | undefined;
}

/** Credentials of a new identity, shown once to the caller who created it. */
export interface NewCredentials extends NewIdentity {
  readonly key?: string;
}

/** Optional parts of a new machine. */
interface CreationOptions {
  /** Its payloads are sealed to this key. */
  readonly key?: SealingKey | undefined;
  /** A new identity of the owner, inserted in the same transaction because its equation is shown once. */
  readonly identity?: Identity | undefined;
  /** Commitment to the owner's equation, if the service has just received or generated it. */
  readonly ownerCommit?: string | undefined;
  /** Returned to the caller, so that a repetition of the call returns them too. */
  readonly credentials?: NewCredentials | undefined;
}

/** A machine as its creator receives it. */
interface NewMachine {
  readonly machine: Machine;
  readonly credentials: NewCredentials | undefined;
}

/** Name of the creation of a machine among the effects of a call. */
const CREATION = 'machine';

/** Payload of the first row of a machine. */
interface GenesisPayload {
  readonly slug: string;
  readonly genesis_tick: number;
  readonly policy: string;
  readonly machine: StatedSettings;
  readonly owner_commit?: string;
}

export interface MachineServiceOptions {
  readonly storage: Pick<Storage, 'machines' | 'audit' | 'members' | 'identities' | 'transaction'>;
  readonly ledger: Ledger;
  readonly keys: KeyService;
  readonly payloadKeys: PayloadKeys;
  readonly access: AccessService;
  readonly rateLimit: RateLimiter;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Called after the first row of a machine, which bypasses the ledger. */
  readonly onCreated?: (machine: Machine) => void;
}

/** Slugs that collide with routes under `/api/chain/`. */
const RESERVED_SLUGS = new Set([
  'active',
  'aggregate',
  'fleet',
  'newest',
  'node',
  'recent',
  'rejection-log',
  'seal',
  'state-machines',
  'verify-anchor',
]);
/** Slug of the machine that belongs to the node; reserved although it is not a route. */
export const NODE_SLUG = 'node';
const SLUG = /^[a-z0-9-]{3,63}$/;

/** Highest role that a key of this scope may act in, whatever the role of its identity. */
const MAX_ROLES: Readonly<Record<Scope, Role>> = { read: 'viewer', write: 'operator', admin: 'owner' };

/** Allowed transitions and the role each needs: active ↔ paused; both → archived; archived → paused, by the owner. */
const STATUS_TRANSITIONS: Readonly<Record<MachineStatus, Readonly<Partial<Record<MachineStatus, Role>>>>> = {
  active: { paused: 'admin', archived: 'admin' },
  paused: { active: 'admin', archived: 'admin' },
  archived: { paused: 'owner' },
};

/** Another request has created an identity for the account meanwhile. */
class IdentityExists extends Error {
  override readonly name = 'IdentityExists';
}

export class MachineService {
  readonly #options: MachineServiceOptions;
  readonly #mutex = new KeyedMutex();

  constructor(options: MachineServiceOptions) {
    this.#options = options;
  }

  /**
   * Creates a machine with its first row. The account of the key owns it. Callers with a demo key or without a key also
   * get an account, an identity and a key.
   *
   * @param tenant  whose rates of machines or accounts, and of taken slugs, this uses; a new account stays in this tenant
   * @throws DomainError CONFLICT if the slug is taken or reserved, RATE_LIMITED, FORBIDDEN if the equation belongs to
   *   another identity
   */
  async create(by: Principal | undefined, request: MachineRequest, tenant: string): Promise<NewMachine> {
    const earlier = earlierOutcome<NewMachine>(CREATION);
    if (earlier !== undefined) return earlier;
    const isSealed = sealingOf(request);
    const name = request.name ?? request.slug ?? 'machine';
    // Check before creating an account. A concurrent request for the slug can still leave an account without a machine.
    const slugs = await this.#freeSlugs(request, tenant);
    await this.#options.rateLimit.admit(by === undefined || by.isDemo ? 'spinUp' : 'machine', tenant);
    const make = () => this.#createOwned(by, { ...request, name }, { slugs, isSealed, tenant });
    try {
      return await make();
    } catch (error) {
      // The identity that another request has created for the account meanwhile owns this machine too.
      if (error instanceof IdentityExists) return make();
      throw error;
    }
  }

  /** @throws IdentityExists */
  async #createOwned(
    by: Principal | undefined,
    request: MachineRequest & { readonly name: string },
    {
      slugs,
      isSealed,
      tenant,
    }: { readonly slugs: readonly string[]; readonly isSealed: boolean; readonly tenant: string },
  ): Promise<NewMachine> {
    const { name } = request;
    const created: { credentials?: NewCredentials } = {};
    const { zid: owner, identity } = await this.#ownerOf(by, name, created, tenant);
    const { credentials } = created;
    for (const slug of slugs) {
      const key = isSealed ? await this.#keyFor(slug, owner, request, credentials) : undefined;
      const ownerCommit = ownerCommitFor(request, key, credentials);
      const machine = await this.#insert(slug, owner, request, { key, identity, ownerCommit, credentials });
      if (machine === undefined) continue;
      if (identity !== undefined) this.#options.access.clearCache();
      return { machine, credentials };
    }
    throw slugTaken(slugs[0] ?? name);
  }

  /** The public machine of the node, which has no members. Created on first use. */
  async getNodeMachine(): Promise<Machine> {
    const { storage } = this.#options;
    const found =
      (await storage.machines.bySlug(NODE_SLUG)) ??
      (await this.#insert(NODE_SLUG, undefined, {
        name: NODE_SLUG,
        description: 'What this node notes about itself.',
        is_public: true,
      })) ??
      (await storage.machines.bySlug(NODE_SLUG));
    if (found === undefined) throw new Error('Machine of the node not found after its creation.');
    return found;
  }

  /** Inserts the machine with its first row and its owner; undefined if the slug is taken. */
  async #insert(
    slug: string,
    owner: string | undefined,
    { name, description = '', is_public = false }: MachineRequest & { readonly name: string },
    { key, identity, ownerCommit, credentials }: CreationOptions = {},
  ): Promise<Machine | undefined> {
    const { storage, clock } = this.#options;
    assertTrusted(clock);
    const now = clock.now();
    const nowMs = Number(now / 1_000_000n);
    const svcond = tickOf(now);
    const settings = { name, description, isPublic: is_public, settings: {}, sealingKey: key?.publicKey };
    const payload: GenesisPayload = {
      slug,
      genesis_tick: svcond,
      policy: POLICY,
      machine: statedSettings(settings),
      ...(ownerCommit === undefined ? {} : { owner_commit: ownerCommit }),
    };
    const genesis = appendRow(
      emptyHead(slug),
      { svcond, type: 'genesis', source: 'system', actor: owner ?? SYSTEM_ACTOR, payload },
      this.#options.randomBytes(SALT_BYTES),
    );
    const machine: Machine = {
      id: uuidV7(nowMs, this.#options.randomBytes(10)),
      ...settings,
      status: 'active',
      settingsVersion: 0,
      settingsSeq: 0,
      genesisTick: svcond,
      genesisHash: genesis.row_hash,
      head: { slug, seq: 0, svcond, row_hash: genesis.row_hash },
      changes: 0,
      checkpointSize: 0,
      erased: 0,
      createdMs: nowMs,
    };
    const first = { machineId: machine.id, row: genesis };
    const isFree = await storage.transaction(async (on) => {
      if (!(await storage.machines.insert(machine, on))) return false;
      if (identity !== undefined && !(await storage.identities.insert(identity, on))) throw new IdentityExists();
      await storage.audit.insert([first], on);
      if (key !== undefined) await sealingKeyRows.write([{ machineId: machine.id, ...key }], on);
      if (owner !== undefined)
        await storage.members.put(machine.id, { zid: owner, role: 'owner', sinceSvcond: svcond }, on);
      const created: NewMachine = { machine, credentials };
      await markCurrentEffect(CREATION, created, on);
      return true;
    });
    if (!isFree) return undefined;
    this.#options.onCreated?.(machine);
    return machine;
  }

  /**
   * Finds a machine for a caller with the required role. A private machine is NOT_FOUND to callers who may not read it.
   *
   * @throws DomainError NOT_FOUND, AUTH_REQUIRED, ADMIN_REQUIRED, FORBIDDEN, ZID_NOT_LINKED
   */
  async find(slug: string, by: Principal | undefined, needed: Role | 'reader'): Promise<Machine> {
    const { storage } = this.#options;
    const found = SLUG.test(slug) ? await storage.machines.findWithRole(slug, by?.zid) : undefined;
    const { machine } = found ?? {};
    const role = by && capped(found?.role, by);
    const canRead = machine && (machine.isPublic || role !== undefined || by?.readableMachineId === machine.id);
    if (!canRead) {
      throw new DomainError('NOT_FOUND', `Machine ${slug} not found, or not visible to you.`);
    }
    if (needed === 'reader' || (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed))) return machine;
    if (by === undefined) throw new DomainError('AUTH_REQUIRED', `Role ${needed} required; send an API key.`);
    if (by.zid === undefined) throw new DomainError('ZID_NOT_LINKED', 'The account of this key has no identity yet.');
    if (role === undefined) throw new DomainError('FORBIDDEN', `You are not a member of ${slug}.`);
    const message = `Role ${needed} required; this key has at most ${role}.`;
    throw new DomainError(needed === 'admin' ? 'ADMIN_REQUIRED' : 'FORBIDDEN', message);
  }

  /** Role of the caller, limited by the scope of the key. @param on  transaction of the decision that depends on it */
  async roleOf(machine: Machine, by: Principal | undefined, on?: Executor): Promise<Role | undefined> {
    if (by?.zid === undefined) return undefined;
    return capped(await this.#options.storage.members.roleOf(machine.id, by.zid, on), by);
  }

  /** Writes rows and their dependent writes. @throws DomainError MACHINE_ARCHIVED, PAYLOAD_TOO_LARGE */
  commit<Answer>({ id }: Machine, decide: Decide<Answer>): Promise<Committed<Answer>> {
    return this.#options.ledger.commit(id, (machine, on, epoch, isFirst) => {
      assertNotArchived(machine);
      return decide(machine, on, epoch, isFirst);
    });
  }

  /**
   * Writes rows that depend on other tables. Such decisions about one machine never share a flush, because the second
   * would not see the writes of the first. After a concurrent write of another node the decision runs again.
   *
   * @throws DomainError MACHINE_ARCHIVED unless `allowArchived`, and the errors of `decide`
   */
  commitExclusive<Answer>(machine: Machine, decide: Decide<Answer>, allowArchived = false): Promise<Committed<Answer>> {
    return this.#mutex.runExclusive(machine.id, () =>
      allowArchived ? this.#options.ledger.commit(machine.id, decide) : this.commit(machine, decide),
    );
  }

  /** A new row at the current tick. */
  row(by: Principal | undefined, type: RowType, source: string, payload: unknown): NewRow {
    assertSize(payload);
    const svcond = tickOf(this.#options.clock.now());
    return { svcond, type, source, actor: by?.zid ?? SYSTEM_ACTOR, payload };
  }

  /**
   * Patch and writes that turn on payload sealing. The equation is used once and not stored.
   *
   * @param isPrivate  after the patch
   * @throws DomainError VALIDATION_FAILED on a public machine, FORBIDDEN if the equation belongs to another identity
   */
  async prepareSealing(
    { id, head }: Machine,
    by: Principal,
    equation: string,
    isPrivate: boolean,
  ): Promise<{ readonly patch: MachinePatch; readonly writes: readonly Write[] }> {
    assertPrivate(isPrivate);
    const key = await this.#options.payloadKeys.deriveForOwner(equation, by.zid ?? '', head.slug);
    return { patch: { sealingKey: key.publicKey }, writes: [into(sealingKeyRows, { machineId: id, ...key })] };
  }

  /**
   * Changes the given settings of a machine as it is when the change is written, and records the change in a row.
   *
   * @param ifVersion  version of the settings that the caller expects
   * @throws DomainError CONFLICT if the version differs, VALIDATION_FAILED for an equation on a machine that is public
   *   by now, MACHINE_ARCHIVED
   */
  async patch(
    machine: Machine,
    by: Principal | undefined,
    patch: MachinePatch,
    writes: readonly Write[] = [],
    ifVersion?: number,
  ): Promise<Machine> {
    const { machine: after } = await this.commit(machine, (now) => {
      const { settingsVersion: version, settings, isPublic } = now;
      if (ifVersion !== undefined && ifVersion !== version) {
        const message = `The settings are at version ${version}, not ${ifVersion}; read them again and retry.`;
        throw new DomainError('CONFLICT', message, { facts: { current_version: version } });
      }
      if (patch.sealingKey !== undefined) assertPrivate(!(patch.isPublic ?? isPublic));
      const merged = patch.settings === undefined ? patch : { ...patch, settings: { ...settings, ...patch.settings } };
      const { row, patch: stated } = this.settingsStatement(by, { ...now, ...merged });
      return { rows: [row], patch: { ...merged, ...stated }, writes, answer: undefined };
    });
    return after;
  }

  /**
   * A row that states all settings of a machine, and the patch that names it.
   *
   * @param before  number of other rows that the same change adds before it
   */
  settingsStatement(by: Principal | undefined, machine: Machine, before = 0): { row: NewRow; patch: MachinePatch } {
    const { head, settingsVersion } = machine;
    return {
      row: this.row(by, 'settings', by === undefined ? 'system' : 'api', statedSettings(machine)),
      patch: { settingsVersion: settingsVersion + 1, settingsSeq: head.seq + 1 + before },
    };
  }

  /**
   * Appends a row that states the settings to every machine from before such rows, archived ones too. It can stop and
   * begin again at any time.
   *
   * @returns the number of machines that could not be written to; the next call tries them again
   */
  async stateAllSettings(batchSize: number): Promise<number> {
    const { storage, ledger } = this.#options;
    let failed = 0;
    let after: string | undefined;
    for (;;) {
      const ids = await storage.machines.unstated(after, batchSize);
      const written = await Promise.allSettled(
        ids.map((id) =>
          ledger.commit(id, (machine) => {
            if (machine.settingsSeq !== undefined) return { rows: [], answer: undefined };
            const { row, patch } = this.settingsStatement(undefined, machine);
            return { rows: [row], patch, answer: undefined };
          }),
        ),
      );
      failed += written.filter(({ status }) => status === 'rejected').length;
      after = ids.at(-1);
      if (ids.length < batchSize) return failed;
    }
  }

  /** @throws DomainError CONFLICT for a transition that is not allowed, FORBIDDEN */
  async setStatus(machine: Machine, by: Principal | undefined, status: MachineStatus): Promise<Machine> {
    const decide: Decide<undefined> = async (now, on) => {
      if (now.status === status) return { rows: [], answer: undefined };
      const needed = STATUS_TRANSITIONS[now.status][status];
      if (needed === undefined) {
        const allowed = Object.keys(STATUS_TRANSITIONS[now.status]).join(' or ');
        throw new DomainError('CONFLICT', `Machine is ${now.status} and can become ${allowed}, not ${status}.`);
      }
      const role = await this.roleOf(machine, by, on);
      if (role === undefined || ROLES.indexOf(role) < ROLES.indexOf(needed)) {
        throw new DomainError(
          'FORBIDDEN',
          `Role ${needed} required to change the status from ${now.status} to ${status}.`,
        );
      }
      const payload = { from: now.status, to: status };
      return { rows: [this.row(by, 'status', 'api', payload)], patch: { status }, answer: undefined };
    };
    const { machine: after } = await this.commitExclusive(machine, decide, true);
    return after;
  }

  /** The machine in the form of a response. */
  record(machine: Machine) {
    return recordOf(machine);
  }

  /** Public machines, and those that the caller is a member of. */
  async list(by: Principal | undefined, page: { readonly limit: number; readonly cursor?: string | undefined }) {
    return this.#options.storage.machines.listVisible(by?.zid, page);
  }

  async newest(page: { readonly limit: number; readonly cursor?: string | undefined }) {
    return this.#options.storage.machines.listPublic(page);
  }

  async #ownerOf(
    by: Principal | undefined,
    name: string,
    created: { credentials?: NewCredentials },
    tenant: string,
  ): Promise<{ readonly zid: string; readonly identity?: Identity }> {
    const { storage, keys, clock } = this.#options;
    if (by?.zid !== undefined && !by.isDemo) return { zid: by.zid };
    const secrets = newIdentity(this.#options.randomBytes);
    const { zid } = secrets;
    const identity = { zid, salt: Buffer.from(secrets.salt, 'hex'), createdMs: Number(clock.now() / 1_000_000n) };
    if (by !== undefined && !by.isDemo) {
      const known = await storage.identities.zidOf(by.accountId);
      if (known !== undefined) return { zid: known };
      created.credentials = secrets;
      return { zid, identity: { ...identity, accountId: by.accountId } };
    }
    const { accountId, key } = await keys.openAccount({ name, scope: 'admin', rate_limit_tier: 'free' }, tenant);
    created.credentials = { ...secrets, key };
    return { zid, identity: { ...identity, accountId } };
  }

  /** The sealing key; undefined while the service does not have the owner's equation, so payloads stay unsealed. */
  async #keyFor(
    slug: string,
    owner: string,
    { equation, sealed }: MachineRequest,
    credentials: NewCredentials | undefined,
  ): Promise<SealingKey | undefined> {
    const { payloadKeys } = this.#options;
    if (equation !== undefined) return payloadKeys.deriveForOwner(equation, owner, slug);
    if (credentials !== undefined) return payloadKeys.deriveForNewIdentity(credentials, slug);
    if (sealed !== true) return undefined;
    throw refused(
      'sealed',
      'NO_EQUATION',
      'sealed needs equation: the service does not keep the one of your identity.',
    );
  }

  /**
   * Candidate slugs: the requested one, or one derived from the name if it is free, then one with a random suffix.
   *
   * Slugs are one namespace, so that a taken one cannot be hidden; whether its machine is public, private or a route is.
   * Taken ones are counted, so that nobody tries a list of them: then no slug can be requested, and names have suffixes.
   *
   * @throws DomainError CONFLICT, RATE_LIMITED for a requested slug
   */
  async #freeSlugs({ slug, name }: MachineRequest, tenant: string): Promise<string[]> {
    const { storage, rateLimit } = this.#options;
    const [wanted, suffixed] = slug === undefined ? this.#slugsOf(name) : [slug, []];
    if (wanted === undefined) return suffixed;
    try {
      await rateLimit.admit('takenSlug', tenant);
    } catch (error) {
      if (slug !== undefined) throw error;
      return suffixed;
    }
    const isTaken = (await storage.machines.bySlug(wanted)) !== undefined || RESERVED_SLUGS.has(wanted);
    if (!isTaken) await rateLimit.refund('takenSlug', tenant);
    else if (slug !== undefined) throw slugTaken(slug);
    return isTaken ? suffixed : [wanted, ...suffixed];
  }

  /** A slug of the letters and digits of the name, if it can be one, and the same with a random suffix. */
  #slugsOf(name: string | undefined): readonly [wanted: string | undefined, suffixed: string[]] {
    const plain = (name ?? 'machine')
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 50);
    const suffix = () => Buffer.from(this.#options.randomBytes(4)).toString('hex');
    const random = `${plain || 'machine'}-${suffix()}`;
    return [SLUG.test(plain) && name !== undefined ? plain : undefined, [random]];
  }
}

/** Commitment to the owner's equation if the request has it or it has just been generated. */
function ownerCommitFor(
  { equation }: MachineRequest,
  key: SealingKey | undefined,
  credentials: NewCredentials | undefined,
): string | undefined {
  if (equation !== undefined) return key && ownerCommitOf(equation, key.salt);
  return credentials && ownerCommitOf(credentials.equation, Buffer.from(credentials.salt, 'hex'));
}

/** The role, limited by the scope of the key. */
function capped(role: Role | undefined, { scope }: Principal): Role | undefined {
  const max = MAX_ROLES[scope];
  return role && (ROLES.indexOf(role) < ROLES.indexOf(max) ? role : max);
}

function recordOf(machine: Machine) {
  const { name, description, status, isPublic, settings, settingsVersion, sealingKey } = machine;
  const { genesisTick, genesisHash, head } = machine;
  const id = idHash(head.slug, genesisHash);
  return {
    slug: head.slug,
    name,
    description,
    status,
    is_public: isPublic,
    is_sealed: !isPublic && sealingKey !== undefined,
    settings_version: settingsVersion,
    accept_anchors: settings.accept_anchors ?? DEFAULT_ACCEPT_ANCHORS,
    keep_rows: settings.keep_rows ?? 0,
    keep_days: settings.keep_days ?? 0,
    genesis_tick: genesisTick,
    genesis_hash: genesisHash,
    id_hash: id,
    address: addressOf(id),
    head: { seq: head.seq, svcond: head.svcond, row_hash: head.row_hash },
  };
}

function slugTaken(slug: string): DomainError {
  const message = `Slug ${slug} is taken or reserved; choose another one.`;
  return new DomainError('CONFLICT', message, { details: [{ path: 'slug', code: 'TAKEN', message }] });
}

/** @throws DomainError VALIDATION_FAILED */
function assertPrivate(isPrivate: boolean, path = 'equation'): void {
  if (isPrivate) return;
  throw refused(path, 'PUBLIC', `${path} requires a private machine: payloads of public machines are not sealed.`);
}

/** @throws DomainError VALIDATION_FAILED for sealing that contradicts the other fields */
function sealingOf({ sealed, equation, is_public }: MachineRequest): boolean {
  if (equation !== undefined) assertPrivate(is_public !== true);
  if (sealed === true) assertPrivate(is_public !== true, 'sealed');
  if (sealed === false && equation !== undefined)
    throw refused('equation', 'NOT_SEALED', 'equation seals payloads, and sealed is false; leave one of them out.');
  return sealed ?? (equation !== undefined || is_public === false);
}

function refused(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}

/** @throws DomainError VALIDATION_FAILED for values that canonical JSON cannot represent */
function canonicalText(payload: unknown): string {
  try {
    return canonicalJson(payload);
  } catch (error) {
    const message = `payload cannot be written as canonical JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: 'payload', code: 'NOT_CANONICAL', message }],
    });
  }
}

/** @throws DomainError BODY_TOO_LARGE, VALIDATION_FAILED */
export function assertSize(payload: unknown): void {
  const { payloadBytes } = LIMITS.chain;
  const size = utf8(canonicalText(payload)).length;
  if (size > payloadBytes) {
    throw new DomainError('BODY_TOO_LARGE', `Payload must have at most ${payloadBytes} bytes, not ${size}.`);
  }
}

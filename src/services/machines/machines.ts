// Machines: made with a first row, found by those who may see them, changed by those who may, every change a row.

import { addressOf, idHash } from '../../chain/identity.ts';
import { appendRow, emptyHead, type NewRow, SALT_BYTES, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { RowType } from '../../chain/row-type.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { uuidV7 } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { type Identity, ROLES, type Role } from '../../storage/access/identities.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { type Committed, type Decide, into, type Ledger, type Write } from '../../storage/machines/ledger.ts';
import type { Machine, MachinePatch, MachineStatus } from '../../storage/machines/machines.ts';
import { type SealingKey, sealingKeyRows } from '../../storage/machines/sealing-keys.ts';
import { noteEffectsHere } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccessService, Principal, Scope } from '../access/access.ts';
import type { KeyService } from '../access/keys.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import { OneAtATime } from '../node/one-at-a-time.ts';
import { type NewIdentity, newIdentity, ownerCommitOf } from './identity.ts';
import type { PayloadKeys } from './payload-keys.ts';
import { sealFor } from './sealed-payload.ts';

const POLICY = 'v1';

export interface MachineRequest {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly is_public?: boolean | undefined;
  /** Of the owner, for a private machine whose payloads are sealed. */
  readonly equation?: string | undefined;
}

/** A machine as it is answered. */
export interface MachineRecord {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: MachineStatus;
  readonly is_public: boolean;
  readonly is_sealed: boolean;
  readonly genesis_tick: number;
  readonly genesis_hash: string;
  readonly id_hash: string;
  readonly address: string;
  readonly head: { readonly seq: number; readonly svcond: number; readonly row_hash: string };
}

/** What only the caller who made the identity ever sees. */
export interface SpunUp extends NewIdentity {
  readonly key?: string;
}

/** What a machine may begin with. */
interface Founding {
  /** That its payloads are sealed to. */
  readonly key?: SealingKey | undefined;
  /** Of the owner, where it is new: it is there with the machine or not at all, since its equation is shown once. */
  readonly added?: Identity | undefined;
  /** Of the owner's equation, where it is at hand. */
  readonly ownerCommit?: string | undefined;
}

/** What the first row of a machine holds. */
interface GenesisPayload {
  readonly slug: string;
  readonly genesis_tick: number;
  readonly policy: string;
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
  /** After the first row of a machine, which goes past the ledger. */
  readonly onBegun?: (machine: Machine) => void;
}

/** Names of routes beside `/api/chain/{slug}`. */
const RESERVED = new Set([
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
/** Of the machine that belongs to the node; it is the name of no route, but nobody else's either. */
const NODE_SLUG = 'node';
const SLUG = /^[a-z0-9-]{3,63}$/;

/** What a key of this scope may do at most, whatever its identity is to the machine. */
const CAPS: Readonly<Record<Scope, Role>> = { read: 'viewer', write: 'operator', admin: 'owner' };

/** active ↔ paused; both → archived; archived → paused, by the owner. */
const MOVES: Readonly<Record<MachineStatus, Readonly<Partial<Record<MachineStatus, Role>>>>> = {
  active: { paused: 'admin', archived: 'admin' },
  paused: { active: 'admin', archived: 'admin' },
  archived: { paused: 'owner' },
};

export class MachineService {
  readonly #options: MachineServiceOptions;
  readonly #alone = new OneAtATime();

  constructor(options: MachineServiceOptions) {
    this.#options = options;
  }

  /**
   * A machine with its first row. An account key owns it; a demo key or none gets an account, an identity and a key with it.
   *
   * @param caller  who is counted when there is no key
   * @throws DomainError CONFLICT if the slug is taken, VALIDATION_FAILED if it is reserved, RATE_LIMITED, FORBIDDEN if the
   *   equation is another's
   */
  async create(
    by: Principal | undefined,
    request: MachineRequest,
    caller: string,
  ): Promise<{ readonly machine: Machine; readonly spunUp: SpunUp | undefined }> {
    const { storage } = this.#options;
    if (request.equation !== undefined) assertPrivate(request.is_public === false);
    const name = request.name ?? request.slug ?? 'machine';
    const slugs = this.#slugsFor(request);
    // Before an account is made for it; who is faster between here and there leaves an account without a machine.
    if (slugs.length === 1 && slugs[0] !== undefined && (await storage.machines.bySlug(slugs[0])))
      throw taken(slugs[0]);
    const spunUp: { value?: SpunUp } = {};
    if (by === undefined) await this.#options.rateLimit.admit('spinUp', caller);
    const { zid: owner, added } = await this.#ownerOf(by, name, spunUp);
    for (const slug of slugs) {
      const key = request.is_public === false ? await this.#keyFor(slug, owner, request, spunUp.value) : undefined;
      const ownerCommit = ownerCommitFor(request, key, spunUp.value);
      const machine = await this.#begin(slug, owner, { ...request, name }, { key, added, ownerCommit });
      if (machine === undefined) continue;
      if (added !== undefined) this.#options.access.forgetAll();
      return { machine, spunUp: spunUp.value };
    }
    throw taken(slugs[0] ?? name);
  }

  /** The public machine that belongs to the node itself: nobody is a member of it. Made when it is first wanted. */
  async ofNode(): Promise<Machine> {
    const { storage } = this.#options;
    const found =
      (await storage.machines.bySlug(NODE_SLUG)) ??
      (await this.#begin(NODE_SLUG, undefined, {
        name: NODE_SLUG,
        description: 'What this node notes about itself.',
      })) ??
      (await storage.machines.bySlug(NODE_SLUG));
    if (found === undefined) throw new Error('The machine of the node was made and is not there.');
    return found;
  }

  /** The machine with its first row and its owner; undefined if the slug is taken. */
  async #begin(
    slug: string,
    owner: string | undefined,
    { name, description = '', is_public = true }: MachineRequest & { readonly name: string },
    { key, added, ownerCommit }: Founding = {},
  ): Promise<Machine | undefined> {
    const { storage, clock } = this.#options;
    const now = clock.now();
    const nowMs = Number(now / 1_000_000n);
    const svcond = tickOf(now);
    const payload: GenesisPayload = {
      slug,
      genesis_tick: svcond,
      policy: POLICY,
      ...(ownerCommit === undefined ? {} : { owner_commit: ownerCommit }),
    };
    const genesis = appendRow(
      emptyHead(slug),
      { svcond, type: 'genesis', source: 'system', actor: owner ?? SYSTEM_ACTOR, payload },
      this.#options.randomBytes(SALT_BYTES),
    );
    const machine: Machine = {
      id: uuidV7(nowMs, this.#options.randomBytes(10)),
      name,
      description,
      status: 'active',
      isPublic: is_public,
      settings: {},
      genesisTick: svcond,
      genesisHash: genesis.row_hash,
      head: { slug, seq: 0, svcond, row_hash: genesis.row_hash },
      changes: 0,
      checkpointSize: 0,
      erased: 0,
      sealingKey: key?.publicKey,
      createdMs: nowMs,
    };
    const first = { machineId: machine.id, row: genesis, sealed: await sealFor(machine, genesis) };
    const isFree = await storage.transaction(async (on) => {
      if (!(await storage.machines.insert(machine, on))) return false;
      if (added !== undefined && !(await storage.identities.insert(added, on)))
        throw new DomainError('CONFLICT', 'The account was given an identity meanwhile; try again.');
      await storage.audit.insert([first], on);
      if (key !== undefined) await sealingKeyRows.write([{ machineId: machine.id, ...key }], on);
      if (owner !== undefined)
        await storage.members.put(machine.id, { zid: owner, role: 'owner', sinceSvcond: svcond }, on);
      await noteEffectsHere(on);
      return true;
    });
    if (!isFree) return undefined;
    this.#options.onBegun?.(machine);
    return machine;
  }

  /**
   * The machine, for somebody who may do this with it. A private machine is not there for those who may not read it.
   *
   * @throws DomainError NOT_FOUND, AUTH_REQUIRED, ADMIN_REQUIRED, FORBIDDEN, ZID_NOT_LINKED
   */
  async find(slug: string, by: Principal | undefined, needed: Role | 'reader'): Promise<Machine> {
    const { storage } = this.#options;
    const met = SLUG.test(slug) ? await storage.machines.meet(slug, by?.zid) : undefined;
    const { machine } = met ?? {};
    const role = by && capped(met?.role, by);
    const mayRead = machine && (machine.isPublic || role !== undefined || by?.readsMachine === machine.id);
    if (!mayRead) {
      throw new DomainError('NOT_FOUND', `There is no machine ${slug} that you may see.`);
    }
    if (needed === 'reader' || (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed))) return machine;
    if (by === undefined) throw new DomainError('AUTH_REQUIRED', `This needs the role ${needed}: send a key.`);
    if (by.zid === undefined) throw new DomainError('ZID_NOT_LINKED', 'The account of this key has no identity yet.');
    if (role === undefined) throw new DomainError('FORBIDDEN', `You are not a member of ${slug}.`);
    const message = `This needs the role ${needed}; this key has ${role} at most.`;
    throw new DomainError(needed === 'admin' ? 'ADMIN_REQUIRED' : 'FORBIDDEN', message);
  }

  /** What a caller may do, as far as the scope of the key lets them. @param on  the decision that depends on it */
  async roleOf(machine: Machine, by: Principal | undefined, on?: Executor): Promise<Role | undefined> {
    if (by?.zid === undefined) return undefined;
    return capped(await this.#options.storage.members.roleOf(machine.id, by.zid, on), by);
  }

  /** Writes rows and what goes with them. @throws DomainError MACHINE_ARCHIVED, PAYLOAD_TOO_LARGE */
  commit<Answer>({ id }: Machine, decide: Decide<Answer>): Promise<Committed<Answer>> {
    return this.#options.ledger.commit(id, (machine, on, epoch, isFirst) => {
      assertNotArchived(machine);
      return decide(machine, on, epoch, isFirst);
    });
  }

  /**
   * Writes what follows from rows of other tables: such decisions about one machine never share a flush, where the second
   * would not see what the first is about to write. Another node that is faster moves the head, and the decision is taken again.
   *
   * @throws DomainError MACHINE_ARCHIVED unless `mayBeArchived`, and what `decide` throws
   */
  commitAlone<Answer>(machine: Machine, decide: Decide<Answer>, mayBeArchived = false): Promise<Committed<Answer>> {
    return this.#alone.run(machine.id, () =>
      mayBeArchived ? this.#options.ledger.commit(machine.id, decide) : this.commit(machine, decide),
    );
  }

  /** One row of this machine, now. */
  row(by: Principal | undefined, type: RowType, source: string, payload: unknown): NewRow {
    assertSize(payload);
    const svcond = tickOf(this.#options.clock.now());
    return { svcond, type, source, actor: by?.zid ?? SYSTEM_ACTOR, payload };
  }

  /**
   * What a patch must hold for payloads to be sealed from then on: the equation is lent for this moment and not kept.
   *
   * @param isPrivate  after the patch
   * @throws DomainError VALIDATION_FAILED on a public machine, FORBIDDEN if the equation is another's
   */
  async lend(
    { id, head }: Machine,
    by: Principal,
    equation: string,
    isPrivate: boolean,
  ): Promise<{ readonly patch: MachinePatch; readonly writes: readonly Write[] }> {
    assertPrivate(isPrivate);
    const key = await this.#options.payloadKeys.ofLent(equation, by.zid ?? '', head.slug);
    return { patch: { sealingKey: key.publicKey }, writes: [into(sealingKeyRows, { machineId: id, ...key })] };
  }

  /** Changes what a machine is called and who may see it; the row says what changed. */
  async patch(
    machine: Machine,
    by: Principal | undefined,
    patch: MachinePatch,
    writes: readonly Write[] = [],
  ): Promise<Machine> {
    const { machine: after } = await this.commit(machine, () => ({
      rows: [this.row(by, 'settings', 'api', patch)],
      patch,
      writes,
      answer: undefined,
    }));
    return after;
  }

  /** @throws DomainError CONFLICT for a move that there is not, FORBIDDEN */
  async setStatus(machine: Machine, by: Principal | undefined, status: MachineStatus): Promise<Machine> {
    const decide: Decide<undefined> = async (now, on) => {
      if (now.status === status) return { rows: [], answer: undefined };
      const needed = MOVES[now.status][status];
      if (needed === undefined) {
        const allowed = Object.keys(MOVES[now.status]).join(' or ');
        throw new DomainError('CONFLICT', `A machine that is ${now.status} can become ${allowed}, not ${status}.`);
      }
      const role = await this.roleOf(machine, by, on);
      if (role === undefined || ROLES.indexOf(role) < ROLES.indexOf(needed)) {
        throw new DomainError('FORBIDDEN', `Only the ${needed} may make a machine that is ${now.status} ${status}.`);
      }
      const payload = { from: now.status, to: status };
      return { rows: [this.row(by, 'status', 'api', payload)], patch: { status }, answer: undefined };
    };
    const { machine: after } = await this.commitAlone(machine, decide, true);
    return after;
  }

  /** The machine as it is answered. */
  record(machine: Machine): MachineRecord {
    return recordOf(machine);
  }

  /** The public ones, and those of the caller. */
  async list(by: Principal | undefined, page: { readonly limit: number; readonly cursor?: string | undefined }) {
    return this.#options.storage.machines.visible(by?.zid, page);
  }

  async newest(page: { readonly limit: number; readonly cursor?: string | undefined }) {
    return this.#options.storage.machines.newest(page);
  }

  async #ownerOf(
    by: Principal | undefined,
    name: string,
    spunUp: { value?: SpunUp },
  ): Promise<{ readonly zid: string; readonly added?: Identity }> {
    const { storage, keys, clock } = this.#options;
    if (by?.zid !== undefined && !by.isDemo) return { zid: by.zid };
    const identity = newIdentity(this.#options.randomBytes);
    const { zid } = identity;
    const added = { zid, salt: Buffer.from(identity.salt, 'hex'), createdMs: Number(clock.now() / 1_000_000n) };
    if (by !== undefined && !by.isDemo) {
      const known = await storage.identities.zidOf(by.accountId);
      if (known !== undefined) return { zid: known };
      spunUp.value = identity;
      return { zid, added: { ...added, accountId: by.accountId } };
    }
    const { accountId, key } = await keys.openAccount({ name, scope: 'admin', rate_limit_tier: 'free' });
    spunUp.value = { ...identity, key };
    return { zid, added: { ...added, accountId } };
  }

  /** Whose equation is not at hand keeps open payloads, until it is lent. */
  async #keyFor(
    slug: string,
    owner: string,
    { equation }: MachineRequest,
    spunUp: SpunUp | undefined,
  ): Promise<SealingKey | undefined> {
    const { payloadKeys } = this.#options;
    if (equation !== undefined) return payloadKeys.ofLent(equation, owner, slug);
    return spunUp && payloadKeys.ofNew(spunUp, slug);
  }

  /** The slug that was asked for, or made from the name, then the same with something random behind it. */
  #slugsFor({ slug, name }: MachineRequest): string[] {
    if (slug !== undefined) {
      if (!RESERVED.has(slug)) return [slug];
      const message = `slug is ${slug}, which is the name of a route; another one is expected.`;
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'slug', code: 'RESERVED', message }] });
    }
    const plain = (name ?? 'machine')
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 50);
    const suffix = () => Buffer.from(this.#options.randomBytes(4)).toString('hex');
    const random = `${plain || 'machine'}-${suffix()}`;
    return SLUG.test(plain) && !RESERVED.has(plain) && name !== undefined ? [plain, random] : [random];
  }
}

/** The equation was lent, or has just been made; otherwise nobody here knows it. */
function ownerCommitFor(
  { equation }: MachineRequest,
  key: SealingKey | undefined,
  spunUp: SpunUp | undefined,
): string | undefined {
  if (equation !== undefined) return key && ownerCommitOf(equation, key.salt);
  return spunUp && ownerCommitOf(spunUp.equation, Buffer.from(spunUp.salt, 'hex'));
}

/** As far as the scope of the key lets them. */
function capped(role: Role | undefined, { scope }: Principal): Role | undefined {
  const cap = CAPS[scope];
  return role && (ROLES.indexOf(role) < ROLES.indexOf(cap) ? role : cap);
}

function recordOf(machine: Machine): MachineRecord {
  const { name, description, status, isPublic, sealingKey, genesisTick, genesisHash, head } = machine;
  const id = idHash(head.slug, genesisHash);
  return {
    slug: head.slug,
    name,
    description,
    status,
    is_public: isPublic,
    is_sealed: !isPublic && sealingKey !== undefined,
    genesis_tick: genesisTick,
    genesis_hash: genesisHash,
    id_hash: id,
    address: addressOf(id),
    head: { seq: head.seq, svcond: head.svcond, row_hash: head.row_hash },
  };
}

function taken(slug: string): DomainError {
  const message = `The slug ${slug} is taken.`;
  return new DomainError('CONFLICT', message, { details: [{ path: 'slug', code: 'TAKEN', message }] });
}

/** @throws DomainError VALIDATION_FAILED */
function assertPrivate(isPrivate: boolean): void {
  if (isPrivate) return;
  const message = 'equation is given, and the machine is public: only payloads of private machines are sealed.';
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'equation', code: 'PUBLIC', message }] });
}

/** @throws DomainError MACHINE_ARCHIVED */
export function assertNotArchived({ status, head }: Machine): void {
  if (status === 'archived') {
    throw new DomainError('MACHINE_ARCHIVED', `The machine ${head.slug} is archived: it can be read, not written.`);
  }
}

/** @throws DomainError VALIDATION_FAILED for what canonical JSON cannot say */
function textOf(payload: unknown): string {
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
  const size = utf8(textOf(payload)).length;
  if (size > payloadBytes) {
    throw new DomainError('BODY_TOO_LARGE', `A payload of ${size} bytes; at most ${payloadBytes} are stored in a row.`);
  }
}

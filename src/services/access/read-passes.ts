// Read passes: short-lived read access to one machine for a browser without a key, in exchange for a share token or an
// equation. A pass is encrypted under the master key. It is valid only while the share or membership behind it is.

import { type Clock, isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import type { ShareRepository } from '../../storage/machines/access/shares.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { type AccessService, guestPrincipal, type Principal } from './access.ts';
import { zidOf } from './identity.ts';
import { prefixOf, SHARE_SCHEME } from './key-format.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface ReadPassOptions {
  readonly machines: MachineRepository;
  readonly members: MemberRepository;
  readonly shares: ShareRepository;
  readonly access: AccessService;
  readonly rateLimit: RateLimiter;
  readonly box: SealedBox;
  readonly clock: Clock;
}

export type UnlockSecret = { readonly share: string } | { readonly equation: string };

/** The share or membership that a pass is based on. */
type Grant = { readonly share: string } | { readonly zid: string };

interface Pass {
  readonly machine: string;
  /** This name is part of the sealed cookie. */
  readonly ground: Grant;
  readonly expiresMs: number;
}

const PASS_NAME = 'svc-read-pass';
const PASS_MS = LIMITS.chain.passMinutes * 60_000;

export class ReadPasses {
  readonly #options: ReadPassOptions;

  constructor(options: ReadPassOptions) {
    this.#options = options;
  }

  /**
   * @param tenant  who has a limited number of attempts
   * @throws DomainError RATE_LIMITED, and NOT_FOUND alike for a missing machine and a wrong secret
   */
  async unlock(slug: string, secret: UnlockSecret, tenant: string) {
    const { machines, rateLimit, box, clock } = this.#options;
    await rateLimit.admit('unlock', tenant);
    const machine = await machines.bySlug(slug);
    const grant = machine && (await this.#findGrant(machine.id, secret));
    if (machine === undefined || grant === undefined) {
      throw new DomainError('NOT_FOUND', `Machine ${slug} not found, or the secret does not unlock it.`);
    }
    const expiresMs = Number(clock.now() / 1_000_000n) + PASS_MS;
    const pass: Pass = { machine: machine.id, ground: grant, expiresMs };
    const sealed = Buffer.from(box.seal(PASS_NAME, utf8(JSON.stringify(pass))));
    return { pass: sealed.toString('base64url'), expires_at: isoFromMs(expiresMs) };
  }

  /** The principal of a pass; undefined if the pass is malformed, expired, or its grant was revoked. */
  async open(sealed: string): Promise<Principal | undefined> {
    const pass = this.#decrypt(sealed);
    if (pass === undefined || pass.expiresMs <= Number(this.#options.clock.now() / 1_000_000n)) return undefined;
    if (!(await this.#isGranted(pass))) return undefined;
    const id = 'share' in pass.ground ? pass.ground.share : pass.ground.zid;
    return guestPrincipal({ machineId: pass.machine, id }, SHARE_SCHEME);
  }

  async #findGrant(machineId: string, secret: UnlockSecret): Promise<Grant | undefined> {
    if ('equation' in secret) {
      const zid = zidOf(secret.equation);
      const role = await this.#options.members.roleOf(machineId, zid);
      return role && { zid };
    }
    if (!prefixOf(secret.share)?.startsWith(SHARE_SCHEME)) return undefined;
    const guest = await this.#options.access.authenticate(secret.share).catch(ignoreKeyErrors);
    return guest?.readableMachineId === machineId ? { share: guest.keyId } : undefined;
  }

  async #isGranted({ machine, ground }: Pass): Promise<boolean> {
    const { members, shares, clock } = this.#options;
    if ('zid' in ground) return (await members.roleOf(machine, ground.zid)) !== undefined;
    const share = await shares.byId(machine, ground.share);
    const nowMs = Number(clock.now() / 1_000_000n);
    return (
      share !== undefined && share.revokedMs === undefined && (share.expiresMs ?? Number.POSITIVE_INFINITY) > nowMs
    );
  }

  #decrypt(sealed: string): Pass | undefined {
    try {
      // Authenticated encryption guarantees that this node wrote it in this form.
      return JSON.parse(
        Buffer.from(this.#options.box.open(PASS_NAME, Buffer.from(sealed, 'base64url'))).toString(),
      ) as Pass;
    } catch {
      return undefined;
    }
  }
}

/** An unknown, disabled or expired token grants nothing; database errors are rethrown. */
function ignoreKeyErrors(error: unknown): undefined {
  if (error instanceof DomainError && error.code.startsWith('KEY_')) return undefined;
  throw error;
}

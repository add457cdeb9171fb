// Passes: a share token or an equation, shown once, opens one machine for reading for a quarter of an hour, from a browser
// that keeps no key. A pass is sealed under the master key and names what it was given for, which must still hold.

import { type Clock, isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import type { MemberRepository } from '../../storage/access/identities.ts';
import type { ShareRepository } from '../../storage/access/shares.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import { zidOf } from '../machines/identity.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { type AccessService, guestOf, type Principal } from './access.ts';
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

export type Opener = { readonly share: string } | { readonly equation: string };

/** What a pass was given for. */
type Ground = { readonly share: string } | { readonly zid: string };

interface Pass {
  readonly machine: string;
  readonly ground: Ground;
  readonly expiresMs: number;
}

const NAME = 'svc-read-pass';
const PASS_MS = LIMITS.chain.passMinutes * 60_000;

export class ReadPasses {
  readonly #options: ReadPassOptions;

  constructor(options: ReadPassOptions) {
    this.#options = options;
  }

  /**
   * @param caller  who is counted: five tries in ten minutes
   * @throws DomainError RATE_LIMITED, and NOT_FOUND alike for a machine that is not there and for what does not open it
   */
  async unlock(slug: string, opener: Opener, caller: string): Promise<{ pass: string; expires_at: string }> {
    const { machines, rateLimit, box, clock } = this.#options;
    await rateLimit.admit('unlock', caller);
    const machine = await machines.bySlug(slug);
    const ground = machine && (await this.#groundOf(machine.id, opener));
    if (machine === undefined || ground === undefined) {
      throw new DomainError('NOT_FOUND', `There is no machine ${slug} that this opens.`);
    }
    const expiresMs = Number(clock.now() / 1_000_000n) + PASS_MS;
    const pass: Pass = { machine: machine.id, ground, expiresMs };
    const sealed = Buffer.from(box.seal(NAME, utf8(JSON.stringify(pass))));
    return { pass: sealed.toString('base64url'), expires_at: isoFromMs(expiresMs) };
  }

  /** Whoever holds the pass, who reads the machine that it names; undefined for one that is none, is over, or was given for what no longer holds. */
  async open(sealed: string): Promise<Principal | undefined> {
    const pass = this.#read(sealed);
    if (pass === undefined || pass.expiresMs <= Number(this.#options.clock.now() / 1_000_000n)) return undefined;
    if (!(await this.#holds(pass))) return undefined;
    const id = 'share' in pass.ground ? pass.ground.share : pass.ground.zid;
    return guestOf({ machineId: pass.machine, id }, SHARE_SCHEME);
  }

  async #groundOf(machineId: string, opener: Opener): Promise<Ground | undefined> {
    if ('equation' in opener) {
      const zid = zidOf(opener.equation);
      const role = await this.#options.members.roleOf(machineId, zid);
      return role && { zid };
    }
    if (!prefixOf(opener.share)?.startsWith(SHARE_SCHEME)) return undefined;
    const guest = await this.#options.access.authenticate(opener.share).catch(onlyRefusals);
    return guest?.readsMachine === machineId ? { share: guest.keyId } : undefined;
  }

  async #holds({ machine, ground }: Pass): Promise<boolean> {
    const { members, shares, clock } = this.#options;
    if ('zid' in ground) return (await members.roleOf(machine, ground.zid)) !== undefined;
    const share = await shares.byId(machine, ground.share);
    const nowMs = Number(clock.now() / 1_000_000n);
    return (
      share !== undefined && share.revokedMs === undefined && (share.expiresMs ?? Number.POSITIVE_INFINITY) > nowMs
    );
  }

  #read(sealed: string): Pass | undefined {
    try {
      // What opens was sealed here and has this form.
      return JSON.parse(Buffer.from(this.#options.box.open(NAME, Buffer.from(sealed, 'base64url'))).toString()) as Pass;
    } catch {
      return undefined;
    }
  }
}

/** A token that is unknown, disabled or over opens nothing; a database that does not answer is another matter. */
function onlyRefusals(error: unknown): undefined {
  if (error instanceof DomainError && error.code.startsWith('KEY_')) return undefined;
  throw error;
}

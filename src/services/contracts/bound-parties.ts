// Resolves the bindings of a request: accounts must exist, keys must be developer keys of the machine.

import type { Definition } from '../../contracts/definition.ts';
import {
  bindingFaults,
  type GivenBindings,
  type PartyBinding,
  type PartyBindings,
} from '../../contracts/parties/bindings.ts';
import type { PartyState } from '../../contracts/parties/party-state.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import type { IdentityRepository } from '../../storage/access/identities.ts';
import type { KeyRepository } from '../../storage/access/keys.ts';
import type { DeveloperRepository } from '../../storage/machines/access/developers.ts';
import type { Machine } from '../../storage/machines/machines.ts';

export interface BoundPartiesOptions {
  readonly identities: Pick<IdentityRepository, 'byZid'>;
  readonly developers: Pick<DeveloperRepository, 'of' | 'isDeveloperAccount'>;
  readonly keys: Pick<KeyRepository, 'find'>;
}

type Given = Exclude<GivenBindings[string], readonly unknown[]>;

export class BoundParties {
  readonly #options: BoundPartiesOptions;

  constructor(options: BoundPartiesOptions) {
    this.#options = options;
  }

  /**
   * The bindings of a definition.
   *
   * @returns undefined for a definition without parties
   * @throws DomainError VALIDATION_FAILED with every fault
   */
  async resolve(
    machine: Machine,
    definition: Definition,
    given: GivenBindings = {},
  ): Promise<PartyBindings | undefined> {
    const bindings = await this.#resolveAll(machine, given);
    throwFirst(bindingFaults(definition, bindings));
    return definition.parties === undefined ? undefined : bindings;
  }

  /**
   * The bindings under a new definition: those of before, and of the parties that it adds.
   *
   * @returns undefined if nobody is bound anew
   * @throws DomainError VALIDATION_FAILED
   */
  async resolveAddition(
    machine: Machine,
    definition: Definition,
    state: PartyState | undefined,
    given: GivenBindings = {},
  ): Promise<PartyBindings | undefined> {
    const before = state?.bindings ?? {};
    const rebound = Object.keys(given).filter((name) => Object.hasOwn(before, name));
    throwFirst(
      rebound.map((name) => ({
        path: `bindings.${name}`,
        code: 'BOUND',
        message: `bindings.${name} is bound already; POST …/rebind proposes another binding.`,
      })),
    );
    const kept = Object.entries(before).filter(([name]) => Object.hasOwn(definition.parties ?? {}, name));
    const bindings = { ...Object.fromEntries(kept), ...(await this.#resolveAll(machine, given)) };
    throwFirst(bindingFaults(definition, bindings));
    const isSame = Object.keys(given).length === 0 && kept.length === Object.keys(before).length;
    return isSame || definition.parties === undefined ? undefined : bindings;
  }

  /** The bindings of one party, none of them twice. @throws DomainError VALIDATION_FAILED */
  async resolveParty(machine: Machine, party: string, given: GivenBindings[string]): Promise<readonly PartyBinding[]> {
    return (await this.#resolveAll(machine, { [party]: given }))[party] ?? [];
  }

  /** @throws DomainError VALIDATION_FAILED with every fault */
  assertFit(definition: Definition, bindings: PartyBindings): void {
    throwFirst(bindingFaults(definition, bindings));
  }

  async #resolveAll(machine: Machine, given: GivenBindings): Promise<PartyBindings> {
    const faults: ErrorDetail[] = [];
    const resolved: [string, PartyBinding[]][] = [];
    for (const [party, value] of Object.entries(given)) {
      const bound: PartyBinding[] = [];
      for (const [i, one] of [value].flat().entries()) {
        const found = await this.#resolve(machine, one as Given);
        if (typeof found !== 'string') bound.push(found);
        else {
          const path = `bindings.${party}.${i}`;
          faults.push({ path, code: 'UNKNOWN_BINDING', message: `${path} ${found}.` });
        }
      }
      resolved.push([party, bound]);
    }
    throwFirst(faults);
    return Object.fromEntries(resolved);
  }

  /** The binding as rows state it, or what is wrong with it. */
  async #resolve(machine: Machine, given: Given): Promise<PartyBinding | string> {
    const { identities, developers, keys } = this.#options;
    if ('ed25519' in given) return { ed25519: given.ed25519 };
    if ('zid' in given) {
      const identity = await identities.byZid(given.zid);
      if (identity === undefined) return `names the ZID ${given.zid}, which no account here has`;
      if (!(await developers.isDeveloperAccount(identity.accountId))) return { zid: given.zid };
      return `names the ZID ${given.zid} of developer keys; bind one of them: {"key": "<id>"}`;
    }
    const developer = await developers.of(machine.id);
    const key = developer && (await keys.find(developer.accountId, given.key));
    if (developer === undefined || key === undefined)
      return `names the key ${given.key}, which is no developer key of ${machine.head.slug}`;
    if (key.revokedMs !== undefined) return `names the key ${given.key}, which is revoked`;
    return { zid: developer.zid, key: given.key };
  }
}

function throwFirst(faults: readonly ErrorDetail[]): void {
  const [first] = faults;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: faults.slice(0, 20) });
}

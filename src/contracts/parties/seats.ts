// Seats of accounts: where somebody acts for a party, so that they find it again (docs/decisions/0061).
//
// Those who act in all instances of a contract have one seat, in the contract. Ed25519 keys have none: nobody who asks
// can be recognized by one.

import type { ContractState } from '../contract-state.ts';
import type { Definition } from '../definition.ts';
import { ownParties } from '../instances/parties.ts';

export interface AccountSeat {
  readonly party: string;
  readonly zid: string;
  /** The developer key alone by which the account acts; empty for any key of it. */
  readonly keyId: string;
}

/** Seats in a contract, or of an instance's own parties in it. */
export function accountSeats(
  definition: Pick<Definition, 'parties'>,
  { parties }: Pick<ContractState, 'parties'>,
  isInstance: boolean,
): readonly AccountSeat[] {
  const bindings = parties?.bindings ?? {};
  const names = isInstance ? ownParties(definition).map(([name]) => name) : Object.keys(bindings);
  return names.flatMap((party) =>
    (bindings[party] ?? []).flatMap((bound) =>
      'zid' in bound ? [{ party, zid: bound.zid, keyId: bound.key ?? '' }] : [],
    ),
  );
}

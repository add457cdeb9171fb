// An event that no transition out of the present state listens to: it is told if its payload is wrong, all the same.

import type { CompiledContract } from './compiled.ts';
import type { ContractState, SentBy } from './contract-state.ts';
import type { Refusal } from './instances/route.ts';
import { senderFault } from './parties/permission.ts';
import { payloadFault, reasonOf } from './transition-attempt.ts';
import { isTriedOn } from './windows/named-windows.ts';

interface Sent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Whether a transition out of the present state is tried on an event. */
export const isTried = ({ transitions }: CompiledContract, { state }: Pick<ContractState, 'state'>, name: string) =>
  transitions.some((transition) => isTriedOn(transition, name) && transition.from.has(state));

/** The refusal of an event on which no transition is tried, for its sender; undefined if it may send it. */
export function untriedSenderRefusal(
  contract: CompiledContract,
  state: Pick<ContractState, 'state'>,
  sent: Sent & SentBy,
): Refusal | undefined {
  if (isTried(contract, state, sent.name)) return undefined;
  const fault = senderFault(contract, state, sent);
  return fault === undefined ? undefined : { transition: null, code: 'FORBIDDEN_PARTY', reason: fault };
}

/** The refusal of an event on which no transition is tried; undefined if its payload is as declared. */
export function untriedRefusal(
  contract: CompiledContract,
  state: Pick<ContractState, 'state'>,
  { name, payload }: Sent,
): Refusal | undefined {
  if (isTried(contract, state, name)) return undefined;
  const field = payloadFault(contract, name, payload);
  return field && { transition: null, code: 'PAYLOAD', reason: reasonOf(name, field), field };
}

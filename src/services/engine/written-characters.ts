// Counts the characters that a change writes, where a definition or a sender decides how many they are.

import type { ContractState, FiredTransition } from '../../contracts/contract-state.ts';
import type { Scalars } from '../../contracts/definition.ts';
import type { PartyState } from '../../contracts/parties/party-state.ts';
import type { KeptWindows } from '../../contracts/windows/kept-windows.ts';
import type { OutboxEntry } from '../../storage/webhooks/outbox.ts';

/** Of the texts of a transition's row and deliveries. Its activities have a limit of their own. */
export function firedCharacters(
  { emitted, logs, sends = [] }: FiredTransition,
  deliveries: readonly OutboxEntry[],
): number {
  let count = 0;
  for (const { body } of deliveries) count += body.length;
  for (const line of logs) count += line.length;
  for (const { payload } of [...emitted, ...sends]) count += textCharacters(payload);
  return count;
}

/** Of a state without its collections: the texts of its context, what belongs to its parties, and samples of windows. */
export function stateCharacters({ context, parties }: ContractState, windows: KeptWindows = {}): number {
  let count = textCharacters(context);
  if (parties !== undefined) count += partyCharacters(parties);
  for (const { held } of Object.values(windows)) for (const sample of held) count += sampleCharacters(sample);
  return count;
}

function textCharacters(values: Scalars): number {
  let count = 0;
  for (const value of Object.values(values)) if (typeof value === 'string') count += value.length;
  return count;
}

/** A tick, a number and punctuation. */
const NUMBERS_OF_SAMPLE = 32;

function sampleCharacters([, value, fields]: KeptWindows[string]['held'][number]): number {
  const texts = typeof value === 'string' ? value.length : 0;
  return NUMBERS_OF_SAMPLE + texts + (fields === undefined ? 0 : textCharacters(fields as Scalars));
}

/** By state: parties change seldom, and a proposal holds a definition. */
const ofParties = new WeakMap<PartyState, number>();

function partyCharacters(parties: PartyState): number {
  const known = ofParties.get(parties) ?? JSON.stringify(parties).length;
  ofParties.set(parties, known);
  return known;
}

// Permission to act on a contract by hand: to fire and skip transitions, and to hold their deadlines back.

import type { CompiledTransition } from '../../contracts/compiled.ts';
import type { Seat } from '../../contracts/parties/bindings.ts';
import { isTimer } from '../../contracts/schedule.ts';
import { DomainError } from '../../core/errors.ts';
import { ROLES, type Role } from '../../storage/machines/access/members.ts';
import type { LiveContract } from '../engine/live-contract.ts';

/** Who acts: the role on the machine, and the seat in the contract. */
export interface Hand {
  readonly role: Role | undefined;
  readonly seat: Seat | undefined;
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Whether the caller is the role or the party that a rule names; `never` is nobody. */
function meets({ role, seat }: Hand, rule: string): boolean {
  if (!isRole(rule)) return seat !== undefined && seat.party === rule;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(rule);
}

export const mayFire = (hand: Hand, { manual }: CompiledTransition): boolean => meets(hand, manual);

/** The error for a caller who may not do something by hand. @param act  such as `expire is fired` */
function forbidden(act: string, rule: string, { role, seat }: Hand, facts: Readonly<Record<string, string>>) {
  if (rule === 'never') {
    return new DomainError('FORBIDDEN', `${act} by nobody; this key has the role ${role ?? 'of no member'}.`, {
      facts,
    });
  }
  if (isRole(rule)) {
    const message = `${act} by the role ${rule} only; this key has the role ${role ?? 'of no member'}.`;
    return new DomainError('FORBIDDEN', message, { facts });
  }
  const who = seat === undefined ? 'is bound to no party' : `acts for ${seat.party}`;
  return new DomainError('FORBIDDEN_PARTY', `${act} by ${rule} only; this key ${who}.`, { facts });
}

export const notFirable = ({ id, manual }: CompiledTransition, hand: Hand): DomainError =>
  forbidden(`${id} is fired by hand`, manual, hand, { transition: id, manual });

/**
 * Skipping is as good as firing: in the second edition it obeys `manual`, too. Without a timer the skipped match may be
 * that of any event that leaves the state.
 *
 * @param timed  the transition whose occurrence is skipped; undefined if a match is
 * @throws DomainError FORBIDDEN, FORBIDDEN_PARTY
 */
export function assertMaySkip({ running }: LiveContract, timed: string | undefined, hand: Hand): void {
  const { contract, state } = running;
  if (contract.definition.edition !== 2) return;
  const skipped = contract.transitions.filter(({ id, from, trigger }) =>
    timed === undefined ? from.has(state.state) && !isTimer(trigger) : id === timed,
  );
  for (const { id, manual } of skipped) {
    if (!meets(hand, manual)) throw forbidden(`${id} is skipped`, manual, hand, { transition: id, manual });
  }
}

/**
 * Who may hold a contract back, and so its deadlines: in the second edition those whom `pause` names; by default
 * operators, and nobody if a transition is never fired by hand.
 *
 * @throws DomainError FORBIDDEN, FORBIDDEN_PARTY
 */
export function assertMayHold({ running }: LiveContract, act: 'paused' | 'frozen', hand: Hand): void {
  const { pause } = running.contract;
  if (!meets(hand, pause)) throw forbidden(`The contract is ${act}`, pause, hand, { pause });
}

/**
 * Operators end a hold, or a failure, with the deadlines where they were; to move them needs the right to pause.
 *
 * @throws DomainError FORBIDDEN, FORBIDDEN_PARTY
 */
export function assertMayResume({ running }: LiveContract, mode: string, hand: Hand): void {
  const { pause } = running.contract;
  if (meets(hand, pause) || (mode === 'deadline' && meets(hand, 'operator'))) return;
  throw forbidden(`The contract is resumed in the mode ${mode}`, pause, hand, { pause, mode });
}

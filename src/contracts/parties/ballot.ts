// Votes of a quorum: each voter has one on each event, which counts for the transitions whose filter it meets.

import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import type { CompiledContract, CompiledQuorum, CompiledTransition } from '../compiled.ts';
import type { ContractState, Environment, RefusedTransition, Stimulus } from '../contract-state.ts';
import { symbolsIn } from '../data/lets.ts';
import type { Scalar, Scalars } from '../definition.ts';
import { unitOfTime } from '../time/units.ts';
import { evaluateTyped, type TypedExpression } from '../typed-expressions.ts';
import { votersOf } from './bindings.ts';
import type { Ballot, Vote } from './party-state.ts';

type EventStimulus = Extract<Stimulus, { kind: 'event' }>;
type Refusal = Omit<RefusedTransition, 'transition'>;

interface QuorumTransition extends CompiledTransition {
  readonly trigger: CompiledQuorum;
}

const isQuorum = (transition: CompiledTransition): transition is QuorumTransition =>
  transition.trigger.kind === 'quorum';

/** The transitions out of a state that count the votes of an event. */
function quorumsOn({ transitions }: CompiledContract, state: string, event: string): QuorumTransition[] {
  return transitions.filter(isQuorum).filter(({ from, trigger }) => trigger.event === event && from.has(state));
}

/**
 * Records the vote that an event casts.
 *
 * @param readEvent  values of `event.*`
 * @returns the state with the vote, and why it was not recorded if it was not
 */
export function castVote(
  contract: CompiledContract,
  state: ContractState,
  { name, party, voter, tick }: EventStimulus,
  environment: Environment,
  readEvent: (name: string) => Scalar,
): { readonly state: ContractState; readonly refusal?: Refusal } {
  const { parties } = state;
  if (parties === undefined || party === undefined || voter === undefined) return { state };
  const quorums = quorumsOn(contract, state.state, name).filter(({ trigger }) => trigger.of.has(party));
  if (quorums.length === 0) return { state };
  const ballot = Object.hasOwn(parties.votes, name) ? (parties.votes[name] ?? {}) : {};
  if (Object.hasOwn(ballot, voter) && quorums.some(({ trigger }) => !trigger.isChangeable)) {
    return { state, refusal: { code: 'VOTED', reason: `${voter} has voted by ${name} in this state already.` } };
  }
  const read = (symbol: string) =>
    symbol.startsWith('event.') ? readEvent(symbol) : readStanding(contract, state, symbol);
  const holds = (expression: TypedExpression) => evaluateTyped(expression, read, environment.evaluate) === true;
  try {
    const vote: Vote = {
      tick,
      party,
      counts: quorums.filter(({ trigger: { filter } }) => filter === undefined || holds(filter)).map(({ id }) => id),
      vetoes: quorums.filter(({ trigger: { veto } }) => veto !== undefined && holds(veto)).map(({ id }) => id),
    };
    const votes = { ...parties.votes, [name]: { ...ballot, [voter]: vote } };
    return { state: { ...state, parties: { ...parties, votes } } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { state, refusal: { code: 'NO_VALUE', reason: error.message } };
  }
}

export interface QuorumProgress {
  readonly count: number;
  readonly needed: number;
  readonly vetoes: number;
}

/** How many votes count for a transition, and how many it needs. */
export function quorumProgress(
  contract: CompiledContract,
  state: ContractState,
  { id, trigger }: { readonly id: string; readonly trigger: CompiledQuorum },
  tick: number,
  evaluate: Environment['evaluate'],
): QuorumProgress {
  const votes: Ballot = state.parties?.votes[trigger.event] ?? {};
  const { within } = trigger;
  const standing = Object.values(votes).filter((vote) => within === undefined || vote.tick > tick - within);
  const counting = standing.filter(({ counts }) => counts.includes(id));
  const count = trigger.distinct === 'voters' ? counting.length : new Set(counting.map(({ party }) => party)).size;
  const needed = evaluateTyped(trigger.atLeast, (name) => readStanding(contract, state, name), evaluate);
  const vetoes = standing.filter((vote) => vote.vetoes.includes(id)).length;
  return { count, needed: Math.max(1, Number(needed)), vetoes };
}

/** A quorum out of the present state, and how far it is. */
export interface OpenQuorum extends QuorumProgress {
  /** Id of its transition. */
  readonly id: string;
  readonly trigger: CompiledQuorum;
}

/** The quorums out of the present state, in the order in which they are tried. */
export const openQuorums = (
  contract: CompiledContract,
  state: ContractState,
  tick: number,
  evaluate: Environment['evaluate'],
): OpenQuorum[] =>
  contract.transitions
    .filter(isQuorum)
    .filter(({ from }) => from.has(state.state))
    .map(({ id, trigger }) => ({ id, trigger, ...quorumProgress(contract, state, { id, trigger }, tick, evaluate) }));

/** Why a quorum does not fire its transition; undefined if it is reached. */
export function quorumRefusal({ count, needed, vetoes }: QuorumProgress, event: string): Refusal | undefined {
  if (vetoes > 0)
    return { code: 'VETO', reason: `${vetoes} standing ${vetoes === 1 ? 'veto blocks' : 'vetoes block'} it.` };
  if (count >= needed) return undefined;
  return { code: 'QUORUM', reason: `${count} of ${needed} votes by ${event} count for it.` };
}

/** Quorums that all votes together do not reach. Those that depend on context variables are left out. */
export function unreachableQuorums(
  contract: CompiledContract,
  state: ContractState,
  evaluate: Environment['evaluate'],
): ErrorDetail[] {
  const { bindings = {} } = state.parties ?? {};
  return contract.transitions.filter(isQuorum).flatMap(({ id, trigger }) => {
    if (symbolsIn(trigger.atLeast.text).some((name) => Object.hasOwn(state.context, name))) return [];
    const needed = evaluateTyped(trigger.atLeast, (name) => readStanding(contract, state, name), evaluate);
    const { parties = {} } = contract.definition;
    // A party that each instance binds for itself has one vote in it.
    const votes = [...trigger.of].map((party) =>
      trigger.distinct === 'parties' || parties[party]?.bind !== undefined ? 1 : votersOf(bindings, party).size,
    );
    const most = votes.reduce((sum, count) => sum + count, 0);
    if (Number(needed) <= most) return [];
    const path = `transitions.${id}.trigger.at_least`;
    const message = `${path} is ${needed}; ${[...trigger.of].join(' and ')} have ${most} votes, so it is never reached.`;
    return [{ path, code: 'UNREACHABLE', message }];
  });
}

/** The value of a parameter, a context variable or a unit of time, or the number of voters of a party. */
export function readStanding(
  { parameters }: { readonly parameters: Scalars },
  state: ContractState,
  name: string,
): Scalar {
  if (Object.hasOwn(state.context, name)) return state.context[name] as Scalar;
  if (name.endsWith(COUNT)) return votersOf(state.parties?.bindings ?? {}, name.slice(0, -COUNT.length)).size;
  const value = Object.hasOwn(parameters, name) ? parameters[name] : unitOfTime(name);
  if (value === undefined) throw new DomainError('VALIDATION_FAILED', `${name} has no value yet.`);
  return value;
}

const COUNT = '.count';

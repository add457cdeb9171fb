// Chooses among the laws whose required inputs are all given, step by step: those that use every given key, else the
// most keys; those that give the asked output; those that the words of the question single out. Several remain only as
// the links of one chain. A tie is a refusal.

import { DomainError } from '../core/errors.ts';
import { sameDimension } from '../core/units/dimension.ts';
import { type AskedQuantity, askedQuantity } from './asked-quantity.ts';
import { unitAsked } from './asked-unit.ts';
import { DOMAINS, type Domain } from './find-domain.ts';
import type { Operator } from './operator.ts';
import { canFeed } from './order.ts';
import { evidenceIn, type WordEvidence } from './search.ts';
import { indexLaws, type SearchIndex } from './search-index.ts';
import { unitOf } from './unit-table.ts';

/** Operators of one computation, in addition to KO42. */
export const MAX_OPERATORS = 3;
/** Operators that a selection or a refusal lists. */
export const MAX_LISTED = 5;

/** What is asked. */
export interface Wish {
  /** Unit or symbol of the output. */
  readonly as?: string | undefined;
  /** The question in words. */
  readonly query?: string | undefined;
}

/** An operator with the given keys that it uses and the inputs that it lacks. */
export interface Candidate {
  readonly operator: Operator;
  /** Given keys that it accepts. */
  readonly covered: readonly string[];
  /** Required inputs that are not given. */
  readonly missing: readonly string[];
}

export interface Choice {
  /** In the order of computation. */
  readonly chosen: readonly Candidate[];
  /** The steps that decided, in words. */
  readonly why: readonly string[];
}

interface Request extends Wish {
  readonly keys: readonly string[];
}

/**
 * @param fitting  at least one candidate, all without missing inputs
 * @throws DomainError OPERATOR_AMBIGUOUS, UNIT_INVALID, UNIT_MISMATCH
 */
export function chooseLaws(domain: Domain, fitting: readonly Candidate[], { keys, as, query }: Request): Choice {
  const most = Math.max(...fitting.map(({ covered }) => covered.length));
  let remaining: readonly Candidate[] = fitting.filter(({ covered }) => covered.length === most);
  const why: string[] = [];
  if (as !== undefined) {
    const giving = givingOutput(remaining, as);
    if (giving.length < remaining.length) why.push(`gives ${as}`);
    remaining = giving;
  }
  if (query !== undefined) {
    const meant = meantBy(domain, remaining, query, as === undefined ? askedQuantity(query) : undefined);
    if (meant.length < remaining.length) why.push('the question means it');
    remaining = meant;
  }
  if (remaining.length === 1) return { chosen: remaining, why };
  const chain = chainOf(remaining, keys);
  if (chain === undefined) throw ambiguous(domain, remaining, query);
  return { chosen: chain, why: [...why, 'links of one chain'] };
}

/** Those whose output is in this unit or one of its dimension, else those whose output has this symbol. */
function givingOutput(candidates: readonly Candidate[], as: string): readonly Candidate[] {
  const bySymbol = candidates.filter(({ operator }) => operator.output.symbol === as);
  const byUnit = candidates.filter(({ operator }) => isInUnit(operator, as, bySymbol.length > 0));
  const giving = byUnit.length > 0 ? byUnit : bySymbol;
  if (giving.length > 0) return giving;
  throw otherOutput(
    candidates.map(({ operator }) => operator),
    as,
  );
}

function otherOutput(operators: readonly Operator[], as: string): DomainError {
  const outputs = operators.slice(0, MAX_LISTED).map(({ id, output }) => `${id} ${output.symbol} in ${output.unit}`);
  const message = `The output asked for is ${as}; the laws that fit give ${outputs.join(', ')}.`;
  return new DomainError('UNIT_MISMATCH', message, { details: [{ path: 'as', code: 'UNIT_MISMATCH', message }] });
}

/**
 * The asked unit where it differs from that of the last operator; undefined where its symbol was asked for.
 *
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH
 */
export function unitOfValue(operators: readonly Operator[], as: string): string | undefined {
  const last = operators.at(-1);
  if (last === undefined || as === last.output.unit) return undefined;
  const isSymbol = last.output.symbol === as;
  if (isInUnit(last, as, isSymbol)) return as;
  if (isSymbol) return undefined;
  throw otherOutput([last], as);
}

/** @param isSymbol  whether the text need not be a unit */
function isInUnit({ output }: Operator, as: string, isSymbol: boolean): boolean {
  try {
    return sameDimension(unitAsked(as).dimension, unitOf(output.unit).dimension);
  } catch (error) {
    if (isSymbol) return false;
    throw error;
  }
}

/** Share of the question that the meant law has. */
const MIN_SHARE = 0.15;
/** One everyday word of several does not say that a law is meant: vinegar is asked about for many reasons. */
const MIN_SHARE_OF_ONE_WORD = 0.35;
const MIN_COUNT = 0.9;
/** Ratio of its score to that of the next candidate. */
const MIN_LEAD = 1.25;
/** Ratio of the best score of any other law to its own from which the question means the other law. */
const MAX_OTHER = 1.3;
/** The same for a law that is not written: it has no everyday words. */
const MAX_UNWRITTEN = 1.2;

/** All laws, those of the worklist that are not written too: a question may mean one of them. */
const ALL_LAWS = (): SearchIndex<Operator | undefined> => {
  registry ??= indexLaws(DOMAINS);
  return registry;
};

let registry: SearchIndex<Operator | undefined> | undefined;

interface Evidence extends WordEvidence {
  /** Undefined for a law that is not written. */
  readonly operator: Operator | undefined;
  /** Of its output. */
  readonly dimension: string;
}

/** The strongest first; undefined if the question has no word that can say anything. */
function evidenceOf(domain: Domain, query: string): readonly Evidence[] | undefined {
  const { entries, ...index } = DOMAINS.includes(domain) ? ALL_LAWS() : indexLaws([domain]);
  return evidenceIn({ entries, ...index }, query)
    ?.map((one, at) => ({ ...one, operator: entries[at]?.operator, dimension: entries[at]?.dimension ?? '' }))
    .sort((a, b) => b.score - a.score);
}

/**
 * The candidate that the question means. All of them if it means none of them alone.
 *
 * @param asked  a question after calories means no law of surviving germs, whatever it says of eggs
 * @throws DomainError OPERATOR_AMBIGUOUS if it means another law
 */
function meantBy(
  domain: Domain,
  candidates: readonly Candidate[],
  query: string,
  asked: AskedQuantity | undefined,
): readonly Candidate[] {
  const evidence = evidenceOf(domain, query);
  if (evidence === undefined) return candidates;
  const candidateOf = ({ operator }: Evidence) => candidates.find((one) => one.operator === operator);
  const [first, second] = evidence.filter(candidateOf);
  const others = evidence.filter((one) => candidateOf(one) === undefined);
  const [other] = others;
  if (first === undefined) return candidates;
  const isOtherQuantity = asked?.isCertain === true && !asked.dimensions.has(first.dimension);
  const isMeantBefore = ({ operator, score }: Evidence) =>
    score > (operator === undefined ? MAX_UNWRITTEN : MAX_OTHER) * first.score;
  const isHardlyNamed = first.share < (first.count < MIN_COUNT ? MIN_SHARE_OF_ONE_WORD : MIN_SHARE);
  if (isHardlyNamed || isOtherQuantity || others.some(isMeantBefore)) {
    throw ambiguous(domain, candidates, query, other ?? 'none');
  }
  if (second !== undefined && first.score < MIN_LEAD * second.score) return candidates;
  return candidates.filter(({ operator }) => operator === first.operator);
}

/** The laws in order if each but the last feeds a later one, through an input that is not given. */
function chainOf(candidates: readonly Candidate[], keys: readonly string[]): readonly Candidate[] | undefined {
  if (candidates.length > MAX_OPERATORS) return undefined;
  const feeds = (source: Candidate, target: Candidate) => {
    const { symbol } = source.operator.output;
    return !keys.includes(symbol) && canFeed(source.operator, target.operator, symbol);
  };
  const ordered: Candidate[] = [];
  for (let rest = candidates; rest.length > 0; ) {
    const next = rest.find((one) => !rest.some((source) => feeds(source, one)));
    if (next === undefined) return undefined;
    ordered.push(next);
    rest = rest.filter((one) => one !== next);
  }
  const isLinked = ordered.every(
    (source, at) => at === ordered.length - 1 || ordered.slice(at + 1).some((target) => feeds(source, target)),
  );
  return isLinked ? ordered : undefined;
}

function ambiguous(
  domain: Domain,
  candidates: readonly Candidate[],
  query: string | undefined,
  /** `none`: the question means none of the candidates, and no other law either. */
  other?: Evidence | 'none',
): DomainError {
  const meant = other === 'none' ? undefined : other?.operator;
  const shown = candidates.slice(0, MAX_LISTED);
  const names = shown.map(({ operator }) => `${operator.id} (${operator.name}, ${operator.output.unit})`).join(', ');
  const others = candidates.length > shown.length ? ` and ${candidates.length - shown.length} more` : '';
  const count = candidates.length === 1 ? 'one law' : `${candidates.length} laws`;
  const how = `The given keys fit ${count} of ${domain.name}: ${names}${others}`;
  const hint =
    meant === undefined
      ? other === undefined
        ? ''
        : ' The question means something else.'
      : ` The question sounds like ${meant.id} (${meant.name}), which needs ${Object.entries(meant.inputs)
          .filter(([, input]) => input.default === undefined)
          .map(([symbol]) => symbol)
          .join(', ')}.`;
  const next =
    query === undefined
      ? 'Name one in operators, ask for an output with as, or ask in words with query.'
      : 'Name one in operators.';
  const message = `${how}.${hint} ${next}`;
  return new DomainError('OPERATOR_AMBIGUOUS', message, {
    details: [{ path: 'operators', code: 'AMBIGUOUS', message }],
    facts: {
      candidates: shown.map(({ operator: { id, name, equation, output } }) => ({
        operator_id: id,
        name,
        equation,
        symbol: output.symbol,
        unit: output.unit,
      })),
      ...(meant === undefined ? {} : { nearest: meant.id }),
    },
  });
}

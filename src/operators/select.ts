// SELECT: chooses the operators of a domain for a request.
//
// The caller names them, or the wizard chooses among those whose required inputs are all given: a greedy cover of the
// given keys. An operator that uses no further key is listed, not run.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { nearestSuggestion } from '../core/nearest.ts';
import { sameDimension } from '../core/units/dimension.ts';
import type { Domain } from './find-domain.ts';
import { OPERATORS } from './load.ts';
import { type InputDefinition, type Operator, PULSE_OPERATOR } from './operator.ts';
import { givenKey, orderOperators } from './order.ts';
import { describeInput } from './range.ts';
import { namedByCaller, type Selection } from './selection.ts';
import { unitOf } from './unit-table.ts';

const MAX_OPERATORS = 3;
const MAX_LISTED = 5;

/** The given keys and units, without the numbers. */
export interface GivenKeys {
  /** Keys of inputs and constants, qualified or bare. */
  readonly keys: readonly string[];
  /** The caller's units by key. */
  readonly units: Readonly<Record<string, string>>;
}

export interface Selected {
  readonly operators: readonly Operator[];
  readonly selection: Selection;
}

/**
 * @param ids  as the caller names them; KO42 is ignored
 * @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED for too many, for a cycle, and where no operator fits
 */
export function selectOperators(domain: Domain, ids: readonly string[], given: GivenKeys): Selected {
  const named = [...new Set(ids)].filter((id) => id !== PULSE_OPERATOR);
  return named.length === 0 ? chosenByWizard(domain, given) : chosenByCaller(domain, named, given);
}

function chosenByCaller(domain: Domain, ids: readonly string[], given: GivenKeys): Selected {
  if (ids.length > MAX_OPERATORS) {
    const message = `${ids.length} operators are named (${ids.join(', ')}); at most ${MAX_OPERATORS} in addition to ${PULSE_OPERATOR} are allowed.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: 'operators', code: 'TOO_MANY_OPERATORS', message }],
    });
  }
  const operators = orderOperators(
    ids.map((id) => ownOperator(domain, id)),
    given.keys,
  );
  const isReordered = operators.some(({ id }, at) => id !== ids[at]);
  return { operators, selection: namedByCaller(operators, isReordered) };
}

function ownOperator(domain: Domain, id: string): Operator {
  const found = domain.operators.find((operator) => operator.id === id);
  if (found) return found;
  const ofOtherDomain = OPERATORS.get(id);
  if (ofOtherDomain) {
    throw new DomainError(
      'OPERATOR_UNKNOWN',
      `${id} belongs to the domain ${ofOtherDomain.prefix}, not to ${domain.name} (${domain.prefix}).`,
    );
  }
  const nearest = nearestSuggestion(
    id,
    domain.operators.map((operator) => operator.id),
  );
  throw new DomainError('OPERATOR_UNKNOWN', `${domain.name} has no operator ${id}.${nearest}`);
}

/** An operator with the given keys that it uses and the inputs that it lacks. */
interface Candidate {
  readonly operator: Operator;
  /** Given keys that it accepts. */
  readonly covered: readonly string[];
  /** Required inputs that are not given. */
  readonly missing: readonly string[];
}

function chosenByWizard(domain: Domain, given: GivenKeys): Selected {
  const candidates = domain.operators
    .filter(({ id }) => id !== PULSE_OPERATOR)
    .map((operator) => candidateOf(operator, given));
  const fitting = candidates.filter(({ missing }) => missing.length === 0).sort(compareCandidates);
  if (fitting.length === 0) throw noOperatorFits(domain, candidates);

  const taken: Candidate[] = [];
  const why: string[] = [];
  const used = new Set<string>();
  for (const candidate of fitting) {
    if (taken.length === MAX_OPERATORS) break;
    const added = candidate.covered.filter((key) => !used.has(key));
    if (taken.length > 0 && (added.length === 0 || taken.some((one) => isConflicting(one, candidate)))) continue;
    const more = taken.length === 0 ? '' : `; ${added.join(', ')} no other operator uses`;
    why.push(`uses ${listed(candidate.covered)}${more}`);
    taken.push(candidate);
    for (const key of added) used.add(key);
  }
  const rest = fitting.filter((one) => !taken.includes(one)).map(({ operator }) => operator.id);
  return {
    operators: taken.map(({ operator }) => operator),
    selection: {
      by: 'wizard',
      operators: taken.map(({ operator: { id, name } }, at) => ({ operator_id: id, name, why: why[at] ?? '' })),
      ...(rest.length === 0 ? {} : { also_fit: rest.slice(0, MAX_LISTED) }),
    },
  };
}

const listed = (keys: readonly string[]) => (keys.length === 0 ? 'its defaults only' : keys.join(', '));

function candidateOf(operator: Operator, { keys, units }: GivenKeys): Candidate {
  const covered: string[] = [];
  const missing: string[] = [];
  for (const [symbol, input] of Object.entries(operator.inputs)) {
    const key = givenKey(operator, symbol, (one) => keys.includes(one) && hasDimensionOf(input, units[one]));
    if (key !== undefined) covered.push(key);
    else if (input.default === undefined) missing.push(symbol);
  }
  return { operator, covered, missing };
}

/** A key given in a unit of another dimension is not this input. */
function hasDimensionOf({ unit }: InputDefinition, given: string | undefined): boolean {
  return given === undefined || hasSameDimension(given, unit);
}

const hasSameDimension = (a: string, b: string) => sameDimension(unitOf(a).dimension, unitOf(b).dimension);

/** Both accept a key, in different dimensions: the gate would refuse them together. */
function isConflicting(one: Candidate, other: Candidate): boolean {
  return one.covered.some((key) => {
    const [a, b] = [one, other].map(({ operator, covered }) => covered.includes(key) && operator.inputs[key]?.unit);
    return a && b && !hasSameDimension(a, b);
  });
}

/** By number of used keys, then by tier, then by id. */
function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    b.covered.length - a.covered.length || a.operator.tier - b.operator.tier || compareIds(a.operator.id, b.operator.id)
  );
}

/** QM5 before QM10. */
function compareIds(a: string, b: string): number {
  const number = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? -1);
  const letters = (id: string) => id.replace(/\d+$/, '');
  if (letters(a) !== letters(b)) return letters(a) < letters(b) ? -1 : 1;
  return number(a) - number(b);
}

/** Names the operators with the fewest missing inputs. */
function noOperatorFits(domain: Domain, candidates: readonly Candidate[]): DomainError {
  if (candidates.length === 0) {
    return new DomainError('OPERATOR_UNKNOWN', `The domain ${domain.name} has no operators yet.`);
  }
  const nearest = candidates
    .toSorted((a, b) => a.missing.length - b.missing.length || compareCandidates(a, b))
    .slice(0, MAX_OPERATORS);
  const details = nearest.flatMap(({ operator, missing }) =>
    missing.map(
      (symbol): ErrorDetail => ({
        path: `inputs.${symbol}`,
        code: 'MISSING',
        message: `${operator.id} (${operator.name}) needs ${symbol}: ${describeInput(operator.inputs[symbol] ?? { unit: '1' })}.`,
      }),
    ),
  );
  const [first] = nearest;
  const missing = nearest.map(({ operator, missing }) => `${operator.id} lacks ${missing.join(', ')}`).join('; ');
  return new DomainError('VALIDATION_FAILED', `No operator of ${domain.name} has all required inputs: ${missing}.`, {
    details,
    facts: {
      selection: {
        by: 'wizard',
        near_misses: nearest.map(({ operator: { id, name, inputs }, covered, missing }) => ({
          operator_id: id,
          name,
          uses: covered,
          missing: Object.fromEntries(missing.map((symbol) => [symbol, inputs[symbol]?.unit ?? '1'])),
        })),
      },
      ...(first === undefined ? {} : { nearest: first.operator.id }),
    },
  });
}

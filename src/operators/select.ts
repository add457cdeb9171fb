// SELECT: chooses the operators of a domain for a request.
//
// The caller names them, or the wizard chooses one law (choose-laws.ts).

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { nearestSuggestion } from '../core/nearest.ts';
import { sameDimension } from '../core/units/dimension.ts';
import { type Candidate, chooseLaws, MAX_LISTED, MAX_OPERATORS, unitOfValue, type Wish } from './choose-laws.ts';
import type { Domain } from './find-domain.ts';
import { aliasedKeys } from './input-aliases.ts';
import { OPERATORS } from './load.ts';
import { type InputDefinition, type Operator, PULSE_OPERATOR } from './operator.ts';
import { givenKey, orderOperators } from './order.ts';
import { describeInput } from './range.ts';
import { namedByCaller, type Selection } from './selection.ts';
import { unitOf } from './unit-table.ts';

/** The given keys and units, without the numbers, and what is asked. */
export interface GivenKeys extends Wish {
  /** Keys of inputs and constants, qualified or bare. */
  readonly keys: readonly string[];
  /** The caller's units by key. */
  readonly units: Readonly<Record<string, string>>;
  /** The input that is asked for; the output of the law is then among the keys. */
  readonly solveFor?: string | undefined;
}

export interface Selected {
  readonly operators: readonly Operator[];
  readonly selection: Selection;
  /** Asked unit of the value, where it differs from that of the last operator. */
  readonly unit?: string;
}

/**
 * @param ids  as the caller names them; KO42 is ignored
 * @throws DomainError OPERATOR_UNKNOWN; OPERATOR_AMBIGUOUS where several laws remain; UNIT_MISMATCH where none gives
 *   the asked output; VALIDATION_FAILED for too many, for a cycle, and where no operator fits
 */
export function selectOperators(domain: Domain, ids: readonly string[], given: GivenKeys): Selected {
  const named = [...new Set(ids)].filter((id) => id !== PULSE_OPERATOR);
  const selected = named.length === 0 ? chosenByWizard(domain, given) : chosenByCaller(domain, named, given);
  const unit = given.as === undefined ? undefined : askedUnit(selected.operators, given.as, given.solveFor);
  return unit === undefined ? selected : { ...selected, unit };
}

/** Of an unknown, the unit as it is asked for: BIND knows its input. */
const askedUnit = (operators: readonly Operator[], as: string, solveFor: string | undefined) =>
  solveFor === undefined ? unitOfValue(operators, as) : as;

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

function chosenByWizard(domain: Domain, given: GivenKeys): Selected {
  const candidates = domain.operators
    .filter(({ id }) => id !== PULSE_OPERATOR)
    .flatMap((operator) => {
      const own = given.solveFor === undefined ? given : inverted(operator, given, given.solveFor);
      return own === undefined ? [] : [candidateOf(operator, own)];
    });
  if (candidates.length === 0 && given.solveFor !== undefined) throw noneToInvert(domain, given.solveFor);
  const fitting = candidates.filter(({ missing }) => missing.length === 0);
  if (fitting.length === 0) throw noOperatorFits(domain, candidates);
  // The asked unit is then that of the unknown.
  const { chosen, why } = chooseLaws(
    domain,
    fitting,
    given.solveFor === undefined ? given : { ...given, as: undefined },
  );
  const rest = fitting.filter((one) => !chosen.includes(one)).map(({ operator }) => operator.id);
  return {
    operators: chosen.map(({ operator }) => operator),
    selection: {
      by: 'wizard',
      operators: chosen.map(({ operator: { id, name }, covered }) => ({
        operator_id: id,
        name,
        why: [`uses ${listed(covered)}`, ...why].join('; '),
      })),
      ...(rest.length === 0 ? {} : { also_fit: rest.slice(0, MAX_LISTED) }),
    },
  };
}

const listed = (keys: readonly string[]) => (keys.length === 0 ? 'its defaults only' : keys.join(', '));

function candidateOf(operator: Operator, { keys, units }: GivenKeys): Candidate {
  const covered: string[] = [];
  const missing: string[] = [];
  const aliased = aliasedKeys([operator], (key) => keys.includes(key));
  /** Keys as they are given, by the own names of the inputs. */
  const given = new Map(keys.map((key) => [aliased.get(key) ?? key, key]));
  for (const [symbol, input] of Object.entries(operator.inputs)) {
    const key = givenKey(operator, symbol, (one) => {
      const own = given.get(one);
      return own !== undefined && hasDimensionOf(input, units[own]);
    });
    if (key !== undefined) covered.push(given.get(key) ?? key);
    else if (input.default === undefined) missing.push(symbol);
  }
  return { operator, covered, missing };
}

/** The keys as if the unknown were given and the output were not; undefined for a law that cannot be asked for it. */
function inverted({ id, inputs, output }: Operator, given: GivenKeys, solveFor: string): GivenKeys | undefined {
  const bare = solveFor.startsWith(`${id}.`) ? solveFor.slice(id.length + 1) : solveFor;
  const symbol = Object.hasOwn(inputs, bare)
    ? bare
    : Object.keys(inputs).find((one) => inputs[one]?.aliases?.includes(bare));
  const value = [`${id}.${output.symbol}`, output.symbol].find((key) => given.keys.includes(key));
  if (symbol === undefined || value === undefined || !hasDimensionOf(output, given.units[value])) return undefined;
  return { ...given, keys: [...given.keys.filter((key) => key !== value), symbol] };
}

function noneToInvert({ name }: Domain, solveFor: string): DomainError {
  const message = `No law of ${name} takes ${solveFor} and gives one of the inputs; give the value of the law under its symbol.`;
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'solve_for', code: 'UNKNOWN_FIELD', message }],
  });
}

/** A key given in a unit of another dimension is not this input. */
function hasDimensionOf({ unit }: Pick<InputDefinition, 'unit'>, given: string | undefined): boolean {
  return given === undefined || sameDimension(unitOf(given).dimension, unitOf(unit).dimension);
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

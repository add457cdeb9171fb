// Closed list: every operator is in the worklist under its id and name, and a domain has exactly its budget.

import { nearestNames } from '../../core/nearest.ts';
import type { OperatorRecord } from '../operator.ts';
import type { WorklistDomain } from '../worklist.ts';
import { type Diagnostic, error, open, warning } from './diagnostic.ts';

const CLOSED =
  'The list is closed: take the next law of src/operators/worklist.json or own-laws.json with its id and name.';

/** @param seen  ids of the operators before this one */
export function checkListed(record: OperatorRecord, domain: WorklistDomain, seen: ReadonlySet<string>): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const { id, name } = record;
  if (seen.has(id)) diagnostics.push(error(`the id ${id} occurs twice`, 'An id belongs to one operator.'));
  const listed = Object.hasOwn(domain.laws, id) ? domain.laws[id] : undefined;
  if (listed === undefined) {
    const same = Object.entries(domain.laws).find(([, law]) => law === name)?.[0];
    const nearest = same ?? nearestNames(id, Object.keys(domain.laws), 1)[0];
    const hint =
      nearest === undefined ? '' : `; ${same === undefined ? 'the nearest id is' : 'this name has the id'} ${nearest}`;
    diagnostics.push(error(`${id} is not an id of ${domain.prefix}${hint}`, CLOSED));
  } else if (listed !== name) {
    diagnostics.push(error(`${id} is called "${name}", the list has "${listed}"`, CLOSED));
  }
  return diagnostics;
}

/**
 * @param count           operators in the file; `records` are those that follow the schema
 * @param mustBeComplete  makes a budget that is not met an error
 */
export function checkBudget(
  records: readonly OperatorRecord[],
  count: number,
  domain: WorklistDomain,
  mustBeComplete: boolean,
): Diagnostic[] {
  const { budget, prefix } = domain;
  const text = `${prefix} has ${count} of ${budget} operators`;
  const diagnostics = checkOrder(records, domain);
  if (count > budget) {
    diagnostics.push(error(text, 'A domain has exactly its budget: remove the last operators.'));
  } else if (count < budget) {
    const fix = 'Write the laws in list order until the budget is met.';
    diagnostics.push(mustBeComplete ? error(text, fix) : open(text, fix));
  }
  return diagnostics;
}

function checkOrder(records: readonly OperatorRecord[], { laws }: WorklistDomain): Diagnostic[] {
  const place = new Map(Object.keys(laws).map((id, i) => [id, i]));
  const known = records.filter(({ id }) => place.has(id));
  const late = known.find(({ id }, i) => i > 0 && (place.get(id) ?? 0) < (place.get(known[i - 1]?.id ?? '') ?? 0));
  if (late === undefined) return [];
  return [warning(`${late.id} comes after a law that is later in the list`, 'Keep the order of the worklist.')];
}

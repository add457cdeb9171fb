// Closed list: every operator stands in the worklist under its id and name, and a domain's budget is met exactly.

import { nearestNames } from '../../core/nearest.ts';
import type { OperatorRecord } from '../operator.ts';
import { type Complaint, error, open, warning } from './finding.ts';
import type { WorklistDomain } from './worklist.ts';

const CLOSED =
  'The list is closed: take the next law of src/operators/worklist.json, with its id and name as they stand.';

/** @param seen  ids of the registry before this one */
export function checkListed(record: OperatorRecord, domain: WorklistDomain, seen: ReadonlySet<string>): Complaint[] {
  const complaints: Complaint[] = [];
  const { id, name } = record;
  if (seen.has(id)) complaints.push(error(`the id ${id} occurs twice`, 'An id belongs to one operator.'));
  const listed = Object.hasOwn(domain.laws, id) ? domain.laws[id] : undefined;
  if (listed === undefined) {
    const same = Object.entries(domain.laws).find(([, law]) => law === name)?.[0];
    const nearest = same ?? nearestNames(id, Object.keys(domain.laws), 1)[0];
    const hint =
      nearest === undefined ? '' : `; ${same === undefined ? 'the nearest id is' : 'this name has the id'} ${nearest}`;
    complaints.push(error(`${id} is not an id of ${domain.prefix}${hint}`, CLOSED));
  } else if (listed !== name) {
    complaints.push(error(`${id} is called "${name}", the list says "${listed}"`, CLOSED));
  }
  return complaints;
}

/**
 * @param count           operators in the file; `records` are those that follow the schema
 * @param mustBeComplete  an open budget is an error
 */
export function checkBudget(
  records: readonly OperatorRecord[],
  count: number,
  domain: WorklistDomain,
  mustBeComplete: boolean,
): Complaint[] {
  const { budget, prefix } = domain;
  const text = `${prefix} has ${count} of ${budget} operators`;
  const complaints = checkOrder(records, domain);
  if (count > budget) {
    complaints.push(error(text, 'The budget is met exactly: remove the last ones; extra entries do not count.'));
  } else if (count < budget) {
    const mend = 'Write the laws in list order until the budget is met.';
    complaints.push(mustBeComplete ? error(text, mend) : open(text, mend));
  }
  return complaints;
}

function checkOrder(records: readonly OperatorRecord[], { laws }: WorklistDomain): Complaint[] {
  const place = new Map(Object.keys(laws).map((id, i) => [id, i]));
  const known = records.filter(({ id }) => place.has(id));
  const late = known.find(({ id }, i) => i > 0 && (place.get(id) ?? 0) < (place.get(known[i - 1]?.id ?? '') ?? 0));
  if (late === undefined) return [];
  return [warning(`${late.id} stands after a law that comes later in the list`, 'Keep the order of the worklist.')];
}

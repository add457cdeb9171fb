// The operator registry: every operator of every file of domains/, by id. A file in that folder adds a domain.

import { readJsonFiles } from '#json-files';
import { DomainError } from '../core/errors.ts';
import type { JsonFile } from '../core/json-file.ts';
import { didYouMean, nearestNames, nearestSuggestion } from '../core/nearest.ts';
import { quoteValue } from '../core/validation.ts';
import type { Operator, OperatorFile } from './operator.ts';

export const OPERATORS = loadOperators(new URL('./domains/', import.meta.url));

/**
 * Domains in order of their prefixes, operators in the order of their file. Dimensions, examples and the rest of the
 * form are checked by `npm run check:operators`.
 *
 * @throws Error naming the file that is not JSON, has another prefix than its name, or repeats an id
 */
export function loadOperators(folder: string | URL): ReadonlyMap<string, Operator> {
  const operators = new Map<string, Operator>();
  const paths = new Map<string, string>();
  for (const file of readJsonFiles(folder)) {
    const { prefix, operators: records } = asOperatorFile(file);
    for (const record of records) {
      const known = paths.get(record.id);
      if (known !== undefined) {
        throw new Error(`${file.path} has the operator id ${record.id}, which ${known} has; an id must occur once.`);
      }
      paths.set(record.id, file.path);
      operators.set(record.id, { ...record, prefix });
    }
  }
  return operators;
}

function asOperatorFile({ path, name, content }: JsonFile): OperatorFile {
  const { prefix, operators } = (content ?? {}) as Partial<OperatorFile>;
  if (prefix !== name) {
    throw new Error(
      `${path} has the prefix ${quoteValue(prefix)}; ${quoteValue(name)} is expected, the name of the file.`,
    );
  }
  if (!Array.isArray(operators)) throw new Error(`${path} has operators ${quoteValue(operators)}; a list is expected.`);
  return { prefix, operators };
}

/** @throws DomainError OPERATOR_UNKNOWN with the three nearest ids */
export function findOperator(id: string): Operator {
  const operator = OPERATORS.get(id);
  if (operator) return operator;
  const nearest = nearestNames(id, OPERATORS.keys());
  throw new DomainError(
    'OPERATOR_UNKNOWN',
    `No operator has the id ${id}.${didYouMean(id, nearest) || nearestSuggestion(id, OPERATORS.keys())}`,
    {
      facts: { nearest },
    },
  );
}

// The registry: every operator of every domain file, by id. One line adds a domain.

import { DomainError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import CHE from './domains/CHE.json' with { type: 'json' };
import KO from './domains/KO.json' with { type: 'json' };
import QM from './domains/QM.json' with { type: 'json' };
import type { Operator, OperatorFile } from './operator.ts';

const FILES: readonly OperatorFile[] = [CHE, KO, QM] as readonly OperatorFile[];

export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  FILES.flatMap(({ prefix, operators }) => operators.map((record) => [record.id, { ...record, prefix }])),
);

/** @throws DomainError OPERATOR_UNKNOWN */
export function findOperator(id: string): Operator {
  const operator = OPERATORS.get(id);
  if (operator) return operator;
  throw new DomainError('OPERATOR_UNKNOWN', `No operator has the id ${id}.${didYouMean(id, OPERATORS.keys())}`);
}

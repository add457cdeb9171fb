// The order in which the operators of a chain are computed, and which of them feed each other.

import { DomainError } from '../core/errors.ts';
import { sameDimension } from '../core/units/dimension.ts';
import type { OperatorDefinition } from './operator.ts';
import { unitOf } from './unit-table.ts';

/** Can the value of `source` stand for the input `symbol` of `target`? */
export function canFeed(source: OperatorDefinition, target: OperatorDefinition, symbol: string): boolean {
  const input = target.inputs[symbol];
  if (input === undefined || source.id === target.id || source.output.symbol !== symbol) return false;
  return sameDimension(unitOf(source.output.unit).dimension, unitOf(input.unit).dimension);
}

/** Is a value given for this input? The qualified key is looked for first, but either will do. */
export function givenKey(
  { id, inputs }: OperatorDefinition,
  symbol: string,
  has: (key: string) => boolean,
): string | undefined {
  if (!Object.hasOwn(inputs, symbol)) return undefined;
  return [`${id}.${symbol}`, symbol].find(has);
}

/**
 * As given where that works; otherwise whatever yields a required input is put before what needs it.
 *
 * @param keys  keys of the inputs and constants of the call
 * @throws DomainError VALIDATION_FAILED naming a cycle
 */
export function orderOperators<Operator extends OperatorDefinition>(
  operators: readonly Operator[],
  keys: readonly string[],
): readonly Operator[] {
  const has = (key: string) => keys.includes(key);
  const ordered: Operator[] = [];
  const open: Operator[] = [];
  const place = (operator: Operator) => {
    if (ordered.includes(operator)) return;
    if (open.includes(operator)) throw cycle([...open.slice(open.indexOf(operator)), operator]);
    open.push(operator);
    for (const [symbol, input] of Object.entries(operator.inputs)) {
      if (input.default !== undefined || givenKey(operator, symbol, has) !== undefined) continue;
      const sources = operators.filter((source) => canFeed(source, operator, symbol));
      if (sources.some((source) => ordered.includes(source))) continue;
      const source = sources.find((one) => !open.includes(one)) ?? sources[0];
      if (source) place(source);
    }
    open.pop();
    ordered.push(operator);
  };
  for (const operator of operators) place(operator);
  return ordered;
}

function cycle(path: readonly OperatorDefinition[]): DomainError {
  const steps = path.slice(1).map((source, at) => `${path[at]?.id} needs ${source.output.symbol} of ${source.id}`);
  const message = `The operators need each other in a cycle: ${steps.join(', ')}. Give one of these as an input.`;
  return new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'operators', code: 'CYCLE', message }],
    facts: { cycle: path.map(({ id }) => id) },
  });
}

// The order of computation in a chain of operators, and which outputs feed which inputs.

import { DomainError } from '../core/errors.ts';
import { sameDimension } from '../core/units/dimension.ts';
import { aliasedKeys } from './input-aliases.ts';
import type { OperatorDefinition } from './operator.ts';
import { unitOf } from './unit-table.ts';

/** Whether the output of `source` can be the input `symbol` of `target`: same symbol, same dimension. */
export function canFeed(source: OperatorDefinition, target: OperatorDefinition, symbol: string): boolean {
  const input = target.inputs[symbol];
  if (input === undefined || source.id === target.id || source.output.symbol !== symbol) return false;
  return sameDimension(unitOf(source.output.unit).dimension, unitOf(input.unit).dimension);
}

/** The key under which a value for this input is given: the qualified key, else the bare one, else undefined. */
export function givenKey(
  { id, inputs }: OperatorDefinition,
  symbol: string,
  has: (key: string) => boolean,
): string | undefined {
  if (!Object.hasOwn(inputs, symbol)) return undefined;
  return [`${id}.${symbol}`, symbol].find(has);
}

/**
 * Topological order by depth-first search: an operator whose output is a required input of another comes before it.
 * Apart from that the given order is kept.
 *
 * @param keys  keys of the inputs and constants of the call
 * @throws DomainError VALIDATION_FAILED naming a cycle
 */
export function orderOperators<Operator extends OperatorDefinition>(
  operators: readonly Operator[],
  keys: readonly string[],
): readonly Operator[] {
  const aliased = aliasedKeys(operators, (key) => keys.includes(key));
  const own = keys.map((key) => aliased.get(key) ?? key);
  const has = (key: string) => own.includes(key);
  const ordered: Operator[] = [];
  const visiting: Operator[] = [];
  const visit = (operator: Operator) => {
    if (ordered.includes(operator)) return;
    if (visiting.includes(operator)) throw cycle([...visiting.slice(visiting.indexOf(operator)), operator]);
    visiting.push(operator);
    for (const [symbol, input] of Object.entries(operator.inputs)) {
      if (input.default !== undefined || givenKey(operator, symbol, has) !== undefined) continue;
      const sources = operators.filter((source) => canFeed(source, operator, symbol));
      if (sources.some((source) => ordered.includes(source))) continue;
      const source = sources.find((one) => !visiting.includes(one)) ?? sources[0];
      if (source) visit(source);
    }
    visiting.pop();
    ordered.push(operator);
  };
  for (const operator of operators) visit(operator);
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

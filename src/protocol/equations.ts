// The equations of a chain with numbers in place of symbols, for human readers.

import { printEquation } from '../expressions/print.ts';
import { symbolsOf } from '../expressions/tree.ts';
import { compileOperator, printOperator } from '../operators/evaluate.ts';
import type { OperatorDefinition } from '../operators/operator.ts';
import type { Computation } from './computation.ts';

/** Symbols of an operator with numbers in declared units. */
type Numbers = Readonly<Record<string, number>>;

/**
 * Prints KO42 first, with the value as S and t as a symbol, then each operator. A symbol without a number stays a
 * symbol.
 *
 * @param numbers  by operator
 */
export function printChain(
  { definitions, phi0, unit }: Computation,
  value: number,
  numbers: Readonly<Record<string, Numbers>>,
): readonly string[] {
  const [pulse, ...operators] = definitions;
  if (pulse === undefined) return [];
  const { equation, constants } = compileOperator(pulse);
  const modulation = new Map([...Object.entries(constants), ['S', value], ['phi0', phi0]] as [string, number][]);
  return [
    printEquation(equation, modulation, unit),
    ...operators.map((operator) => printWithInputs(operator, numbers[operator.id] ?? {})),
  ];
}

/** `E = 3^2*pi^2*…/(2*9.1e-31*2.5e-9^2) [J] with n = 3, m = 9.1e-31 kg, L = 2.5 nm` */
function printWithInputs(operator: OperatorDefinition, numbers: Numbers): string {
  const substituted = printOperator(operator, numbers);
  const inputs = symbolsIn(operator).flatMap((symbol) => {
    const value = numbers[symbol];
    const unit = operator.inputs[symbol]?.unit ?? '1';
    return value === undefined ? [] : [`${symbol} = ${value}${unit === '1' ? '' : ` ${unit}`}`];
  });
  return inputs.length === 0 ? substituted : `${substituted} with ${inputs.join(', ')}`;
}

const symbolsByOperator = new WeakMap<OperatorDefinition, readonly string[]>();

/** Symbols in the order in which a reader meets them, because a receipt does not preserve the order of object keys. */
function symbolsIn(operator: OperatorDefinition): readonly string[] {
  const known = symbolsByOperator.get(operator);
  if (known) return known;
  const { equation, where } = compileOperator(operator);
  const trees = [equation.expression, ...where.map(({ expression }) => expression)];
  const symbols = [...new Set(trees.flatMap((tree) => [...symbolsOf(tree)]))];
  symbolsByOperator.set(operator, symbols);
  return symbols;
}

// Where the states begin: numbers, and expressions that the kernel evaluates before its first step.

import { didYouMean } from '../../core/nearest.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import { assertSymbols } from './checks.ts';
import type { UnifiedInput } from './input.ts';
import type { InitialLine, Line } from './lines.ts';
import { numbersOf, refusal, within } from './lists.ts';
import type { Scale } from './units.ts';

/** The states at t0: coherent numbers, and expressions that the kernel evaluates. */
export function initialValues(
  input: UnifiedInput,
  written: readonly InitialLine[],
  states: readonly Line[],
  constants: ReadonlySet<string>,
  scaleOf: (name: string) => Scale,
): { readonly numbers: ReadonlyMap<string, number>; readonly formulas: readonly InitialLine[] } {
  const names = states.map(({ symbol }) => symbol);
  const numbers = new Map<string, number>();
  const formulas: InitialLine[] = [];
  const assertNew = (symbol: string, path: string) => {
    if (!names.includes(symbol)) {
      const meant = didYouMean(symbol, names);
      const message = `${path}: ${symbol} has no differential equation, so it takes no initial value.${meant}`;
      throw refusal(path, message, 'UNKNOWN_FIELD');
    }
    if (!numbers.has(symbol) && !formulas.some((one) => one.symbol === symbol)) return;
    throw refusal(path, `${path}: the initial value of ${symbol} is given twice.`, 'DUPLICATE');
  };
  for (const [symbol, value] of numbersOf('initial', input.initial)) {
    assertNew(symbol, `initial.${symbol}`);
    numbers.set(symbol, scaleOf(symbol).toCoherent(value));
  }
  for (const line of written) {
    const { symbol, at, expression, path, text } = line;
    if (at !== 't0' && Number(at || Number.NaN) !== input.t0) {
      const message = `${path} (${text}): the value at ${at || 'nothing'} is given; the one at t0 = ${input.t0} is expected.`;
      throw refusal(path, message, 'INITIAL');
    }
    assertNew(symbol, path);
    within(path, text, () => assertSymbols(expression, constants));
    const number = literalOf(expression);
    if (number === undefined) formulas.push({ ...line, expression: inCoherent(expression, scaleOf(symbol)) });
    else numbers.set(symbol, scaleOf(symbol).toCoherent(number));
  }
  const [first, ...more] = names.filter((name) => !numbers.has(name) && !formulas.some((one) => one.symbol === name));
  if (first !== undefined) {
    const expected = `${first}(${input.t0}) = … among the equations, or initial.${first}, is expected`;
    const message = `There is no initial value for ${[first, ...more].join(', ')}; ${expected}.`;
    throw refusal(`initial.${first}`, message, 'MISSING');
  }
  return { numbers, formulas };
}

function literalOf(node: Expression): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const value = literalOf(node.operand);
  return value === undefined ? undefined : -value;
}

/** Numbers alone are in the unit of the symbol; what is made of other symbols is coherent already. */
function inCoherent(left: Expression, { toCoherent }: Scale): Expression {
  const value = toCoherent(1);
  const { start, end } = left;
  if (symbolsOf(left).size > 0 || value === 1) return left;
  return { kind: 'binary', operator: '*', left, right: { kind: 'number', value, start, end }, start, end };
}

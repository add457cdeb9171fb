// Initial values of the states: numbers, and expressions that the kernel evaluates before its first step.

import { didYouMean } from '../../core/nearest.ts';
import { type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { assertSymbols } from './checks.ts';
import { parseNumbers, withPath } from './entries.ts';
import type { UnifiedInput } from './inputs.ts';
import type { InitialLine, Line } from './lines.ts';
import type { Scale } from './units.ts';

/** Initial values at t0: coherent numbers, and expressions that the kernel evaluates. */
export function initialValues(
  input: UnifiedInput,
  initialLines: readonly InitialLine[],
  states: readonly Line[],
  constants: ReadonlySet<string>,
  scaleOf: (name: string) => Scale,
): { readonly numbers: ReadonlyMap<string, number>; readonly formulas: readonly InitialLine[] } {
  const names = states.map(({ symbol }) => symbol);
  const numbers = new Map<string, number>();
  const formulas: InitialLine[] = [];
  const assertNew = (symbol: string, path: string) => {
    if (!names.includes(symbol)) {
      const suggestion = didYouMean(symbol, names);
      const message = `${path}: ${symbol} has no differential equation, so it takes no initial value.${suggestion}`;
      throw validationError(path, message, 'UNKNOWN_FIELD');
    }
    if (!numbers.has(symbol) && !formulas.some((formula) => formula.symbol === symbol)) return;
    throw validationError(path, `${path}: the initial value of ${symbol} is given twice.`, 'DUPLICATE');
  };
  for (const [symbol, value] of parseNumbers('initial', input.initial)) {
    assertNew(symbol, `initial.${symbol}`);
    numbers.set(symbol, scaleOf(symbol).toCoherent(value));
  }
  for (const line of initialLines) {
    const { symbol, time, expression, path, text } = line;
    if (time !== 't0' && Number(time || Number.NaN) !== input.t0) {
      const message = `${path} (${text}): the value at ${time || 'nothing'} is given; the one at t0 = ${input.t0} is expected.`;
      throw validationError(path, message, 'INITIAL');
    }
    assertNew(symbol, path);
    withPath(path, text, () => assertSymbols(expression, constants));
    const number = literalOf(expression);
    if (number === undefined) formulas.push({ ...line, expression: inCoherent(expression, scaleOf(symbol)) });
    else numbers.set(symbol, scaleOf(symbol).toCoherent(number));
  }
  const [first, ...others] = names.filter(
    (name) => !numbers.has(name) && !formulas.some((formula) => formula.symbol === name),
  );
  if (first !== undefined) {
    const expected = `${first}(${input.t0}) = … among the equations, or initial.${first}, is expected`;
    const message = `Missing initial value for ${[first, ...others].join(', ')}; ${expected}.`;
    throw validationError(`initial.${first}`, message, 'MISSING');
  }
  return { numbers, formulas };
}

function literalOf(node: Expression): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const value = literalOf(node.operand);
  return value === undefined ? undefined : -value;
}

/** Scales an expression of literals from the unit of the symbol; expressions of other symbols are already coherent. */
function inCoherent(left: Expression, { toCoherent }: Scale): Expression {
  const value = toCoherent(1);
  const { start, end } = left;
  if (symbolsOf(left).size > 0 || value === 1) return left;
  return { kind: 'binary', operator: '*', left, right: { kind: 'number', value, start, end }, start, end };
}

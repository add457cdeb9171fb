// An equation of a law as MathML, with a line for each of its cases.

import { parseEquation } from '../../../src/expressions/parse.ts';
import { element, type MathNode } from '../../../src/portal/kit/math-node.ts';
import {
  casesOf,
  expressionMath,
  infix,
  type Meanings,
  symbolMath,
  termsMath,
} from '../../../src/portal/operators/formula.ts';

const math = (...content: readonly MathNode[]) =>
  element('math', { displaystyle: 'true' }, element('mrow', null, content));

export function equationNode(equation: string, meanings: Meanings): MathNode {
  const { symbol, expression } = parseEquation(equation);
  const left = math(symbolMath(symbol, meanings[symbol]), infix('=', { rspace: '0' }));
  const cases = casesOf(expression);
  const terms = (value: typeof expression) => termsMath(value, meanings).flatMap((term) => [' ', math(term)]);
  if (cases.length === 1) return element('p', { class: 'formula' }, left, ...terms(expression));
  return element(
    'div',
    { class: 'formula formula-cases' },
    left,
    element(
      'ul',
      { class: 'formula-brace' },
      cases.map(({ value, condition }) =>
        element(
          'li',
          null,
          element('p', null, ...terms(value)),
          element(
            'p',
            { class: 'formula-condition' },
            ...(condition === undefined ? ['otherwise'] : ['if ', math(expressionMath(condition, meanings))]),
          ),
        ),
      ),
    ),
  );
}

// Renders an equation as MathML; long equations break before their terms in narrow windows.

import { type ComponentChildren, h } from 'preact';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import type { Expression } from '../../expressions/tree.ts';
import { casesOf, expressionMath, infix, type Meanings, symbolMath, termsMath } from './formula.ts';
import '../style/formula.css';
import { element, type MathNode, toView } from '../kit/math-node.ts';
import { ScrollRegion } from '../kit/scroll-region.ts';
import type { OperatorSummary } from './registry.ts';
import { spokenEquation, spokenSymbol } from './spoken-formula.ts';

const math = (key: string, ...content: readonly MathNode[]) =>
  h('math', { key, displaystyle: 'true', 'aria-hidden': true }, toView(element('mrow', null, content)));

export function SymbolView({ name, meanings }: { readonly name: string; readonly meanings: Meanings }) {
  return h('math', { 'aria-label': spokenSymbol(name, meanings) }, toView(symbolMath(name, meanings[name])));
}

interface FormulaProps {
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>> | undefined;
  readonly meanings: Meanings;
}

/** Equation of an operator, with its intermediate definitions below. */
export function Formula({ equation, where = {}, meanings }: FormulaProps) {
  const { symbol, expression } = parseEquation(equation);
  const definitions = Object.entries(where);
  return h(
    ScrollRegion,
    { label: 'Formula', class: 'formula-frame' },
    h(EquationView, { symbol, expression, meanings }),
    definitions.length === 0
      ? null
      : h(
          'div',
          { class: 'formula-where' },
          h('span', { class: 'formula-word' }, 'where'),
          h(
            'div',
            null,
            definitions.map(([name, text]) =>
              h(EquationView, { key: name, symbol: name, expression: parseExpression(text), meanings }),
            ),
          ),
        ),
  );
}

/** Equation for lists, without the intermediate definitions. */
export function ShortFormula({ equation, accepted, output }: OperatorSummary) {
  const { symbol, expression } = parseEquation(equation);
  const meanings = Object.fromEntries(
    [...Object.entries(accepted), [output.symbol, output.unit] as const].map(([name, unit]) => [name, { unit }]),
  );
  return h(EquationView, { symbol, expression, meanings });
}

interface EquationProps {
  readonly symbol: string;
  readonly expression: Expression;
  readonly meanings: Meanings;
}

function EquationView({ symbol, expression, meanings }: EquationProps) {
  const left = math('left', symbolMath(symbol, meanings[symbol]), infix('=', { rspace: '0' }));
  const cases = casesOf(expression);
  // One label for the parts, which are apart only so that lines can break between them.
  const aloud = { role: 'math', 'aria-label': spokenEquation(symbol, expression, meanings) };
  if (cases.length === 1)
    return h('p', { class: 'formula', ...aloud }, joinWithSpaces([left, ...segments(expression, meanings)]));
  return h(
    'div',
    { class: 'formula formula-cases', ...aloud },
    left,
    h(
      'ul',
      { class: 'formula-brace', 'aria-hidden': true },
      cases.map(({ value, condition }, at) =>
        h(
          'li',
          { key: at },
          h('p', null, joinWithSpaces(segments(value, meanings))),
          h(
            'p',
            { class: 'formula-condition' },
            condition === undefined ? 'otherwise' : ['if ', math('condition', expressionMath(condition, meanings))],
          ),
        ),
      ),
    ),
  );
}

const segments = (expression: Expression, meanings: Meanings) =>
  termsMath(expression, meanings).map((term, at) => math(String(at), term));

/** Spaces allow line breaks between the parts. */
const joinWithSpaces = (parts: readonly ComponentChildren[]) =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]));

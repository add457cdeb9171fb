import { describe, expect, test } from 'vitest';
import { parseEquation, parseExpression } from '../../src/expressions/parse.ts';
import { symbolsOf } from '../../src/expressions/tree.ts';
import { findOperator, OPERATORS } from '../../src/operators/load.ts';
import { type MathNode, toMarkup } from '../../src/portal/kit/math-node.ts';
import { casesOf, expressionMath, symbolMath, termsMath } from '../../src/portal/operators/formula.ts';
import { spoken, spokenEquation } from '../../src/portal/operators/spoken-formula.ts';
import { symbolNotation } from '../../src/portal/operators/symbol-names.ts';

/** Plain text of a formula: fractions as (above|below), exponents as ^(…), indices as _(…), roots as √(…). */
function plainText(node: MathNode | string): string {
  if (typeof node === 'string') return node.replaceAll(/[\u2061\u2062\u00a0]/g, '');
  const [first = '', second = '', third = ''] = node.content.map(plainText);
  if (node.name === 'mfrac') return `(${first}|${second})`;
  if (node.name === 'msup') return `${first}^(${second})`;
  if (node.name === 'msub') return `${first}_(${second})`;
  if (node.name === 'msubsup') return `${first}_(${second})^(${third})`;
  if (node.name === 'munderover') return `${first}[${second},${third}]`;
  if (node.name === 'msqrt') return `√(${node.content.map(plainText).join('')})`;
  if (node.name === 'mroot') return `root(${first},${second})`;
  if (node.name === 'mtr') return `${first} ${second};`;
  return node.content.map(plainText).join('');
}

/** Markup of the letter and its index, which may be nested differently under an exponent. */
const partsOf = (node: MathNode) => (node.name === 'mi' ? toMarkup(node) : node.content.map(toMarkup).join(''));

const render = (text: string) => plainText(expressionMath(parseExpression(text)));

describe('formulas', () => {
  test.each([
    ['n^2*pi^2*hbar^2/(2*m*L^2)', '(n^(2)π^(2)ℏ^(2)|2mL^(2))'],
    ['1/(2*pi)*sqrt(k/m)', '(1|2π)√((k|m))'],
    ['a/b/c', '(a|bc)'],
    ['f/8*(Re - 1000)/(1 + x)', '((f|8)(R_(e)−1000)|1+x)'],
    ['-S*phi/(2*T)', '−(Sφ|2T)'],
    ['a - (b + c)', 'a−(b+c)'],
    ['a - b*c', 'a−bc'],
    ['a*(-b)', 'a(−b)'],
    ['a*-2', 'a(−2)'],
    ['2*3*x', '2⋅3x'],
    ['(a/b)^2', '((a|b))^(2)'],
    ['x1^2', 'x_(1)^(2)'],
    ['2^(1/3)', '2^(1/3)'],
    ['2^((a + b)/3)', '2^((a+b|3))'],
    ['-x^2', '−x^(2)'],
    ['(-x)^2', '(−x)^(2)'],
    ['sin(k*x)^2', 'sin^(2)(kx)'],
    ['cos(theta)', 'cosθ'],
    ['exp(-k*t)', 'e^(−kt)'],
    ['expm1(x)', '(e^(x)−1)'],
    ['log1p(x)', 'ln(1+x)'],
    ['log10(x)', 'log_(10)x'],
    ['abs(a - b)', '|a−b|'],
    ['cbrt(x)', 'root(x,3)'],
    ['hypot(x, y)', '√(x^(2)+y^(2))'],
    ['normcdf(d1)', 'Φ(d_(1))'],
    ['lgamma(n + 1)', 'lnΓ(n+1)'],
    ['factorial(n - 1)', '(n−1)!'],
    ['choose(n, k)', '((n|k))'],
    ['besselj(n, x)', 'J_(n)(x)'],
    ['max(0, a - b)', 'max(0,a−b)'],
    ['1 + sum(k, 0, n, k^2)', '1+∑[k=0,n]k^(2)'],
    ['sum(k, 1, 3, k + 1)*a', '(∑[k=1,3](k+1))a'],
    ['x > 0 and x <= 1 ? x : 0', '{x ifx>0andx≤1;0 otherwise;'],
    ['6.02e23*x', '6.02×10^(23)x'],
    ['x*1e-9', 'x⋅10^(−9)'],
  ])('%s renders as %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test('a formula has one part per term, with its sign, for line breaks', () => {
    expect(termsMath(parseExpression('a*b + c/d - e^2')).map(plainText)).toEqual(['ab', '+(c|d)', '−e^(2)']);
  });

  test('nested choices are flattened to one list of cases', () => {
    const cases = casesOf(parseExpression('x < 0 ? 1 : x < 1 ? 2 : 3'));
    expect(cases.map(({ value, condition }) => [value.kind, condition?.kind])).toEqual([
      ['number', 'binary'],
      ['number', 'binary'],
      ['number', undefined],
    ]);
  });

  test('every equation of the registry is rendered with all its symbols', () => {
    let count = 0;
    for (const { equation, where = {} } of OPERATORS.values()) {
      const trees = [parseEquation(equation).expression, ...Object.values(where).map((text) => parseExpression(text))];
      for (const tree of trees) {
        const markup = toMarkup(expressionMath(tree));
        for (const name of symbolsOf(tree)) expect(markup).toContain(partsOf(symbolMath(name)));
        expect(markup).not.toMatch(/undefined|\[object/);
        count++;
      }
    }
    expect(count).toBeGreaterThan(300);
  });
});

describe('a formula read aloud', () => {
  const registered = (id: string) => {
    const { equation, inputs, output } = findOperator(id);
    const { symbol, expression } = parseEquation(equation);
    return spokenEquation(symbol, expression, { ...inputs, [output.symbol]: output });
  };

  test.each([
    ['CM9', 'K equals m v squared over 2'],
    ['CM2', 'F equals G m sub 1 m sub 2 over r squared'],
    ['CM17', 'omega equals the square root of k over m end root'],
    ['CM18', 'T equals 2 pi times the square root of L over g end root'],
    ['QM5', 'E equals n squared pi squared h-bar squared over 2 m L squared'],
    ['WM3', 'f equals n over 2 L, times the square root of T over mu end root'],
    ['FIN24', 'i equals open bracket 1 plus j over m close bracket to the power m end power minus 1'],
    [
      'HT15',
      'Q equals epsilon sigma A times open bracket T to the 4th power minus T sub s to the 4th power close bracket',
    ],
    [
      'HT5',
      'T equals T sub a plus open bracket T sub 0 minus T sub a close bracket times e to the power minus h A t over m c end power',
    ],
    ['EM23', 'B equals mu sub 0 I r over 2 pi a squared if r is less than a; otherwise mu sub 0 I over 2 pi r'],
    ['HT41', 'Q equals m c times open bracket T sub 2 minus T sub 1 close bracket'],
    [
      'CS3',
      'C equals 2 times open bracket n plus 1 close bracket times open bracket the sum over k from 1 to n of 1 over k close bracket minus 4 n',
    ],
  ])('%s: %s', (id, expected) => {
    expect(registered(id)).toBe(expected);
  });

  test.each([
    ['sin(k*x)^2', 'sine squared of k x'],
    ['2*3*x', '2 times 3 x'],
    ['a - (b + c)', 'a minus open bracket b plus c close bracket'],
    ['6.02e23*x', '6.02 times 10 to the power 23 x'],
    ['x > 0 and x <= 1 ? x : 0', 'x if x is greater than 0 and x is at most 1; otherwise 0'],
    ['Omega*dT', 'capital omega delta T'],
  ])('%s: %s', (text, expected) => {
    expect(spoken(parseExpression(text))).toBe(expected);
  });

  test('every equation of the registry is words and numbers', () => {
    for (const { id } of OPERATORS.values()) expect(registered(id), id).toMatch(/^[A-Za-z0-9 .,;'-]+$/);
  });
});

describe('symbol names', () => {
  test.each([
    ['kB', {}, { base: 'k', index: 'B' }],
    ['E_k', {}, { base: 'E', index: 'k' }],
    ['E_phi', {}, { base: 'E', index: 'φ' }],
    ['a_W', {}, { base: 'a', index: 'W' }],
    ['rho1', {}, { base: 'ρ', index: '1' }],
    ['eps0', {}, { base: 'ε', index: '0' }],
    ['theta0', {}, { base: 'θ', index: '0' }],
    ['mumax', {}, { base: 'μ', index: 'max' }],
    ['Tref', {}, { base: 'T', index: 'ref' }],
    ['N50', {}, { base: 'N', index: '50' }],
    ['hbar', {}, { base: 'ℏ' }],
    ['rate', {}, { base: 'rate', isWord: true }],
    ['Re', { unit: '1' }, { base: 'Re', isWord: true }],
    ['Re', { unit: 'ohm' }, { base: 'R', index: 'e' }],
    ['dT', { description: 'difference of the two temperatures' }, { prefix: 'Δ', base: 'T' }],
    ['dx', {}, { prefix: 'Δ', base: 'x' }],
    ['di', { description: 'inner diameter' }, { base: 'd', index: 'i' }],
    ['dp', { description: 'pressure drop' }, { prefix: 'Δ', base: 'p' }],
    ['dphi', { description: 'rate of the field' }, { prefix: 'd', base: 'φ' }],
  ])('%s, %o', (name, meaning, expected) => {
    expect(symbolNotation(name, meaning)).toEqual({ isWord: false, ...expected });
  });
});

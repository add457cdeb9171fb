import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { CONDITION_SYNTAX, parseEquation, parseExpression } from '../../src/expressions/parse.ts';
import type { Syntax } from '../../src/expressions/scan.ts';
import { childrenOf, type Expression, symbolsOf } from '../../src/expressions/tree.ts';

/** The tree with a pair of parentheses for every operation. */
function grouped(node: Expression): string {
  switch (node.kind) {
    case 'unary':
      return `(${node.operator} ${grouped(node.operand)})`;
    case 'binary':
      return `(${grouped(node.left)} ${node.operator} ${grouped(node.right)})`;
    case 'choice':
      return `(${grouped(node.condition)} ? ${grouped(node.yes)} : ${grouped(node.no)})`;
    case 'call':
      return `${node.name}(${node.operands.map(grouped).join(', ')})`;
    case 'sum':
      return `sum(${node.index}, ${[node.from, node.to, node.term].map(grouped).join(', ')})`;
    case 'constant':
    case 'symbol':
      return node.name;
    default:
      return JSON.stringify(node.value);
  }
}

function refusal(text: string, syntax: Syntax = {}): DomainError {
  try {
    parseExpression(text, syntax);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('what a text means', () => {
  test.each([
    ['-2^2', '(- (2 ^ 2))'],
    ['2^3^2', '(2 ^ (3 ^ 2))'],
    ['2^-3^2', '(2 ^ (- (3 ^ 2)))'],
    ['-a*b', '((- a) * b)'],
    ['a*-b^2', '(a * (- (b ^ 2)))'],
    ['--a', '(- (- a))'],
    ['a - b - c', '((a - b) - c)'],
    ['a/b/c*d', '(((a / b) / c) * d)'],
    ['a + b*c^d', '(a + (b * (c ^ d)))'],
    ['(a + b)*c', '((a + b) * c)'],
    ['a < b + 1', '(a < (b + 1))'],
    ['a == b and not c != d or e >= f', '(((a == b) and (not (c != d))) or (e >= f))'],
    ['a or b and c', '(a or (b and c))'],
    ['not not a', '(not (not a))'],
    ['a > 0 ? 1 : b > 0 ? 2 : 3', '((a > 0) ? 1 : ((b > 0) ? 2 : 3))'],
    ['a ? b ? 1 : 2 : 3', '(a ? (b ? 1 : 2) : 3)'],
    ['a or b ? c : d + 1', '((a or b) ? c : (d + 1))'],
    ['(a < b) < c', '((a < b) < c)'],
    ['atan2(y, x)*max(1, 2, 3)', '(atan2(y, x) * max(1, 2, 3))'],
    ['sum(k, 1, n, x^k/k)', 'sum(k, 1, n, ((x ^ k) / k))'],
    ['2*pi*r', '((2 * pi) * r)'],
    ['.5 + 1.25e-3 + 2E+4', '((0.5 + 0.00125) + 20000)'],
    ['sum*sin', '(sum * sin)'],
    [' \t\r\n a\n', 'a'],
  ])('%s', (text, meaning) => {
    expect(grouped(parseExpression(text))).toBe(meaning);
  });

  test('every node knows where it stands, its parentheses included', () => {
    const text = '  a*(b - sin(c2))^2 ';
    const spans: string[] = [];
    const visit = (node: Expression): void => {
      spans.push(text.slice(node.start, node.end));
      childrenOf(node).forEach(visit);
    };
    visit(parseExpression(text));
    expect(spans).toEqual(['a*(b - sin(c2))^2', 'a', '(b - sin(c2))^2', '(b - sin(c2))', 'b', 'sin(c2)', 'c2', '2']);
  });

  test('an equation has a symbol on its left', () => {
    const { symbol, expression } = parseEquation('Rt = S*(1 + alpha*sin(2*pi*f*t + phi0))');
    expect(symbol).toBe('Rt');
    expect([...symbolsOf(expression)]).toEqual(['S', 'alpha', 'f', 't', 'phi0']);
    for (const text of ['S', '= 3', '2 = 3', 'pi = 3', 'a.b = 3', 'a == 3', 'a = b = 3', 'not = 1', '']) {
      expect(() => parseEquation(text), text).toThrow(DomainError);
    }
  });

  test('an index is free outside its sum only', () => {
    const tree = parseExpression('k + sum(k, k, n, k*sum(j, 1, k, j + m)) + j');
    expect([...symbolsOf(tree)]).toEqual(['k', 'n', 'm', 'j']);
  });

  test('conditions have text, truth values and dotted names; equations do not', () => {
    const text = 'event.by != "a \\"b\\" \\\\" and (agg.value >= 3) == true';
    const meaning = '((event.by != "a \\"b\\" \\\\") and ((agg.value >= 3) == true))';
    expect(grouped(parseExpression(text, CONDITION_SYNTAX))).toBe(meaning);
    expect(refusal('a == "b"').facts).toMatchObject({ position: 6, found: '"' });
    expect(refusal('event.by').facts).toMatchObject({ position: 6, found: '.' });
    expect(refusal('true').facts).toMatchObject({ position: 1, found: 'true' });
    for (const text of ['"open', '"a\\n"', '"a\nb"', 'a. b', 'a..b', '.b', 'a.2', 'a "<" b', 'a "and" b']) {
      expect(refusal(text, CONDITION_SYNTAX).code, text).toBe('EXPRESSION_INVALID');
    }
  });
});

describe('what is refused', () => {
  test.each([
    ['', 1, 'the end', 'a value'],
    ['1 +', 4, 'the end', 'a value'],
    ['(1 + 2', 7, 'the end', 'an operator or )'],
    ['1 + 2)', 6, ')', 'an operator or the end'],
    ['2x', 2, 'x', 'an operator or the end'],
    ['a (b)', 1, 'a(', 'a function'],
    ['3(b)', 2, '(', 'an operator or the end'],
    ['a = 1', 3, '=', 'an operator or the end'],
    ['a < b < c', 7, '<', 'an operator or the end'],
    ['a == b != c', 8, '!=', 'an operator or the end'],
    ['2**3', 3, '*', 'a value'],
    ['+3', 1, '+', 'a value'],
    ['-not a', 2, 'not', 'a value'],
    ['a ? b', 6, 'the end', 'an operator or the : of the choice'],
    ['5.', 2, '.', 'a number, a symbol or an operator'],
    ['a % b', 3, '%', 'a number, a symbol or an operator'],
    ['a[0]', 2, '[', 'a number, a symbol or an operator'],
    ['a.b', 2, '.', 'a number, a symbol or an operator'],
    ['1 \u2212 2', 3, '\u2212', 'a number, a symbol or an operator'],
    ['a; b', 2, ';', 'a number, a symbol or an operator'],
    ['\ud83d\ude80', 1, '\ud83d\ude80', 'a number, a symbol or an operator'],
    ['1e400', 1, '1e400', 'a number below 1.8e308'],
    ['sin()', 5, ')', 'a value'],
    ['sin(1, 2)', 1, 'sin of 2', 'sin of 1'],
    ['1 + atan2(1)', 5, 'atan2 of 1', 'atan2 of 2'],
    ['min(1)', 1, 'min of 1', 'min of 2 or more'],
    ['sum(1, 1, 2, 3)', 5, '1', 'the index of the sum'],
    ['sum(pi, 1, 2, 3)', 5, 'pi', 'the index of the sum'],
    ['sum(k, 1, 2)', 12, ')', 'a comma and the term: sum(k, from, to, term)'],
    ['import("fs")', 1, 'import(', 'a function'],
    ['toString(1)', 1, 'toString(', 'a function'],
    ['constructor(1)', 1, 'constructor(', 'a function'],
    ['__proto__(1)', 1, '__proto__(', 'a function'],
  ])('%s', (text, position, found, expected) => {
    const error = refusal(text);
    expect(error.code).toBe('EXPRESSION_INVALID');
    expect(error.facts).toMatchObject({ position, found, expected });
    expect(error.message).toContain(`Column ${position}: got ${found} instead of ${expected}`);
    expect(error.details[0]?.message).toBe(error.message);
  });

  test('a misspelt function is met with the nearest one', () => {
    expect(refusal('1 + sine(x)').facts).toMatchObject({ position: 5, nearest: 'sin' });
    expect(refusal('sqr(x)').message).toContain('Did you mean sqrt?');
    expect(refusal('ln(x)').facts.nearest).toBe('log');
    expect(refusal('arctan(x)').facts.nearest).toBe('atan');
    expect(refusal('quaternion(x)').facts.nearest).toBeUndefined();
  });

  test('common slips get advice', () => {
    expect(refusal('2 x').message).toContain('a product is written a*b');
    expect(refusal('a = b').message).toContain('a comparison is written ==');
    expect(refusal('a ** b').message).toContain('a power is written ^');
    expect(refusal('a && b').message).toContain('write: and');
    expect(refusal('a \u2212 b').message).toContain('the minus sign is -');
  });
});

describe('limits', () => {
  const { characters, depth, nodes } = LIMITS.expression;

  test('characters', () => {
    expect(() => parseExpression('1'.padEnd(characters))).not.toThrow();
    expect(refusal('1'.padEnd(characters + 1)).facts.position).toBe(characters + 1);
  });

  test('nesting, in every form that nests', () => {
    const forms: readonly ((levels: number) => string)[] = [
      (levels) => `${'('.repeat(levels)}1${')'.repeat(levels)}`,
      (levels) => `${'-'.repeat(levels)}1`,
      (levels) => `${'1^'.repeat(levels)}1`,
      (levels) => `${'not '.repeat(levels)}1`,
      (levels) => `${'abs('.repeat(levels)}1${')'.repeat(levels)}`,
      (levels) => `${'1?2:'.repeat(levels)}3`,
    ];
    for (const form of forms) {
      expect(() => parseExpression(form(depth - 1)), form(2)).not.toThrow();
      expect(refusal(form(depth)).facts.expected, form(2)).toBe(`at most ${depth} levels of nesting`);
    }
  });

  test('3,000 parentheses are refused cleanly', () => {
    expect(refusal('('.repeat(3_000)).code).toBe('EXPRESSION_INVALID');
  });

  test('nodes: a long flat sum is not deep, but it ends', () => {
    const terms = (count: number) => Array.from({ length: count }, () => '1').join('+');
    expect(() => parseExpression(terms(nodes / 2))).not.toThrow();
    expect(refusal(terms(nodes / 2 + 1)).facts.expected).toContain(`at most ${nodes}`);
  });
});

test('whatever is typed, the answer is a tree or a refusal with a column', () => {
  const words = [
    'sin(',
    'sum(',
    'k,',
    '1',
    '2.5e3',
    'x',
    'pi',
    'and',
    'or',
    'not',
    '(',
    ')',
    ',',
    '?',
    ':',
    '^',
    '-',
    '*',
  ];
  const more = [
    '<',
    '==',
    '=',
    '"',
    '\\',
    '.',
    'event.x',
    '__proto__',
    'constructor',
    'toString(',
    '\u0000',
    '\ud800',
    '}',
  ];
  const scraps = fc.array(fc.constantFrom(...words, ...more), { maxLength: 60 }).map((parts) => parts.join(' '));
  const syntaxes = fc.constantFrom<Syntax>({}, CONDITION_SYNTAX);
  fc.assert(
    fc.property(fc.oneof(scraps, fc.string({ unit: 'binary', maxLength: 80 })), syntaxes, (text, syntax) => {
      try {
        const tree = parseExpression(text, syntax);
        expect(tree.end).toBeLessThanOrEqual(text.length);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(error.code).toBe('EXPRESSION_INVALID');
        expect(error.facts.position).toBeGreaterThanOrEqual(1);
        expect(error.facts.position).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    { numRuns: 3_000 },
  );
});

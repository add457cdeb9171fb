// Converts expression trees to MathML Core, with fractions, roots, powers, sums and cases set as in textbooks.

import { type Binary, type Call, type Expression, nodeCount, PRECEDENCE, type Sum } from '../../expressions/tree.ts';
import { element, type MathNode } from '../kit/math-node.ts';
import { type Meaning, type SymbolNotation, symbolNotation } from './symbol-names.ts';

/** Children of an mrow. */
type Row = readonly MathNode[];

/** Unit and description of each symbol. */
export type Meanings = Readonly<Record<string, Meaning>>;

const row = (parts: Row): MathNode => (parts.length === 1 && parts[0] ? parts[0] : element('mrow', null, parts));
const operator = (text: string) => element('mo', null, text);
/** Infix form set explicitly: at the start or end of a line a sign would be laid out as a prefix. */
export const infix = (text: string, attributes: Readonly<Record<string, string>> = {}) =>
  element('mo', { form: 'infix', ...attributes }, text);
/** Operator without spacing or stretching. */
const tight = (text: string) => element('mo', { lspace: '0', rspace: '0', stretchy: 'false' }, text);
const upright = (text: string) => element('mi', { mathvariant: 'normal' }, text);

export function symbolMath(name: string, meaning: Meaning = {}): MathNode {
  const { prefix, base, isWord, index } = symbolNotation(name, meaning);
  const letter = isWord ? upright(base) : element('mi', null, base);
  const whole = index === undefined ? letter : element('msub', null, letter, indexMath(index));
  return prefix === undefined ? whole : element('mrow', null, upright(prefix), whole);
}

const indexMath = (index: NonNullable<SymbolNotation['index']>) =>
  /^\d+$/.test(index) ? element('mn', null, index) : index.length === 1 ? element('mi', null, index) : upright(index);

/** One row per term, so that a long formula can break before each of them. */
export function termsMath(tree: Expression, meanings: Meanings = {}): readonly MathNode[] {
  // The space between the terms replaces the leading space of the sign.
  const withoutLeadingSpace = ([first, ...rest]: Row, at: number) =>
    at > 0 && first ? [{ ...first, attributes: { ...first.attributes, lspace: '0' } }, ...rest] : [first, ...rest];
  return new FormulaWriter(meanings)
    .terms(tree)
    .map((parts, at) => row(withoutLeadingSpace(parts, at).filter((part) => part !== undefined)));
}

export function expressionMath(tree: Expression, meanings: Meanings = {}): MathNode {
  return row(new FormulaWriter(meanings).write(tree, PRECEDENCE.choice));
}

/** Functions with a different textbook name. */
const FUNCTION_NAMES: Readonly<Record<string, string>> = {
  log: 'ln',
  asin: 'arcsin',
  acos: 'arccos',
  atan: 'arctan',
  asinh: 'arsinh',
  acosh: 'arcosh',
  atanh: 'artanh',
  atan2: 'arctan2',
  gamma: 'Γ',
  zeta: 'ζ',
  normcdf: 'Φ',
  normpdf: 'φ',
  ellipk: 'K',
  ellipe: 'E',
  langevin: 'L',
  sign: 'sgn',
};
/** Functions with their order as a subscript: J_n(x). */
const ORDERED_FUNCTIONS: Readonly<Record<string, string>> = {
  besselj: 'J',
  besseli: 'I',
  besselk: 'K',
  lambertw: 'W',
};
const FENCES: Readonly<Record<string, readonly [string, string]>> = {
  abs: ['|', '|'],
  floor: ['⌊', '⌋'],
  ceil: ['⌈', '⌉'],
};
/** Powers of these are written sin² x. */
const TRIGONOMETRIC = /^(sin|cos|tan|sinh|cosh|tanh)$/;
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  '==': '=',
  '!=': '≠',
};
/** Largest exponent, in nodes, written as eˣ; longer ones are written exp(…). */
const MAX_EXPONENT_NODES = 14;

const isLeaf = ({ kind }: Expression) => kind === 'number' || kind === 'symbol' || kind === 'constant';

class FormulaWriter {
  readonly #meanings: Meanings;
  /** True in subscripts and exponents, where simple fractions are written a/b. */
  #isSmall = false;

  constructor(meanings: Meanings) {
    this.#meanings = meanings;
  }

  /** Splits a + b − c into terms with their signs. */
  terms(node: Expression): readonly Row[] {
    if (node.kind !== 'binary' || (node.operator !== '+' && node.operator !== '-')) {
      return [this.write(node, PRECEDENCE.sum)];
    }
    const sign = infix(node.operator === '+' ? '+' : '−');
    return [...this.terms(node.left), [sign, ...this.write(node.right, PRECEDENCE.product)]];
  }

  /** Adds parentheses if the node's precedence is below `minimum`. */
  write(node: Expression, minimum: number): Row {
    switch (node.kind) {
      case 'number':
        return numberMath(node.value);
      case 'truth':
      case 'text':
        return [element('mtext', null, String(node.value))];
      case 'constant':
        return [element('mi', null, node.name === 'pi' ? 'π' : node.name)];
      case 'symbol':
        return [symbolMath(node.name, this.#meanings[node.name])];
      case 'unary': {
        const sign = node.operator === '-' ? operator('−') : word('not');
        const precedence = node.operator === '-' ? PRECEDENCE.sum : PRECEDENCE.not;
        return parenthesised([sign, ...this.write(node.operand, PRECEDENCE.product)], precedence < minimum);
      }
      case 'binary':
        return this.#binary(node, minimum);
      case 'choice':
        return parenthesised([this.#cases(node)], minimum > PRECEDENCE.choice);
      case 'call':
        return this.#call(node);
      case 'sum':
        return parenthesised(this.#sum(node), minimum > PRECEDENCE.product);
    }
  }

  #binary(node: Binary, minimum: number): Row {
    const { operator: mark, left, right } = node;
    if (mark === '^') return this.#power(left, right);
    if (mark === '*' || mark === '/') return this.#product(node, minimum);
    if (mark === '+' || mark === '-') return parenthesised(this.terms(node).flat(), minimum > PRECEDENCE.sum);
    if (mark === 'and' || mark === 'or') {
      const precedence = mark === 'and' ? PRECEDENCE.and : PRECEDENCE.or;
      return parenthesised(
        [...this.write(left, precedence), word(mark), ...this.write(right, precedence)],
        precedence < minimum,
      );
    }
    const sides = [
      this.write(left, PRECEDENCE.sum),
      [operator(COMPARISONS[mark] ?? mark)],
      this.write(right, PRECEDENCE.sum),
    ];
    return parenthesised(sides.flat(), minimum > PRECEDENCE.comparison);
  }

  /** Products by juxtaposition, quotients as fractions. */
  #product(node: Binary, minimum: number): Row {
    const [first, ...rest] = factorsOf(node);
    if (!first) return [];
    const isNegative = first.factor.kind === 'unary' && first.factor.operator === '-';
    const head = first.factor.kind === 'unary' && isNegative ? first.factor.operand : first.factor;
    let numerator: Expression[] = [head];
    let preceding: MathNode[] = [];
    let denominator: Expression[] = [];
    // The numerator is everything to the left of a slash.
    const closeFraction = () => {
      if (denominator.length === 0) return;
      preceding = [this.#fraction([...preceding], numerator, denominator)];
      numerator = [];
      denominator = [];
    };
    for (const { factor, isDivisor } of rest) {
      if (isDivisor) denominator.push(factor);
      else {
        closeFraction();
        numerator.push(factor);
      }
    }
    closeFraction();
    const parts = this.#factors(preceding, numerator);
    const signed = isNegative ? [operator('−'), ...parts] : parts;
    return parenthesised(signed, minimum > PRECEDENCE.product || (isNegative && minimum > PRECEDENCE.sum));
  }

  #fraction(
    preceding: readonly MathNode[],
    numerator: readonly Expression[],
    denominator: readonly Expression[],
  ): MathNode {
    const isInline =
      this.#isSmall &&
      preceding.length === 0 &&
      numerator.length === 1 &&
      denominator.length === 1 &&
      [...numerator, ...denominator].every(isLeaf);
    if (isInline) return row([...this.#factors([], numerator), tight('/'), ...this.#factors([], denominator)]);
    // A single factor above or below the bar needs no parentheses.
    const side = (before: readonly MathNode[], factors: readonly Expression[]) =>
      before.length === 0 && factors.length === 1 && factors[0]
        ? this.write(factors[0], PRECEDENCE.choice)
        : this.#factors(before, factors);
    return element('mfrac', null, row(side(preceding, numerator)), row(side([], denominator)));
  }

  #factors(preceding: readonly MathNode[], factors: readonly Expression[]): Row {
    const parts: MathNode[] = [...preceding];
    let previous: Expression | undefined;
    factors.forEach((factor, at) => {
      const isLast = at === factors.length - 1;
      const isAlone = parts.length === 0 && isLast;
      const minimum = isAlone
        ? PRECEDENCE.product
        : factor.kind === 'sum' && isLast
          ? PRECEDENCE.product
          : PRECEDENCE.minus;
      // A nested product joins the row without parentheses.
      const isRow = factor.kind === 'binary' && (factor.operator === '*' || factor.operator === '/');
      const written = this.write(factor, isRow ? PRECEDENCE.product : minimum);
      if (parts.length > 0) parts.push(multiplicationSign(previous, factor, this.#isWord));
      parts.push(...written);
      previous = factor;
    });
    return parts;
  }

  readonly #isWord = ({ kind, ...node }: Expression) =>
    kind === 'symbol' && 'name' in node && symbolNotation(node.name, this.#meanings[node.name]).isWord;

  #power(base: Expression, exponent: Expression): Row {
    const superscript = this.#small(exponent);
    if (base.kind === 'call' && TRIGONOMETRIC.test(base.name) && exponent.kind === 'number') {
      const [operand] = base.operands;
      return operand
        ? [element('msup', null, upright(base.name), superscript), functionApplication(), ...this.#argument(operand)]
        : [];
    }
    if (base.kind === 'symbol') {
      const { prefix, base: letter, isWord, index } = symbolNotation(base.name, this.#meanings[base.name]);
      if (index !== undefined && prefix === undefined) {
        return [
          element(
            'msubsup',
            null,
            isWord ? upright(letter) : element('mi', null, letter),
            indexMath(index),
            superscript,
          ),
        ];
      }
      if (prefix !== undefined)
        return [
          element(
            'msup',
            null,
            row(parenthesised([symbolMath(base.name, this.#meanings[base.name])], true)),
            superscript,
          ),
        ];
    }
    const isPlain = isLeaf(base) || (base.kind === 'call' && base.name in FENCES);
    return [element('msup', null, row(parenthesised(this.write(base, PRECEDENCE.choice), !isPlain)), superscript)];
  }

  #small(node: Expression): MathNode {
    const before = this.#isSmall;
    this.#isSmall = true;
    const written = row(this.write(node, PRECEDENCE.choice));
    this.#isSmall = before;
    return written;
  }

  #argument(operand: Expression): Row {
    return parenthesised(this.write(operand, PRECEDENCE.choice), !isLeaf(operand));
  }

  #call({ name, operands }: Call): Row {
    const [first, second] = operands;
    if (!first) return [upright(name)];
    const whole = (node: Expression) => row(this.write(node, PRECEDENCE.choice));
    const fence = FENCES[name];
    if (fence)
      return [
        element(
          'mrow',
          null,
          element('mo', { form: 'prefix' }, fence[0]),
          whole(first),
          element('mo', { form: 'postfix' }, fence[1]),
        ),
      ];
    if (name === 'sqrt') return [element('msqrt', null, whole(first))];
    if (name === 'cbrt') return [element('mroot', null, whole(first), element('mn', null, '3'))];
    if (name === 'hypot') {
      const squares = operands.flatMap((operand, at) => [
        ...(at === 0 ? [] : [operator('+')]),
        ...this.#power(operand, TWO),
      ]);
      return [element('msqrt', null, row(squares))];
    }
    if (name === 'exp') return this.#exponential(first);
    if (name === 'expm1')
      return parenthesised([...this.#exponential(first), operator('−'), element('mn', null, '1')], true);
    if (name === 'log1p') return this.#apply(upright('ln'), [{ ...PLUS_ONE, right: first }]);
    if (name === 'log2' || name === 'log10') {
      return this.#apply(element('msub', null, upright('log'), element('mn', null, name.slice(3))), operands);
    }
    if (name === 'norminv')
      return this.#apply(
        element('msup', null, upright('Φ'), row([tight('−'), element('mn', null, '1')])),
        operands,
        true,
      );
    if (name === 'expint1')
      return this.#apply(element('msub', null, upright('E'), element('mn', null, '1')), operands, true);
    if (name === 'lgamma') return [upright('ln'), functionApplication(), ...this.#apply(upright('Γ'), operands, true)];
    if (name === 'factorial')
      return [...parenthesised(this.write(first, PRECEDENCE.choice), !isLeaf(first)), tight('!')];
    if (name === 'choose' && second) {
      const stack = element('mfrac', { linethickness: '0' }, whole(first), whole(second));
      return parenthesised([stack], true);
    }
    const ordered = ORDERED_FUNCTIONS[name];
    if (ordered !== undefined && second) {
      return this.#apply(element('msub', null, element('mi', null, ordered), this.#small(first)), [second], true);
    }
    const title = FUNCTION_NAMES[name] ?? ordered ?? name;
    return this.#apply(upright(title), operands, title.length === 1);
  }

  #exponential(exponent: Expression): Row {
    if (nodeCount(exponent) > MAX_EXPONENT_NODES) return this.#apply(upright('exp'), [exponent], true);
    return [element('msup', null, upright('e'), this.#small(exponent))];
  }

  #apply(name: MathNode, operands: readonly Expression[], isFenced = false): Row {
    const [only] = operands;
    if (operands.length === 1 && only && isLeaf(only) && !isFenced)
      return [name, functionApplication(), ...this.write(only, PRECEDENCE.choice)];
    const inner = operands.flatMap((operand, at) => [
      ...(at === 0 ? [] : [operator(',')]),
      ...this.write(operand, PRECEDENCE.choice),
    ]);
    return [name, functionApplication(), ...parenthesised(inner, true)];
  }

  #sum({ index, from, to, term }: Sum): Row {
    const begin = row([element('mi', null, index), operator('='), this.#small(from)]);
    const sign = element('mo', { largeop: 'true', movablelimits: 'false' }, '∑');
    return [element('munderover', null, sign, begin, this.#small(to)), ...this.write(term, PRECEDENCE.product)];
  }

  #cases(node: Expression): MathNode {
    const cases = casesOf(node).map(({ value, condition }) =>
      element(
        'mtr',
        null,
        element('mtd', null, row(this.write(value, PRECEDENCE.sum))),
        element(
          'mtd',
          null,
          row(condition ? [word('if'), ...this.write(condition, PRECEDENCE.choice)] : [word('otherwise')]),
        ),
      ),
    );
    return element(
      'mrow',
      null,
      element('mo', { form: 'prefix', stretchy: 'true' }, '{'),
      element('mtable', { class: 'cases' }, cases),
    );
  }
}

/** Splits a + b - c into terms without signs. */
export function termsOf(node: Expression): readonly Expression[] {
  if (node.kind !== 'binary' || (node.operator !== '+' && node.operator !== '-')) return [node];
  return [...termsOf(node.left), node.right];
}

export interface Case {
  readonly value: Expression;
  /** Undefined for the last case. */
  readonly condition?: Expression;
}

/** Flattens `a ? b : c ? d : e` into a list; any other expression is a single case. */
export function casesOf(node: Expression): readonly Case[] {
  if (node.kind !== 'choice') return [{ value: node }];
  return [{ value: node.yes, condition: node.condition }, ...casesOf(node.no)];
}

interface Factor {
  readonly factor: Expression;
  readonly isDivisor: boolean;
}

/** Factors of a * b / c * d from left to right. */
function factorsOf(node: Expression): readonly Factor[] {
  if (node.kind !== 'binary' || (node.operator !== '*' && node.operator !== '/'))
    return [{ factor: node, isDivisor: false }];
  return [...factorsOf(node.left), { factor: node.right, isDivisor: node.operator === '/' }];
}

/** Dot before digits; otherwise invisible times, with some space beside words, functions and fractions. */
function multiplicationSign(
  left: Expression | undefined,
  right: Expression,
  isWord: (node: Expression) => boolean,
): MathNode {
  const first = leftmost(right);
  if (first.kind === 'number') return operator('⋅');
  const needsSpace = [left, right].some(
    (side) => side === undefined || side.kind === 'call' || isDivision(side) || isWord(leftmost(side)),
  );
  return element('mo', { lspace: needsSpace ? '0.17em' : '0', rspace: '0' }, '\u2062');
}

const isDivision = (node: Expression) => node.kind === 'binary' && node.operator === '/';

function leftmost(node: Expression): Expression {
  return node.kind === 'binary' && (node.operator === '*' || node.operator === '^') ? leftmost(node.left) : node;
}

/** Invisible function application. */
const functionApplication = () => element('mo', { lspace: '0', rspace: '0.1em' }, '\u2061');
const TWO: Expression = { kind: 'number', value: 2, start: 0, end: 0 };
const PLUS_ONE = { kind: 'binary', operator: '+', left: { ...TWO, value: 1 }, start: 0, end: 0 } as const;

const word = (text: string) => element('mtext', { class: 'math-word' }, `\u00a0${text}\u00a0`);

function parenthesised(parts: Row, isNeeded: boolean): Row {
  return isNeeded
    ? [element('mrow', null, element('mo', { form: 'prefix' }, '('), ...parts, element('mo', { form: 'postfix' }, ')'))]
    : parts;
}

/** Writes 6.02e23 as 6.02 × 10²³. */
function numberMath(value: number): Row {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return [element('mn', null, digits)];
  const power = Number(exponent);
  const above = row([...(power < 0 ? [tight('−')] : []), element('mn', null, String(Math.abs(power)))]);
  const ten = element('msup', null, element('mn', null, '10'), above);
  return digits === '1' ? [ten] : [element('mn', null, digits), operator('×'), ten];
}

// Syntax trees as MathML Core: fractions, roots, powers, sums and cases, as a textbook prints them.

import { type Binary, type Call, type Expression, nodeCount, POWER, type Sum } from '../../expressions/tree.ts';
import { element, type MathNode } from './math-node.ts';
import { type Meaning, type WrittenName, writtenName } from './names.ts';

/** Parts of a row. */
type Row = readonly MathNode[];

/** What is known of each symbol. */
export type Meanings = Readonly<Record<string, Meaning>>;

const row = (parts: Row): MathNode => (parts.length === 1 && parts[0] ? parts[0] : element('mrow', null, parts));
const operator = (text: string) => element('mo', null, text);
/** A term may begin or end a line, where its sign would be taken for a prefix. */
export const infix = (text: string, attributes: Readonly<Record<string, string>> = {}) =>
  element('mo', { form: 'infix', ...attributes }, text);
/** Signs and fences that keep their size; a sign at the beginning of a row would be taken for a prefix anyway. */
const tight = (text: string) => element('mo', { lspace: '0', rspace: '0', stretchy: 'false' }, text);
const upright = (text: string) => element('mi', { mathvariant: 'normal' }, text);

export function symbolMath(name: string, meaning: Meaning = {}): MathNode {
  const { before, base, isWord, index } = writtenName(name, meaning);
  const letter = isWord ? upright(base) : element('mi', null, base);
  const whole = index === undefined ? letter : element('msub', null, letter, indexMath(index));
  return before === undefined ? whole : element('mrow', null, upright(before), whole);
}

const indexMath = (index: NonNullable<WrittenName['index']>) =>
  /^\d+$/.test(index) ? element('mn', null, index) : index.length === 1 ? element('mi', null, index) : upright(index);

/** A row of terms, so that a long formula can break before any of them. */
export function termsMath(tree: Expression, meanings: Meanings = {}): readonly MathNode[] {
  // The blank before it is there already.
  const atBegin = ([first, ...rest]: Row, at: number) =>
    at > 0 && first ? [{ ...first, attributes: { ...first.attributes, lspace: '0' } }, ...rest] : [first, ...rest];
  return new Writer(meanings)
    .terms(tree)
    .map((parts, at) => row(atBegin(parts, at).filter((part) => part !== undefined)));
}

export function expressionMath(tree: Expression, meanings: Meanings = {}): MathNode {
  return row(new Writer(meanings).write(tree, POWER.choice));
}

/** Functions that a textbook writes otherwise. */
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
/** Functions of an order, which stands below: J_n(x). */
const ORDERED: Readonly<Record<string, string>> = {
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
/** Their squares are written sin² x. */
const TRIGONOMETRIC = /^(sin|cos|tan|sinh|cosh|tanh)$/;
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  '==': '=',
  '!=': '≠',
};
/** An exponential with a larger exponent is written exp(…). */
const LARGEST_EXPONENT = 14;

const isLeaf = ({ kind }: Expression) => kind === 'number' || kind === 'symbol' || kind === 'constant';

class Writer {
  readonly #meanings: Meanings;
  /** In an index or exponent, where fractions of simple things stay on the line. */
  #isSmall = false;

  constructor(meanings: Meanings) {
    this.#meanings = meanings;
  }

  /** a + b − c as its terms, each with its sign. */
  terms(node: Expression): readonly Row[] {
    if (node.kind !== 'binary' || (node.operator !== '+' && node.operator !== '-')) {
      return [this.write(node, POWER.sum)];
    }
    const sign = infix(node.operator === '+' ? '+' : '−');
    return [...this.terms(node.left), [sign, ...this.write(node.right, POWER.product)]];
  }

  /** In parentheses if it binds less tightly than `minimum`. */
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
        const power = node.operator === '-' ? POWER.sum : POWER.not;
        return fenced([sign, ...this.write(node.operand, POWER.product)], power < minimum);
      }
      case 'binary':
        return this.#binary(node, minimum);
      case 'choice':
        return fenced([this.#cases(node)], minimum > POWER.choice);
      case 'call':
        return this.#call(node);
      case 'sum':
        return fenced(this.#sum(node), minimum > POWER.product);
    }
  }

  #binary(node: Binary, minimum: number): Row {
    const { operator: mark, left, right } = node;
    if (mark === '^') return this.#power(left, right);
    if (mark === '*' || mark === '/') return this.#product(node, minimum);
    if (mark === '+' || mark === '-') return fenced(this.terms(node).flat(), minimum > POWER.sum);
    if (mark === 'and' || mark === 'or') {
      const power = mark === 'and' ? POWER.and : POWER.or;
      return fenced([...this.write(left, power), word(mark), ...this.write(right, power)], power < minimum);
    }
    const sides = [this.write(left, POWER.sum), [operator(COMPARISONS[mark] ?? mark)], this.write(right, POWER.sum)];
    return fenced(sides.flat(), minimum > POWER.comparison);
  }

  /** Factors side by side, and fractions for what is divided. */
  #product(node: Binary, minimum: number): Row {
    const [first, ...rest] = chainOf(node);
    if (!first) return [];
    const isNegative = first.factor.kind === 'unary' && first.factor.operator === '-';
    const head = first.factor.kind === 'unary' && isNegative ? first.factor.operand : first.factor;
    let above: Expression[] = [head];
    let done: MathNode[] = [];
    let below: Expression[] = [];
    // What stands left of a slash is its numerator, all of it.
    const close = () => {
      if (below.length === 0) return;
      done = [this.#fraction([...done], above, below)];
      above = [];
      below = [];
    };
    for (const { factor, isDivisor } of rest) {
      if (isDivisor) below.push(factor);
      else {
        close();
        above.push(factor);
      }
    }
    close();
    const parts = this.#factors(done, above);
    const signed = isNegative ? [operator('−'), ...parts] : parts;
    return fenced(signed, minimum > POWER.product || (isNegative && minimum > POWER.sum));
  }

  #fraction(before: readonly MathNode[], above: readonly Expression[], below: readonly Expression[]): MathNode {
    const simple = [...above, ...below];
    const isFlat =
      this.#isSmall && before.length === 0 && above.length === 1 && below.length === 1 && simple.every(isLeaf);
    if (isFlat) return row([...this.#factors([], above), tight('/'), ...this.#factors([], below)]);
    // Alone above or below a line nothing needs parentheses.
    const side = (done: readonly MathNode[], factors: readonly Expression[]) =>
      done.length === 0 && factors.length === 1 && factors[0]
        ? this.write(factors[0], POWER.choice)
        : this.#factors(done, factors);
    return element('mfrac', null, row(side(before, above)), row(side([], below)));
  }

  #factors(done: readonly MathNode[], factors: readonly Expression[]): Row {
    const parts: MathNode[] = [...done];
    let last: Expression | undefined;
    factors.forEach((factor, at) => {
      const isLast = at === factors.length - 1;
      const isAlone = parts.length === 0 && isLast;
      const minimum = isAlone ? POWER.product : factor.kind === 'sum' && isLast ? POWER.product : POWER.minus;
      // A product in parentheses is one row with the rest.
      const isRow = factor.kind === 'binary' && (factor.operator === '*' || factor.operator === '/');
      const written = this.write(factor, isRow ? POWER.product : minimum);
      if (parts.length > 0) parts.push(times(last, factor, this.#isWord));
      parts.push(...written);
      last = factor;
    });
    return parts;
  }

  readonly #isWord = ({ kind, ...node }: Expression) =>
    kind === 'symbol' && 'name' in node && writtenName(node.name, this.#meanings[node.name]).isWord;

  #power(base: Expression, exponent: Expression): Row {
    const above = this.#small(exponent);
    if (base.kind === 'call' && TRIGONOMETRIC.test(base.name) && exponent.kind === 'number') {
      const [operand] = base.operands;
      return operand ? [element('msup', null, upright(base.name), above), apply(), ...this.#argument(operand)] : [];
    }
    if (base.kind === 'symbol') {
      const { before, base: letter, isWord, index } = writtenName(base.name, this.#meanings[base.name]);
      if (index !== undefined && before === undefined) {
        return [
          element('msubsup', null, isWord ? upright(letter) : element('mi', null, letter), indexMath(index), above),
        ];
      }
      if (before !== undefined)
        return [element('msup', null, row(fenced([symbolMath(base.name, this.#meanings[base.name])], true)), above)];
    }
    const isPlain = isLeaf(base) || (base.kind === 'call' && base.name in FENCES);
    return [element('msup', null, row(fenced(this.write(base, POWER.choice), !isPlain)), above)];
  }

  #small(node: Expression): MathNode {
    const before = this.#isSmall;
    this.#isSmall = true;
    const written = row(this.write(node, POWER.choice));
    this.#isSmall = before;
    return written;
  }

  #argument(operand: Expression): Row {
    return fenced(this.write(operand, POWER.choice), !isLeaf(operand));
  }

  #call({ name, operands }: Call): Row {
    const [first, second] = operands;
    if (!first) return [upright(name)];
    const whole = (node: Expression) => row(this.write(node, POWER.choice));
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
      const squares = operands.flatMap((one, at) => [...(at === 0 ? [] : [operator('+')]), ...this.#power(one, TWO)]);
      return [element('msqrt', null, row(squares))];
    }
    if (name === 'exp') return this.#exponential(first);
    if (name === 'expm1') return fenced([...this.#exponential(first), operator('−'), element('mn', null, '1')], true);
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
    if (name === 'lgamma') return [upright('ln'), apply(), ...this.#apply(upright('Γ'), operands, true)];
    if (name === 'factorial') return [...fenced(this.write(first, POWER.choice), !isLeaf(first)), tight('!')];
    if (name === 'choose' && second) {
      const stack = element('mfrac', { linethickness: '0' }, whole(first), whole(second));
      return fenced([stack], true);
    }
    const ordered = ORDERED[name];
    if (ordered !== undefined && second) {
      return this.#apply(element('msub', null, element('mi', null, ordered), this.#small(first)), [second], true);
    }
    const title = FUNCTION_NAMES[name] ?? ordered ?? name;
    return this.#apply(upright(title), operands, title.length === 1);
  }

  #exponential(exponent: Expression): Row {
    if (nodeCount(exponent) > LARGEST_EXPONENT) return this.#apply(upright('exp'), [exponent], true);
    return [element('msup', null, upright('e'), this.#small(exponent))];
  }

  #apply(name: MathNode, operands: readonly Expression[], isFenced = false): Row {
    const [only] = operands;
    if (operands.length === 1 && only && isLeaf(only) && !isFenced)
      return [name, apply(), ...this.write(only, POWER.choice)];
    const inner = operands.flatMap((one, at) => [
      ...(at === 0 ? [] : [operator(',')]),
      ...this.write(one, POWER.choice),
    ]);
    return [name, apply(), ...fenced(inner, true)];
  }

  #sum({ index, from, to, term }: Sum): Row {
    const begin = row([element('mi', null, index), operator('='), this.#small(from)]);
    const sign = element('mo', { largeop: 'true', movablelimits: 'false' }, '∑');
    return [element('munderover', null, sign, begin, this.#small(to)), ...this.write(term, POWER.product)];
  }

  #cases(node: Expression): MathNode {
    const cases = casesOf(node).map(({ value, condition }) =>
      element(
        'mtr',
        null,
        element('mtd', null, row(this.write(value, POWER.sum))),
        element(
          'mtd',
          null,
          row(condition ? [word('if'), ...this.write(condition, POWER.choice)] : [word('otherwise')]),
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

/** a + b - c without its signs. */
export function termsOf(node: Expression): readonly Expression[] {
  if (node.kind !== 'binary' || (node.operator !== '+' && node.operator !== '-')) return [node];
  return [...termsOf(node.left), node.right];
}

export interface Case {
  readonly value: Expression;
  /** None for what is left. */
  readonly condition?: Expression;
}

/** `a ? b : c ? d : e` as a list; everything else is the one case. */
export function casesOf(node: Expression): readonly Case[] {
  if (node.kind !== 'choice') return [{ value: node }];
  return [{ value: node.yes, condition: node.condition }, ...casesOf(node.no)];
}

interface Factor {
  readonly factor: Expression;
  readonly isDivisor: boolean;
}

/** a * b / c * d from left to right. */
function chainOf(node: Expression): readonly Factor[] {
  if (node.kind !== 'binary' || (node.operator !== '*' && node.operator !== '/'))
    return [{ factor: node, isDivisor: false }];
  return [...chainOf(node.left), { factor: node.right, isDivisor: node.operator === '/' }];
}

/** Invisible times between letters, a little room beside words, functions and fractions, a dot before digits. */
function times(left: Expression | undefined, right: Expression, isWord: (node: Expression) => boolean): MathNode {
  const first = leftmost(right);
  if (first.kind === 'number') return operator('⋅');
  const isRoomy = [left, right].some(
    (one) => one === undefined || one.kind === 'call' || isDivision(one) || isWord(leftmost(one)),
  );
  return element('mo', { lspace: isRoomy ? '0.17em' : '0', rspace: '0' }, '\u2062');
}

const isDivision = (node: Expression) => node.kind === 'binary' && node.operator === '/';

function leftmost(node: Expression): Expression {
  return node.kind === 'binary' && (node.operator === '*' || node.operator === '^') ? leftmost(node.left) : node;
}

/** Function application. */
const apply = () => element('mo', { lspace: '0', rspace: '0.1em' }, '\u2061');
const TWO: Expression = { kind: 'number', value: 2, start: 0, end: 0 };
const PLUS_ONE = { kind: 'binary', operator: '+', left: { ...TWO, value: 1 }, start: 0, end: 0 } as const;

const word = (text: string) => element('mtext', { class: 'math-word' }, `\u00a0${text}\u00a0`);

function fenced(parts: Row, isNeeded: boolean): Row {
  return isNeeded
    ? [element('mrow', null, element('mo', { form: 'prefix' }, '('), ...parts, element('mo', { form: 'postfix' }, ')'))]
    : parts;
}

/** 6.02e23 is 6.02 × 10²³. */
function numberMath(value: number): Row {
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return [element('mn', null, digits)];
  const power = Number(exponent);
  const above = row([...(power < 0 ? [tight('−')] : []), element('mn', null, String(Math.abs(power)))]);
  const ten = element('msup', null, element('mn', null, '10'), above);
  return digits === '1' ? [ten] : [element('mn', null, digits), operator('×'), ten];
}

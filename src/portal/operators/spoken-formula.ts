// A formula as it is read aloud: `K equals m v squared over 2`. Brackets are spoken where a listener would group
// differently, and a root or a long exponent says where it ends.

import { type Binary, type Call, type Expression, PRECEDENCE, type Sum } from '../../expressions/tree.ts';
import type { Meanings } from './formula.ts';
import { nameOfGreek, symbolNotation } from './symbol-names.ts';

/** The whole equation, with the definitions of its intermediate symbols. */
export function spokenEquation(
  symbol: string,
  expression: Expression,
  meanings: Meanings = {},
  where: Readonly<Record<string, Expression>> = {},
): string {
  const definitions = Object.entries(where).map(
    ([name, tree]) => `${spokenSymbol(name, meanings)} equals ${spoken(tree, meanings)}`,
  );
  const text = `${spokenSymbol(symbol, meanings)} equals ${spoken(expression, meanings)}`;
  return definitions.length === 0 ? text : `${text}; where ${definitions.join('; ')}`;
}

/** `rho sub 1`, `delta T`. */
export function spokenSymbol(name: string, meanings: Meanings = {}): string {
  const { prefix, base, isWord, index } = symbolNotation(name, meanings[name]);
  const spell = (text: string) => (isWord ? text : [...text].map(nameOfGreek).join(' '));
  const letter = `${prefix === 'Δ' ? 'delta ' : prefix === undefined ? '' : `${prefix} `}${spell(base)}`;
  return index === undefined ? letter : `${letter} sub ${index.split(',').map(spokenIndex).join(' ')}`;
}

const spokenIndex = (index: string) => [...index].map(nameOfGreek).join('');

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
  '==': 'equals',
  '!=': 'is not equal to',
};

const FUNCTIONS: Readonly<Record<string, string>> = {
  sin: 'sine',
  cos: 'cosine',
  tan: 'tangent',
  sinh: 'hyperbolic sine',
  cosh: 'hyperbolic cosine',
  tanh: 'hyperbolic tangent',
  asin: 'arc sine',
  acos: 'arc cosine',
  atan: 'arc tangent',
  atan2: 'arc tangent',
  log: 'natural log',
  log2: 'log base 2',
  log10: 'log base 10',
  abs: 'absolute value',
  min: 'smaller',
  max: 'larger',
  floor: 'floor',
  ceil: 'ceiling',
  sign: 'sign',
  gamma: 'gamma function',
  lgamma: 'log gamma function',
  erf: 'error function',
  erfc: 'complementary error function',
  normcdf: 'normal distribution function',
  normpdf: 'normal density',
  norminv: 'normal quantile',
  ellipk: 'complete elliptic integral of the first kind',
  ellipe: 'complete elliptic integral of the second kind',
  expint1: 'exponential integral',
  langevin: 'Langevin function',
  zeta: 'zeta function',
};

const ORDERED: Readonly<Record<string, string>> = {
  besselj: 'Bessel function',
  besseli: 'modified Bessel function',
  besselk: 'modified Bessel function of the second kind',
  lambertw: 'Lambert W function',
};

export function spoken(node: Expression, meanings: Meanings = {}, minimum: number = PRECEDENCE.choice): string {
  const say = (child: Expression, least: number = PRECEDENCE.choice) => spoken(child, meanings, least);
  switch (node.kind) {
    case 'number':
      return spokenNumber(node.value);
    case 'truth':
    case 'text':
      return String(node.value);
    case 'constant':
      return node.name;
    case 'symbol':
      return spokenSymbol(node.name, meanings);
    case 'unary':
      return node.operator === '-'
        ? grouped(`minus ${say(node.operand, PRECEDENCE.product)}`, minimum > PRECEDENCE.sum)
        : grouped(`not ${say(node.operand, PRECEDENCE.not)}`, minimum > PRECEDENCE.not);
    case 'binary':
      return spokenBinary(node, say, minimum);
    case 'choice': {
      const text = `${say(node.yes)} if ${say(node.condition, PRECEDENCE.or)}; otherwise ${say(node.no)}`;
      return grouped(text, minimum > PRECEDENCE.choice);
    }
    case 'call':
      return spokenCall(node, say);
    case 'sum':
      return grouped(spokenSum(node, say), minimum > PRECEDENCE.product);
  }
}

type Say = (node: Expression, minimum?: number) => string;

function spokenBinary({ operator, left, right }: Binary, say: Say, minimum: number): string {
  switch (operator) {
    case '+':
    case '-': {
      const sign = operator === '+' ? 'plus' : 'minus';
      return grouped(
        `${say(left, PRECEDENCE.sum)} ${sign} ${say(right, PRECEDENCE.product)}`,
        minimum > PRECEDENCE.sum,
      );
    }
    case '*': {
      const factors = factorsOf({ left, right });
      const [head] = factors;
      const isNegative = isNegativeProduct(head);
      const rest = head?.kind === 'unary' && isNegative ? [head.operand, ...factors.slice(1)] : factors;
      const text = `${isNegative ? 'minus ' : ''}${spokenProduct(rest, say)}`;
      return grouped(text, minimum > (isNegative ? PRECEDENCE.sum : PRECEDENCE.product));
    }
    case '/': {
      // `a over b` goes as far as a product does; a sum above or below the bar is bracketed.
      const isProduct = right.kind === 'binary' && right.operator === '*';
      const isNegative = isNegativeProduct(left);
      const above = say(left, isNegative ? PRECEDENCE.sum : PRECEDENCE.product);
      const text = `${above} over ${say(right, isProduct ? PRECEDENCE.product : PRECEDENCE.minus)}`;
      return grouped(text, minimum > (isNegative ? PRECEDENCE.sum : PRECEDENCE.product));
    }
    case '^':
      return spokenPower(left, right, say);
    case 'and':
    case 'or': {
      const own = operator === 'and' ? PRECEDENCE.and : PRECEDENCE.or;
      return grouped(`${say(left, own)} ${operator} ${say(right, own)}`, minimum > own);
    }
    default: {
      const text = `${say(left, PRECEDENCE.sum)} ${COMPARISONS[operator]} ${say(right, PRECEDENCE.sum)}`;
      return grouped(text, minimum > PRECEDENCE.comparison);
    }
  }
}

const grouped = (text: string, isNeeded: boolean) => (isNeeded ? `open bracket ${text} close bracket` : text);

const factorsOf = ({ left, right }: Pick<Binary, 'left' | 'right'>): readonly Expression[] => [
  ...(left.kind === 'binary' && left.operator === '*' ? factorsOf(left) : [left]),
  right,
];

/** Letters follow each other; numbers, brackets and functions are multiplied aloud. */
function spokenProduct(factors: readonly Expression[], say: Say): string {
  return factors.reduce((text, factor, at) => {
    const words = say(factor, at === 0 && isQuotient(factor) ? PRECEDENCE.product : PRECEDENCE.minus);
    const before = factors[at - 1];
    if (before === undefined) return words;
    if (isQuotient(before)) return `${text}, times ${words}`;
    return `${text}${isLetter(before) && isLetter(factor) ? ' ' : before.kind === 'number' && isLetter(factor) ? ' ' : ' times '}${words}`;
  }, '');
}

/** Its first factor has a minus, which is said before all of it. */
const isNegativeProduct = (node: Expression | undefined): boolean =>
  node?.kind === 'unary'
    ? node.operator === '-'
    : node?.kind === 'binary' && (node.operator === '*' || node.operator === '/') && isNegativeProduct(node.left);

const isQuotient = (node: Expression) => node.kind === 'binary' && node.operator === '/';
const isPlain = ({ kind }: Expression) => kind === 'number' || kind === 'symbol' || kind === 'constant';
/** A symbol or a power of one. */
const isLetter = (node: Expression): boolean =>
  node.kind === 'symbol' ||
  node.kind === 'constant' ||
  (node.kind === 'binary' && node.operator === '^' && isLetter(node.left));

const TRIGONOMETRIC = /^(sin|cos|tan|sinh|cosh|tanh)$/;

function spokenPower(base: Expression, exponent: Expression, say: Say): string {
  const power = powerWords(exponent, say);
  const [operand] = base.kind === 'call' ? base.operands : [];
  if (base.kind === 'call' && operand && TRIGONOMETRIC.test(base.name) && exponent.kind === 'number')
    return `${FUNCTIONS[base.name]} ${power} of ${say(operand, PRECEDENCE.product)}`;
  return `${say(base, PRECEDENCE.leaf)} ${power}`;
}

function powerWords(exponent: Expression, say: Say): string {
  if (exponent.kind === 'number' && exponent.value === 2) return 'squared';
  if (exponent.kind === 'number' && exponent.value === 3) return 'cubed';
  if (exponent.kind === 'number' && Number.isInteger(exponent.value)) return `to the ${exponent.value}th power`;
  return `to the power ${say(exponent)} end power`;
}

function spokenCall({ name, operands }: Call, say: Say): string {
  const [first, second] = operands;
  if (first === undefined) return name;
  const root = (kind: string, text: string) => `the ${kind} root of ${text}${isPlain(first) ? '' : ' end root'}`;
  switch (name) {
    case 'sqrt':
      return root('square', say(first));
    case 'cbrt':
      return root('cube', say(first));
    case 'hypot':
      return `the square root of ${operands.map((one) => `${say(one, PRECEDENCE.leaf)} squared`).join(' plus ')} end root`;
    case 'exp':
      return `e ${powerWords(first, say)}`;
    case 'expm1':
      return `open bracket e ${powerWords(first, say)} minus 1 close bracket`;
    case 'log1p':
      return `the natural log of open bracket 1 plus ${say(first, PRECEDENCE.product)} close bracket`;
    case 'factorial':
      return `${say(first, PRECEDENCE.leaf)} factorial`;
    case 'choose':
      if (second !== undefined) return `${say(first, PRECEDENCE.leaf)} choose ${say(second, PRECEDENCE.leaf)}`;
  }
  const ordered = ORDERED[name];
  if (ordered !== undefined && second !== undefined)
    return `the ${ordered} of order ${say(first, PRECEDENCE.product)} of ${say(second, PRECEDENCE.product)}`;
  const words = `the ${FUNCTIONS[name] ?? ordered ?? name} of`;
  return operands.length === 1
    ? `${TRIGONOMETRIC.test(name) ? `${FUNCTIONS[name]} of` : words} ${say(first, PRECEDENCE.product)}`
    : `${words} ${operands.map((one) => say(one, PRECEDENCE.sum)).join(' and ')}`;
}

const spokenSum = ({ index, from, to, term }: Sum, say: Say) =>
  `the sum over ${index} from ${say(from)} to ${say(to)} of ${say(term, PRECEDENCE.product)}`;

function spokenNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  const sign = (text: string) => text.replace('-', 'minus ').replace('+', '');
  if (exponent === undefined) return sign(digits);
  const power = `10 to the power ${sign(exponent)}`;
  return digits === '1' ? power : `${sign(digits)} times ${power}`;
}

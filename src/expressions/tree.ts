// The syntax tree of an expression. Positions count UTF-16 units of the text from 0; `end` is exclusive.

export type Expression =
  | NumberLiteral
  | TextLiteral
  | TruthLiteral
  | Constant
  | SymbolName
  | Unary
  | Binary
  | Choice
  | Call
  | Sum;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface NumberLiteral extends Span {
  readonly kind: 'number';
  readonly value: number;
  /** What rounding to a double left of the decimal number; missing if nothing. */
  readonly remainder?: number;
}

export interface TextLiteral extends Span {
  readonly kind: 'text';
  readonly value: string;
}

export interface TruthLiteral extends Span {
  readonly kind: 'truth';
  readonly value: boolean;
}

/** A name with a fixed value: pi. */
export interface Constant extends Span {
  readonly kind: 'constant';
  readonly name: string;
}

/** An input, a parameter or, inside its sum, an index. Dotted names are one symbol: `event.amount`. */
export interface SymbolName extends Span {
  readonly kind: 'symbol';
  readonly name: string;
}

export type UnaryOperator = '-' | 'not';

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '^' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `condition ? yes : no` */
export interface Choice extends Span {
  readonly kind: 'choice';
  readonly condition: Expression;
  readonly yes: Expression;
  readonly no: Expression;
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly name: string;
  readonly operands: readonly Expression[];
}

/** `sum(index, from, to, term)`: index runs over from, from + 1, … up to `to`. */
export interface Sum extends Span {
  readonly kind: 'sum';
  readonly index: string;
  readonly from: Expression;
  readonly to: Expression;
  readonly term: Expression;
}

/** `symbol = expression` */
export interface Equation {
  readonly symbol: string;
  readonly expression: Expression;
}

/** Operator precedence; a higher number binds more tightly. */
export const PRECEDENCE = {
  choice: 1,
  or: 2,
  and: 3,
  not: 4,
  comparison: 5,
  sum: 6,
  product: 7,
  minus: 8,
  power: 9,
  leaf: 10,
} as const;

export const BINARY_PRECEDENCE: ReadonlyMap<string, number> = new Map<BinaryOperator, number>([
  ['or', PRECEDENCE.or],
  ['and', PRECEDENCE.and],
  ['==', PRECEDENCE.comparison],
  ['!=', PRECEDENCE.comparison],
  ['<', PRECEDENCE.comparison],
  ['<=', PRECEDENCE.comparison],
  ['>', PRECEDENCE.comparison],
  ['>=', PRECEDENCE.comparison],
  ['+', PRECEDENCE.sum],
  ['-', PRECEDENCE.sum],
  ['*', PRECEDENCE.product],
  ['/', PRECEDENCE.product],
  ['^', PRECEDENCE.power],
]);

export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'choice':
      return [node.condition, node.yes, node.no];
    case 'call':
      return node.operands;
    case 'sum':
      return [node.from, node.to, node.term];
    default:
      return [];
  }
}

export function nodeCount(node: Expression): number {
  return childrenOf(node).reduce((count, child) => count + nodeCount(child), 1);
}

/** The free symbols in order of appearance; the index of a sum is bound in its term. */
export function symbolsOf(node: Expression): ReadonlySet<string> {
  const found = new Set<string>();
  collect(node, [], found);
  return found;
}

function collect(node: Expression, bound: readonly string[], found: Set<string>): void {
  if (node.kind === 'symbol') {
    if (!bound.includes(node.name)) found.add(node.name);
  } else if (node.kind === 'sum') {
    collect(node.from, bound, found);
    collect(node.to, bound, found);
    collect(node.term, [...bound, node.index], found);
  } else {
    for (const child of childrenOf(node)) collect(child, bound, found);
  }
}

/** The expression with its free symbols renamed; a symbol without a new name keeps its own. */
export function renamed(node: Expression, names: ReadonlyMap<string, string>): Expression {
  const inside = (child: Expression) => renamed(child, names);
  switch (node.kind) {
    case 'symbol':
      return { ...node, name: names.get(node.name) ?? node.name };
    case 'unary':
      return { ...node, operand: inside(node.operand) };
    case 'binary':
      return { ...node, left: inside(node.left), right: inside(node.right) };
    case 'choice':
      return { ...node, condition: inside(node.condition), yes: inside(node.yes), no: inside(node.no) };
    case 'call':
      return { ...node, operands: node.operands.map(inside) };
    case 'sum': {
      const bound = new Map([...names].filter(([name]) => name !== node.index));
      return { ...node, from: inside(node.from), to: inside(node.to), term: renamed(node.term, bound) };
    }
    default:
      return node;
  }
}

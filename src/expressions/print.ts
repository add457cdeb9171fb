// The printer: expression trees to text, with known numbers substituted for symbols.

import { BINARY_PRECEDENCE, type Binary, type Equation, type Expression, PRECEDENCE } from './tree.ts';

export type Numbers = ReadonlyMap<string, number>;

const NONE: Numbers = new Map();

/**
 * `T = 300*sin(2.5*0.1) [K]`: an equation with numbers substituted and the unit of its left side.
 *
 * @param numbers  values by symbol; a symbol without one stays a symbol
 */
export function printEquation(equation: Equation, numbers: Numbers = NONE, unit?: string): string {
  const text = `${equation.symbol} = ${printExpression(equation.expression, numbers)}`;
  return unit === undefined ? text : `${text} [${unit}]`;
}

/**
 * Text that parses to the same tree, numbers in JavaScript's shortest form. Parentheses are written where they are
 * needed, and around a minus sign after + - * or /.
 */
export function printExpression(tree: Expression, numbers: Numbers = NONE): string {
  return print(tree, numbers, PRECEDENCE.choice);
}

/** Text with a precedence of at least `minimum`, in parentheses if necessary. */
function print(node: Expression, numbers: Numbers, minimum: number): string {
  switch (node.kind) {
    case 'number':
      return String(node.value);
    case 'truth':
      return String(node.value);
    case 'text':
      return `"${node.value.replace(/["\\]/g, '\\$&')}"`;
    case 'constant':
      return node.name;
    case 'symbol': {
      const value = numbers.get(node.name);
      if (value === undefined) return node.name;
      return enclose(String(value), value < 0 ? PRECEDENCE.minus : PRECEDENCE.leaf, minimum);
    }
    case 'unary': {
      const precedence = node.operator === '-' ? PRECEDENCE.minus : PRECEDENCE.not;
      const word = node.operator === '-' ? '-' : 'not ';
      return enclose(word + print(node.operand, numbers, precedence), precedence, minimum);
    }
    case 'binary':
      return enclose(printBinary(node, numbers), BINARY_PRECEDENCE.get(node.operator) ?? PRECEDENCE.leaf, minimum);
    case 'choice': {
      const condition = print(node.condition, numbers, PRECEDENCE.or);
      const branches = [node.yes, node.no].map((branch) => print(branch, numbers, PRECEDENCE.choice)).join(' : ');
      return enclose(`${condition} ? ${branches}`, PRECEDENCE.choice, minimum);
    }
    case 'call':
      return `${node.name}(${node.operands.map((operand) => print(operand, numbers, PRECEDENCE.choice)).join(', ')})`;
    case 'sum': {
      const bounds = [node.from, node.to].map((bound) => print(bound, numbers, PRECEDENCE.choice)).join(', ');
      return `sum(${node.index}, ${bounds}, ${print(node.term, without(numbers, node.index), PRECEDENCE.choice)})`;
    }
  }
}

const enclose = (text: string, precedence: number, minimum: number) => (precedence < minimum ? `(${text})` : text);

function printBinary({ operator, left, right }: Binary, numbers: Numbers): string {
  const precedence = BINARY_PRECEDENCE.get(operator) ?? PRECEDENCE.leaf;
  const isTight = precedence >= PRECEDENCE.product;
  const mark = isTight ? operator : ` ${operator} `;
  // ^ is right-associative and allows a sign on the right; a comparison has no comparison as operand.
  const leftMinimum =
    precedence === PRECEDENCE.power || precedence === PRECEDENCE.comparison ? precedence + 1 : precedence;
  const rightMinimum = precedence === PRECEDENCE.power ? PRECEDENCE.minus : precedence + 1;
  const rightText = print(right, numbers, rightMinimum);
  const isSigned = rightText.startsWith('-') && (precedence === PRECEDENCE.sum || precedence === PRECEDENCE.product);
  return print(left, numbers, leftMinimum) + mark + (isSigned ? `(${rightText})` : rightText);
}

/** The index of a sum shadows a number of the same name. */
function without(numbers: Numbers, name: string): Numbers {
  if (!numbers.has(name)) return numbers;
  const rest = new Map(numbers);
  rest.delete(name);
  return rest;
}

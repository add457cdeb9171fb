// Trees back to text, for people: with numbers in place of symbols where they are known.

import { BINARY_POWER, type Binary, type Equation, type Expression, POWER } from './tree.ts';

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
 * Text that parses back to the same tree, numbers in JavaScript's shortest form. Parentheses stand where they are
 * needed, and where a minus sign would follow + - * or /.
 */
export function printExpression(tree: Expression, numbers: Numbers = NONE): string {
  return print(tree, numbers, POWER.choice);
}

/** Text that may stand where an operator binding as tightly as `minimum` is expected. */
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
      return enclose(String(value), value < 0 ? POWER.minus : POWER.leaf, minimum);
    }
    case 'unary': {
      const power = node.operator === '-' ? POWER.minus : POWER.not;
      const word = node.operator === '-' ? '-' : 'not ';
      return enclose(word + print(node.operand, numbers, power), power, minimum);
    }
    case 'binary':
      return enclose(printBinary(node, numbers), BINARY_POWER.get(node.operator) ?? POWER.leaf, minimum);
    case 'choice': {
      const condition = print(node.condition, numbers, POWER.or);
      const branches = [node.yes, node.no].map((branch) => print(branch, numbers, POWER.choice)).join(' : ');
      return enclose(`${condition} ? ${branches}`, POWER.choice, minimum);
    }
    case 'call':
      return `${node.name}(${node.operands.map((operand) => print(operand, numbers, POWER.choice)).join(', ')})`;
    case 'sum': {
      const bounds = [node.from, node.to].map((bound) => print(bound, numbers, POWER.choice)).join(', ');
      return `sum(${node.index}, ${bounds}, ${print(node.term, without(numbers, node.index), POWER.choice)})`;
    }
  }
}

const enclose = (text: string, power: number, minimum: number) => (power < minimum ? `(${text})` : text);

function printBinary({ operator, left, right }: Binary, numbers: Numbers): string {
  const power = BINARY_POWER.get(operator) ?? POWER.leaf;
  const isTight = power >= POWER.product;
  const mark = isTight ? operator : ` ${operator} `;
  // ^ groups to the right and takes a sign there; a comparison has a looser operator on neither side.
  const leftMinimum = power === POWER.power || power === POWER.comparison ? power + 1 : power;
  const rightMinimum = power === POWER.power ? POWER.minus : power + 1;
  const rightText = print(right, numbers, rightMinimum);
  const isHidden = rightText.startsWith('-') && (power === POWER.sum || power === POWER.product);
  return print(left, numbers, leftMinimum) + mark + (isHidden ? `(${rightText})` : rightText);
}

/** An index hides a number of the same name. */
function without(numbers: Numbers, name: string): Numbers {
  if (!numbers.has(name)) return numbers;
  const rest = new Map(numbers);
  rest.delete(name);
  return rest;
}

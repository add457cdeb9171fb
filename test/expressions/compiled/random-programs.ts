// Random expressions and inputs from a seed, the same in Node and in browsers.

import { assemble, type Program } from '../../../src/expressions/bytecode.ts';
import { FUNCTIONS } from '../../../src/expressions/functions.ts';
import { type BinaryOperator, type Expression, nodeCount } from '../../../src/expressions/tree.ts';

const SYMBOLS = ['x', 'y', 'z'];

const OPERATORS: readonly BinaryOperator[] = [
  ...(['+', '-', '*', '/', '+', '-', '*', '/', '^', '^'] as const),
  ...(['<', '<=', '>', '>=', '==', '!=', 'and', 'or'] as const),
];
const NUMBERS = [0, 1, 2, 3, 0.5, 0.25, 10, 1e-3, 1e300, 1e-300, 7, 100];
/** Values at which functions and comparisons change. */
const SPECIAL = [0, -0, 1, -1, 2, 0.5, Number.NaN, Infinity, -Infinity, 5e-324, 1e308, -1e-300, 1e22, 4503599627370497];
const MAX_NODES = 120;
const MAX_DEPTH = 7;

/** Multiplies integers of 32 bits (squares of Weyl's sequence); good enough to choose cases. */
class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
  }

  /** Uniform in 0 … 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.fraction() * items.length)] as Item;
  }
}

const nowhere = { start: 0, end: 0 };
const number = (value: number): Expression => ({ kind: 'number', value, ...nowhere });
const symbol = (name: string): Expression => ({ kind: 'symbol', name, ...nowhere });

/** One expression of at most 120 nodes, with all operators, functions and nested sums, or several with definitions. */
export function randomProgram(seed: number): Program {
  const choices = new Choices(seed);
  for (;;) {
    const names = choices.fraction() < 0.3 ? ['a', 'b'] : [];
    const where = names.map((name, i) => ({
      name,
      expression: grow(choices, [...SYMBOLS, ...names.slice(0, i)], 2),
    }));
    const result = grow(choices, [...SYMBOLS, ...names], 0);
    const nodes = [...where.map(({ expression }) => expression), result].reduce((n, tree) => n + nodeCount(tree), 0);
    if (nodes <= MAX_NODES) return assemble(result, SYMBOLS, where);
  }
}

/** A tree of moderate size over these names. */
export function randomTree(seed: number, names: readonly string[]): Expression {
  const choices = new Choices(seed * 31 + names.length);
  for (;;) {
    const tree = grow(choices, names, 3);
    if (nodeCount(tree) <= 40) return tree;
  }
}

function grow(choices: Choices, names: readonly string[], depth: number): Expression {
  const next = (extra: readonly string[] = []) => grow(choices, [...names, ...extra], depth + 1);
  const kind = depth >= MAX_DEPTH ? 0 : choices.fraction();
  if (kind < 0.15) return choices.fraction() < 0.65 ? symbol(choices.of(names)) : number(choices.of(NUMBERS));
  if (kind < 0.2) {
    return { kind: 'unary', operator: choices.of(['-', '-', 'not'] as const), operand: next(), ...nowhere };
  }
  if (kind < 0.25) return { kind: 'binary', operator: '^', left: next(), right: number(2), ...nowhere };
  if (kind < 0.7) return { kind: 'binary', operator: choices.of(OPERATORS), left: next(), right: next(), ...nowhere };
  if (kind < 0.79) return { kind: 'choice', condition: next(), yes: next(), no: next(), ...nowhere };
  if (kind < 0.96) {
    const [name, { arity }] = choices.of([...FUNCTIONS]);
    return { kind: 'call', name, operands: arity === 1 ? [next()] : [next(), next()], ...nowhere };
  }
  const index = choices.of(['k', 'j']);
  // The assembler refuses long sums with literal bounds.
  const small = (tree: Expression): Expression => ({
    kind: 'call',
    name: 'min',
    operands: [tree, number(9)],
    ...nowhere,
  });
  const whole = (tree: Expression): Expression => ({ kind: 'call', name: 'floor', operands: [tree], ...nowhere });
  const bound = (tree: Expression) => (choices.fraction() < 0.1 ? small(tree) : whole(small(tree)));
  const to = choices.fraction() < 0.5 ? number(choices.of([0, 1, 3, 12])) : bound(next());
  const from = choices.fraction() < 0.8 ? number(choices.of([0, 1, 2])) : bound(next());
  return { kind: 'sum', index, from, to, term: next([index, index]), ...nowhere };
}

/** f64[rows, 3]: special values, small integers, and numbers of all magnitudes. */
export function randomRows(seed: number, rows: number): Float64Array {
  const choices = new Choices(~seed);
  return Float64Array.from({ length: rows * SYMBOLS.length }, () => {
    const kind = choices.fraction();
    if (kind < 0.2) return choices.of(SPECIAL);
    if (kind < 0.4) return Math.floor(choices.fraction() * 20) - 5;
    const sign = choices.fraction() < 0.4 ? -1 : 1;
    return sign * choices.fraction() * (kind < 0.8 ? 4 : kind < 0.9 ? 1e4 : 1e-9);
  });
}

// What may be called in an expression. The machine's list of operations is the list of functions.

import { FIRST_BINARY, FIRST_UNARY, OPCODE, type Opcode } from './opcodes.ts';

export interface ExpressionFunction {
  readonly opcode: Opcode;
  readonly arity: 1 | 2;
  /** Takes any number of arguments from two on: min(a, b, c) = min(min(a, b), c). */
  readonly isFolded: boolean;
}

const FOLDED = new Set(['min', 'max', 'hypot']);

export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map(
  Object.entries(OPCODE)
    .filter(([, opcode]) => opcode >= FIRST_UNARY)
    .map(([title, opcode]) => {
      const name = title.toLowerCase();
      return [name, { opcode, arity: opcode < FIRST_BINARY ? 1 : 2, isFolded: FOLDED.has(name) }];
    }),
);

/** Names with a fixed value. They cannot be symbols. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([['pi', Math.PI]]);

/** The form `sum(k, lo, hi, term)` is no function: it binds a name. */
export const SUM = 'sum';

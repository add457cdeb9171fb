// What may be called in an expression. The machine's list of operations is the list of functions.

import { FIRST_BINARY, FIRST_UNARY, OPCODE, type Opcode } from './opcodes.ts';

export interface ExpressionFunction {
  readonly opcode: Opcode;
  readonly arity: 1 | 2;
  /** Takes any number of arguments from two on: min(a, b, c) = min(min(a, b), c). */
  readonly isFolded: boolean;
  /** The first argument where only the second is written: lambertw(x) = lambertw(0, x), its principal branch. */
  readonly implied: number | undefined;
}

const FOLDED = new Set(['min', 'max', 'hypot']);
const IMPLIED: ReadonlyMap<string, number> = new Map([['lambertw', 0]]);

export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map(
  Object.entries(OPCODE)
    .filter(([, opcode]) => opcode >= FIRST_UNARY)
    .map(([title, opcode]) => {
      const name = title.toLowerCase();
      const arity = opcode < FIRST_BINARY ? 1 : 2;
      return [name, { opcode, arity, isFolded: FOLDED.has(name), implied: IMPLIED.get(name) }];
    }),
);

/** Names with a fixed value. They cannot be symbols. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([['pi', Math.PI]]);

/** The form `sum(k, lo, hi, term)` is no function: it binds a name. */
export const SUM = 'sum';

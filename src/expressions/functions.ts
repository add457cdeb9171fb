// The functions and constants of the expression language. Functions are derived from the opcodes of the machine.

import { FIRST_BINARY, FIRST_UNARY, OPCODE, type Opcode } from './opcodes.ts';

export interface ExpressionFunction {
  readonly opcode: Opcode;
  readonly arity: 1 | 2;
  /** Takes any number of arguments from two on: min(a, b, c) = min(min(a, b), c). */
  readonly isFolded: boolean;
  /** The first argument if only the second is written: lambertw(x) = lambertw(0, x), the principal branch. */
  readonly defaultFirst: number | undefined;
}

const FOLDED = new Set(['min', 'max', 'hypot']);
const DEFAULT_FIRST: ReadonlyMap<string, number> = new Map([['lambertw', 0]]);

export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map(
  Object.entries(OPCODE)
    .filter(([, opcode]) => opcode >= FIRST_UNARY)
    .map(([title, opcode]) => {
      const name = title.toLowerCase();
      const arity = opcode < FIRST_BINARY ? 1 : 2;
      return [name, { opcode, arity, isFolded: FOLDED.has(name), defaultFirst: DEFAULT_FIRST.get(name) }];
    }),
);

/** Names with a fixed value. They cannot be symbols. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([['pi', Math.PI]]);

/** `sum(k, lo, hi, term)` is not a function: it binds a name. */
export const SUM = 'sum';

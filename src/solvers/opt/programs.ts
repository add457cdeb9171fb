// Compiles a model for the kernel: the programs of each shape with their derivatives, and the elements that use them.

import { DomainError } from '../../core/errors.ts';
import { assemble, type Program } from '../../expressions/bytecode.ts';
import { differentiate, NoDerivativeRule } from '../../expressions/differentiate.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import type { Expression } from '../../expressions/tree.ts';
import { KINDS, type Model, type Shape } from './model.ts';

/** In the table instead of offsets; see assembly/solvers/opt/objective.ts. */
const ZERO = -1;
const NO_PROGRAM = -2;
/** Second slopes of an element of more variables are differences of its slopes: their number grows with the square. */
const MAX_SECOND = 60;

export interface Programs {
  readonly programs: Int32Array<ArrayBuffer>;
  readonly table: Int32Array<ArrayBuffer>;
  readonly code: Int32Array<ArrayBuffer>;
  readonly pool: Float64Array<ArrayBuffer>;
  readonly elements: Int32Array<ArrayBuffer>;
  readonly indices: Int32Array<ArrayBuffer>;
  readonly constants: Float64Array<ArrayBuffer>;
  readonly kinds: Int32Array<ArrayBuffer>;
  /** Variables, and variables and constants, of the largest element. */
  readonly locals: number;
  readonly slots: number;
  /** Operations of f, of its slopes without f, and of its second slopes without both. */
  readonly cost: { readonly value: number; readonly slopes: number; readonly curvature: number };
  /** Whether all slopes are programs; otherwise some are differences, as the named function or operator has no rule. */
  readonly withoutRule: string | undefined;
}

interface Compiled {
  readonly index: number;
  readonly value: number;
  readonly slopes: number;
  readonly curvature: number;
}

/** @throws DomainError EXPRESSION_INVALID */
export function programsOf({ rows }: Model): Programs {
  const code: number[] = [];
  const pool: number[] = [];
  const table: number[] = [];
  const programs: number[] = [];
  const compiled = new Map<Shape, Compiled>();
  const constants: number[] = [];
  const indices: number[] = [];
  const elements: number[] = [];
  const firstIndex = new Map<readonly number[], number>();
  const cost = { value: 0, slopes: 0, curvature: 0 };
  let [locals, slots] = [0, 0];
  let withoutRule: string | undefined;

  const append = (program: Program, operations: number) => {
    table.push(code.length, pool.length, operations);
    code.push(...program.code);
    pool.push(...program.pool);
  };
  const compile = (shape: Shape): Compiled => {
    const names = [...shape.locals, ...shape.constants];
    programs.push(shape.locals.length, shape.constants.length, table.length / 3);
    append(assemble(shape.expression, names), operationCount(shape.expression));
    const first = shape.locals.map((name) => derivative(shape.expression, name, names));
    const isSmall = shape.locals.length <= MAX_SECOND;
    const second = first.flatMap((one, j) =>
      shape.locals.slice(j).map((name) => {
        if (one === undefined) return undefined;
        if (typeof one === 'string' || !isSmall) return NONE;
        return derivative(one.expression, name, names);
      }),
    );
    for (const one of [...first, ...second]) {
      if (one === undefined) table.push(ZERO, 0, 0);
      else if (typeof one === 'string') table.push(NO_PROGRAM, 0, 0);
      else append(one.program, one.operations);
    }
    withoutRule ??= first.find((one) => typeof one === 'string');
    const own = operationCount(shape.expression);
    const sum = (all: readonly Derivative[]) =>
      all.reduce<number>(
        (total, one) => total + (one === undefined ? 0 : typeof one === 'string' ? 4 * own : one.operations),
        0,
      );
    return { index: programs.length / 3 - 1, value: own, slopes: sum(first), curvature: sum(second) };
  };

  for (const [i, row] of rows.entries()) {
    for (const { shape, variables, constants: values } of row.elements) {
      const known = compiled.get(shape) ?? compile(shape);
      compiled.set(shape, known);
      let from = firstIndex.get(variables);
      if (from === undefined) {
        from = indices.length;
        firstIndex.set(variables, from);
        indices.push(...variables);
      }
      elements.push(known.index, i, from, constants.length);
      constants.push(...values);
      cost.value += known.value;
      cost.slopes += known.slopes;
      cost.curvature += known.curvature;
      locals = Math.max(locals, variables.length);
      slots = Math.max(slots, variables.length + values.length);
    }
  }
  return {
    programs: Int32Array.from(programs),
    table: Int32Array.from(table),
    code: Int32Array.from(code),
    pool: Float64Array.from(pool),
    elements: Int32Array.from(elements),
    indices: Int32Array.from(indices),
    constants: Float64Array.from(constants),
    kinds: Int32Array.from(rows.map(({ kind }) => KINDS[kind])),
    locals,
    slots,
    cost,
    withoutRule,
  };
}

const NONE = 'second slopes';

/** Undefined for 0; a word for what has no rule. */
type Derivative =
  | { readonly expression: Expression; readonly program: Program; readonly operations: number }
  | string
  | undefined;

function derivative(expression: Expression, name: string, slots: readonly string[]): Derivative {
  try {
    const slope = differentiate(expression, name);
    return slope && { expression: slope, program: assemble(slope, slots), operations: operationCount(slope) };
  } catch (error) {
    if (error instanceof NoDerivativeRule) return error.what;
    if (error instanceof DomainError) return 'its length';
    throw error;
  }
}

// Compiles all expressions of a problem into one code block, in the order of assembly/solvers/unified/layout.ts.

import { assemble, type Program } from '../../expressions/bytecode.ts';
import { operationCount } from '../../expressions/operation-count.ts';
import type { Expression } from '../../expressions/tree.ts';
import { withPath } from './entries.ts';
import type { Line } from './lines.ts';
import type { Problem } from './problem.ts';

export interface Programs {
  readonly code: Int32Array<ArrayBuffer>;
  readonly pool: Float64Array<ArrayBuffer>;
  /** One row per program: offset of its code, offset of its constants, target slot of its value. */
  readonly table: Int32Array<ArrayBuffer>;
  /** One row per event: direction, action, first assignment, number of assignments. */
  readonly events: Int32Array<ArrayBuffer>;
  readonly count: number;
  readonly assignmentCount: number;
  /** Instructions per table row, and per evaluation of the derivatives. */
  readonly rowCost: number;
  readonly slopeCost: number;
}

const ACTIONS = { count: 0, stop: 1, assign: 2 } as const;

/** @throws DomainError EXPRESSION_INVALID for an equation that is too long with all its definitions */
export function programsOf(problem: Problem): Programs {
  const { states, algebraic, fixedCount, requiredCount, events, invariants, initial, slots } = problem;
  const slotOf = new Map(slots.map((name, i) => [name, i]));
  const target = (name: string) => slotOf.get(name) ?? -1;
  const assignments = events.flatMap((event) => event.assignments.map((assignment) => ({ ...assignment, event })));
  const programs: readonly { readonly program: Program; readonly target: number }[] = [
    ...[...algebraic, ...states].map((line) => ({ program: programOf(line, slots), target: target(line.symbol) })),
    ...events.map(({ expression, path, text }) => ({ program: compile(expression, slots, path, text), target: 0 })),
    ...assignments.map(({ symbol, expression, event: { path, text } }) => ({
      program: compile(expression, slots, path, text),
      target: target(symbol),
    })),
    ...invariants.map(({ expression, path, text }) => ({ program: compile(expression, slots, path, text), target: 0 })),
    ...initial.map(({ symbol, expression, path, text }) => ({
      program: compile(expression, slots, path, text),
      target: target(symbol),
    })),
  ];
  const { code, pool, table } = concatenate(programs);
  let firstAssignment = 0;
  const rows = events.flatMap(({ direction, action, assignments: actions }) => {
    const row = [direction, ACTIONS[action], firstAssignment, actions.length];
    firstAssignment += actions.length;
    return row;
  });
  const costs = [...algebraic, ...states].map(costOf);
  const sum = (from: number, to: number) => costs.slice(from, to).reduce((total, cost) => total + cost, 0);
  const slopeCost = sum(fixedCount, fixedCount + requiredCount) + sum(algebraic.length, costs.length);
  return {
    code,
    pool,
    table,
    events: Int32Array.from(rows),
    count: programs.length,
    assignmentCount: assignments.length,
    rowCost: sum(0, algebraic.length),
    slopeCost,
  };
}

function compile(expression: Expression, slots: readonly string[], path: string, text: string): Program {
  return withPath(path, text, () => assemble(expression, slots));
}

/** Compiles a line; a law reads some slots by its inner names, and cannot read the others. */
function programOf({ expression, where, outerNames, law, path, text }: Line, slots: readonly string[]): Program {
  if (law === undefined) return compile(expression, slots, path, text);
  const inner = new Map([...outerNames].map(([name, outerName]) => [outerName, name]));
  const names = slots.map((outerName, i) => inner.get(outerName) ?? `#${i}`);
  return withPath(path, text, () => assemble(expression, names, where));
}

function concatenate(programs: readonly { readonly program: Program; readonly target: number }[]) {
  const code: number[] = [];
  const pool: number[] = [];
  const table: number[] = [];
  for (const { program, target } of programs) {
    table.push(code.length, pool.length, target);
    code.push(...program.code);
    pool.push(...program.pool);
  }
  return { code: Int32Array.from(code), pool: Float64Array.from(pool), table: Int32Array.from(table) };
}

const costOf = ({ expression, where }: Line): number =>
  [...where.map((definition) => definition.expression), expression].reduce(
    (total, tree) => total + operationCount(tree),
    0,
  );

// All expressions of a problem as one block of code for the kernel, in the order of assembly/solvers/unified/layout.ts.

import { LIMITS } from '../../core/limits.ts';
import { assemble, type Program } from '../../expressions/bytecode.ts';
import { childrenOf, type Expression } from '../../expressions/tree.ts';
import type { Line } from './lines.ts';
import { within } from './lists.ts';
import type { Problem } from './problem.ts';

export interface Programs {
  readonly code: Int32Array<ArrayBuffer>;
  readonly pool: Float64Array<ArrayBuffer>;
  /** A row a program: where its code and its constants begin, and the slot that its value belongs to. */
  readonly table: Int32Array<ArrayBuffer>;
  /** A row an event: direction, action, first assignment, how many. */
  readonly events: Int32Array<ArrayBuffer>;
  readonly count: number;
  readonly assignmentCount: number;
  /** Instructions that one table row, or one evaluation of the right side, runs. */
  readonly rowCost: number;
  readonly slopeCost: number;
}

const ACTIONS = { count: 0, stop: 1, assign: 2 } as const;

/** @throws DomainError EXPRESSION_INVALID for an equation that is too long with all its definitions */
export function programsOf(problem: Problem): Programs {
  const { states, algebraic, fixedCount, neededCount, events, invariants, initial, slots } = problem;
  const slotOf = new Map(slots.map((name, i) => [name, i]));
  const target = (name: string) => slotOf.get(name) ?? -1;
  const assignments = events.flatMap((event) => event.assignments.map((one) => ({ ...one, event })));
  const all: readonly { readonly program: Program; readonly target: number }[] = [
    ...[...algebraic, ...states].map((line) => ({ program: programOf(line, slots), target: target(line.symbol) })),
    ...events.map(({ expression, path, text }) => ({ program: plain(expression, slots, path, text), target: 0 })),
    ...assignments.map(({ symbol, expression, event: { path, text } }) => ({
      program: plain(expression, slots, path, text),
      target: target(symbol),
    })),
    ...invariants.map(({ expression, path, text }) => ({ program: plain(expression, slots, path, text), target: 0 })),
    ...initial.map(({ symbol, expression, path, text }) => ({
      program: plain(expression, slots, path, text),
      target: target(symbol),
    })),
  ];
  const { code, pool, table } = joined(all);
  let assigned = 0;
  const rows = events.flatMap(({ direction, action, assignments: own }) => {
    const row = [direction, ACTIONS[action], assigned, own.length];
    assigned += own.length;
    return row;
  });
  const costs = [...algebraic, ...states].map(costOf);
  const sum = (from: number, to: number) => costs.slice(from, to).reduce((total, one) => total + one, 0);
  const slopeCost = sum(fixedCount, fixedCount + neededCount) + sum(algebraic.length, costs.length);
  return {
    code,
    pool,
    table,
    events: Int32Array.from(rows),
    count: all.length,
    assignmentCount: assignments.length,
    rowCost: sum(0, algebraic.length),
    slopeCost,
  };
}

function plain(expression: Expression, slots: readonly string[], path: string, text: string): Program {
  return within(path, text, () => assemble(expression, slots));
}

/** A law calls some slots by names of its own; the others have none that it could read. */
function programOf({ expression, where, outside, law, path, text }: Line, slots: readonly string[]): Program {
  if (law === undefined) return plain(expression, slots, path, text);
  const inner = new Map([...outside].map(([name, outer]) => [outer, name]));
  const names = slots.map((outer, i) => inner.get(outer) ?? `#${i}`);
  return within(path, text, () => assemble(expression, names, where));
}

function joined(all: readonly { readonly program: Program; readonly target: number }[]) {
  const code: number[] = [];
  const pool: number[] = [];
  const table: number[] = [];
  for (const { program, target } of all) {
    table.push(code.length, pool.length, target);
    code.push(...program.code);
    pool.push(...program.pool);
  }
  return { code: Int32Array.from(code), pool: Float64Array.from(pool), table: Int32Array.from(table) };
}

const costOf = ({ expression, where }: Line): number =>
  [...where.map((one) => one.expression), expression].reduce((total, tree) => total + operationsOf(tree), 0);

/** A sum counts its terms, as many as are allowed where its bounds are not plain numbers. */
function operationsOf(node: Expression): number {
  const own = childrenOf(node).reduce((total, child) => total + operationsOf(child), 1);
  if (node.kind !== 'sum') return own;
  const isPlain = node.from.kind === 'number' && node.to.kind === 'number';
  const terms = isPlain ? Math.max(0, node.to.value - node.from.value + 1) : LIMITS.expression.sumTerms;
  return own + (terms - 1) * operationsOf(node.term);
}

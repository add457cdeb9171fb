// Parse: the equation and the intermediate expressions as trees, and as one tree with the latter put in place.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Definition } from '../../expressions/bytecode.ts';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import { childrenOf, type Equation, type Expression } from '../../expressions/tree.ts';
import type { Operator } from '../operator.ts';
import { type Complaint, error } from './finding.ts';

/** An operator whose texts parse. */
export interface Subject {
  readonly operator: Operator;
  readonly equation: Equation;
  readonly where: readonly Definition[];
}

const MEND = 'Write it in the expression language: docs/adding-an-operator.md, src/expressions/functions.ts.';

/** @returns the subject, or what does not parse */
export function parseOperator(operator: Operator): Subject | readonly Complaint[] {
  const complaints: Complaint[] = [];
  const attempt = <T>(place: string, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      complaints.push(error(`${place}: ${fault.message}`, MEND));
      return undefined;
    }
  };
  const equation = attempt('equation', () => parseEquation(operator.equation));
  const where = Object.entries(operator.where ?? {}).flatMap(([name, text]) => {
    const expression = attempt(`where.${name}`, () => parseExpression(text));
    return expression === undefined ? [] : [{ name, expression }];
  });
  if (equation === undefined || complaints.length > 0) return complaints;

  const { symbol } = operator.output;
  if (equation.symbol !== symbol) {
    const text = `the left side is ${equation.symbol}, the output's symbol is ${symbol}`;
    complaints.push(error(text, 'Use one symbol for both.'));
  }
  const nodes = expandedCount(equation.expression, where);
  const { nodes: limit } = LIMITS.expression;
  if (nodes > limit) {
    const text = `${nodes} nodes with all intermediate expressions in place, at most ${limit} are allowed`;
    complaints.push(error(text, 'Shorten the law; one that needs more is no closed form for this registry.'));
  }
  return complaints.length > 0 ? complaints : { operator, equation, where };
}

/** The right side with every intermediate expression in its place. Its size is at most LIMITS.expression.nodes. */
export function expand({ equation, where }: Pick<Subject, 'equation' | 'where'>): Expression {
  const known = new Map<string, Expression>();
  for (const { name, expression } of where) known.set(name, substitute(expression, known));
  return substitute(equation.expression, known);
}

/** Every index of a sum has a name of its own (symbols.ts), so nothing is captured. */
function substitute(node: Expression, known: ReadonlyMap<string, Expression>): Expression {
  if (node.kind === 'symbol') return known.get(node.name) ?? node;
  return withChildren(
    node,
    childrenOf(node).map((child) => substitute(child, known)),
  );
}

/** The same node over other children, in the order of `childrenOf`. */
export function withChildren(node: Expression, children: readonly Expression[]): Expression {
  const [first, second, third] = children;
  if (first === undefined) return node;
  switch (node.kind) {
    case 'unary':
      return { ...node, operand: first };
    case 'call':
      return { ...node, operands: children };
    case 'binary':
      return second === undefined ? node : { ...node, left: first, right: second };
    case 'choice':
      if (second === undefined || third === undefined) return node;
      return { ...node, condition: first, yes: second, no: third };
    case 'sum':
      if (second === undefined || third === undefined) return node;
      return { ...node, from: first, to: second, term: third };
    default:
      return node;
  }
}

/** Counted without building the tree, which a few squares of squares make very large. */
function expandedCount(result: Expression, where: readonly Definition[]): number {
  const sizes = new Map<string, number>();
  const count = (node: Expression): number =>
    node.kind === 'symbol'
      ? (sizes.get(node.name) ?? 1)
      : childrenOf(node).reduce((total, child) => total + count(child), 1);
  for (const { name, expression } of where) sizes.set(name, count(expression));
  return count(result);
}

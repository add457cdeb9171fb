// Parse: the equation and the intermediate expressions as trees, and as one tree with the latter substituted.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Definition } from '../../expressions/bytecode.ts';
import { parseEquation, parseExpression } from '../../expressions/parse.ts';
import { childrenOf, type Equation, type Expression } from '../../expressions/tree.ts';
import type { Operator } from '../operator.ts';
import { parseRequirement, type Requirement } from '../requirements.ts';
import { type Diagnostic, error } from './diagnostic.ts';

/** An operator whose texts parse. */
export interface ParsedOperator {
  readonly operator: Operator;
  readonly equation: Equation;
  readonly where: readonly Definition[];
  readonly requirements: readonly Requirement[];
}

const FIX = 'Write it in the expression language: docs/adding-an-operator.md, src/expressions/functions.ts.';

/** @returns the parsed operator, or why it does not parse */
export function parseOperator(operator: Operator): ParsedOperator | readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const attempt = <T>(place: string, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      diagnostics.push(error(`${place}: ${fault.message}`, FIX));
      return undefined;
    }
  };
  const equation = attempt('equation', () => parseEquation(operator.equation));
  const where = Object.entries(operator.where ?? {}).flatMap(([name, text]) => {
    const expression = attempt(`where.${name}`, () => parseExpression(text));
    return expression === undefined ? [] : [{ name, expression }];
  });
  const requirements = (operator.requires ?? []).flatMap((text, i) => {
    const requirement = attempt(`requires.${i}`, () => parseRequirement(text));
    return requirement === undefined ? [] : [requirement];
  });
  if (equation === undefined || diagnostics.length > 0) return diagnostics;

  const { symbol } = operator.output;
  if (equation.symbol !== symbol) {
    const text = `the left side is ${equation.symbol}, the output's symbol is ${symbol}`;
    diagnostics.push(error(text, 'Use one symbol for both.'));
  }
  const nodes = expandedCount(equation.expression, where);
  const { nodes: limit } = LIMITS.expression;
  if (nodes > limit) {
    const text = `${nodes} nodes with all intermediate expressions substituted, at most ${limit} are allowed`;
    diagnostics.push(error(text, 'Shorten the law; a longer one does not belong into this registry.'));
  }
  return diagnostics.length > 0 ? diagnostics : { operator, equation, where, requirements };
}

/** The right side with every intermediate expression substituted. Its size is at most LIMITS.expression.nodes. */
export function expand({ equation, where }: Pick<ParsedOperator, 'equation' | 'where'>): Expression {
  const known = new Map<string, Expression>();
  for (const { name, expression } of where) known.set(name, substitute(expression, known));
  return substitute(equation.expression, known);
}

/** Indices of sums have unique names (symbols.ts), so no name is captured. */
function substitute(node: Expression, known: ReadonlyMap<string, Expression>): Expression {
  if (node.kind === 'symbol') return known.get(node.name) ?? node;
  return withChildren(
    node,
    childrenOf(node).map((child) => substitute(child, known)),
  );
}

/** The node with other children, in the order of `childrenOf`. */
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

/** Counted without building the tree, whose size may grow exponentially with the intermediate expressions. */
function expandedCount(result: Expression, where: readonly Definition[]): number {
  const sizes = new Map<string, number>();
  const count = (node: Expression): number =>
    node.kind === 'symbol'
      ? (sizes.get(node.name) ?? 1)
      : childrenOf(node).reduce((total, child) => total + count(child), 1);
  for (const { name, expression } of where) sizes.set(name, count(expression));
  return count(result);
}

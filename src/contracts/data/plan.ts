// Expressions with functions of collections, money or hashes: what the expression machine cannot evaluate is evaluated
// here, and the rest by the machine, in parts. Choices, `and` and `or` evaluate what they need, as the machine does.

import { type Binary, type Call, childrenOf, type Expression } from '../../expressions/tree.ts';
import type { Scalar } from '../definition.ts';
import type { Entries } from './collections.ts';
import { DATA_FUNCTIONS, type DataFunction, EXTREMES, type Operand } from './functions.ts';
import { addMoney, subtractMoney } from './money.ts';
import { isCollection, isMoney } from './types.ts';

/** `Leaf` is an expression of the machine. */
export type Plan<Leaf> =
  | { readonly kind: 'leaf'; readonly leaf: Leaf; readonly parts: ReadonlyMap<string, Plan<Leaf>> }
  | { readonly kind: 'choice'; readonly condition: Plan<Leaf>; readonly yes: Plan<Leaf>; readonly no: Plan<Leaf> }
  | { readonly kind: 'and' | 'or'; readonly left: Plan<Leaf>; readonly right: Plan<Leaf> }
  | { readonly kind: 'not'; readonly operand: Plan<Leaf> }
  | { readonly kind: 'add' | 'subtract'; readonly left: Plan<Leaf>; readonly right: Plan<Leaf> }
  | { readonly kind: 'collection'; readonly name: string }
  | {
      readonly kind: 'call';
      readonly run: DataFunction['run'];
      readonly operands: readonly Plan<Leaf>[];
      readonly types: readonly string[];
    };

export interface PlanCompiler<Leaf> {
  readonly typeOf: (node: Expression) => string;
  readonly leafOf: (node: Expression, type: string) => Leaf;
}

export interface PlanReader<Leaf> {
  /** Evaluates a leaf; `parts` are the values of its symbols that are parts of the plan. */
  readonly leaf: (leaf: Leaf, parts: ReadonlyMap<string, Scalar>) => Scalar;
  readonly collection: (name: string) => Entries;
  /** Counts the work of a function. */
  readonly count: (words: number) => void;
}

/** The function that a call means, by its name and by the type of its first operand. */
export function dataFunctionOf({ name }: Call, firstType: string): DataFunction | undefined {
  return (isCollection(firstType) ? EXTREMES.get(name) : undefined) ?? DATA_FUNCTIONS.get(name);
}

/** The plan of an expression; undefined if the machine can evaluate all of it. */
export function planOf<Leaf>(tree: Expression, compiler: PlanCompiler<Leaf>): Plan<Leaf> | undefined {
  return needsPlan(tree, compiler.typeOf) ? compile(tree, compiler) : undefined;
}

const isMoneySum = ({ operator }: Binary, type: () => string) =>
  (operator === '+' || operator === '-') && isMoney(type());

function needsPlan(node: Expression, typeOf: (node: Expression) => string): boolean {
  if (node.kind === 'call' && dataFunctionOf(node, firstTypeOf(node, typeOf)) !== undefined) return true;
  if (node.kind === 'binary' && isMoneySum(node, () => typeOf(node))) return true;
  return childrenOf(node).some((child) => needsPlan(child, typeOf));
}

const firstTypeOf = ({ operands: [first] }: Call, typeOf: (node: Expression) => string) =>
  first?.kind === 'symbol' ? typeOf(first) : '';

function compile<Leaf>(node: Expression, compiler: PlanCompiler<Leaf>): Plan<Leaf> {
  const { typeOf, leafOf } = compiler;
  const inner = (child: Expression) => compile(child, compiler);
  if (node.kind === 'symbol' && isCollection(typeOf(node))) return { kind: 'collection', name: node.name };
  if (!needsPlan(node, typeOf)) return { kind: 'leaf', leaf: leafOf(node, typeOf(node)), parts: new Map() };
  if (node.kind === 'choice')
    return { kind: 'choice', condition: inner(node.condition), yes: inner(node.yes), no: inner(node.no) };
  if (node.kind === 'unary' && node.operator === 'not') return { kind: 'not', operand: inner(node.operand) };
  if (node.kind === 'binary') {
    const { operator, left, right } = node;
    if (operator === 'and' || operator === 'or') return { kind: operator, left: inner(left), right: inner(right) };
    if (isMoneySum(node, () => typeOf(node)))
      return { kind: operator === '+' ? 'add' : 'subtract', left: inner(left), right: inner(right) };
  }
  if (node.kind === 'call') {
    const known = dataFunctionOf(node, firstTypeOf(node, typeOf));
    const { operands } = node;
    if (known !== undefined)
      return { kind: 'call', run: known.run, operands: operands.map(inner), types: operands.map(typeOf) };
  }
  const parts = new Map<string, Plan<Leaf>>();
  // No name of a contract begins with #.
  const replaced = withChildren(node, (child) => {
    if (!needsPlan(child, typeOf)) return child;
    const name = `#${parts.size}`;
    parts.set(name, inner(child));
    return { kind: 'symbol', name, start: child.start, end: child.end };
  });
  return { kind: 'leaf', leaf: leafOf(replaced, typeOf(node)), parts };
}

function withChildren(node: Expression, replace: (child: Expression) => Expression): Expression {
  switch (node.kind) {
    case 'unary':
      return { ...node, operand: replace(node.operand) };
    case 'binary':
      return { ...node, left: replace(node.left), right: replace(node.right) };
    case 'call':
      return { ...node, operands: node.operands.map(replace) };
    default:
      return node;
  }
}

/** Words of a call, and of each entry that it may look at: measured 3 to 13, for shares 50. */
const WORDS = { call: 50, entry: 20 } as const;

/** @throws DomainError with a named fault, or as a leaf */
export function runPlan<Leaf>(plan: Plan<Leaf>, reader: PlanReader<Leaf>): Scalar {
  const inner = (part: Plan<Leaf>) => runPlan(part, reader);
  switch (plan.kind) {
    case 'leaf':
      return reader.leaf(plan.leaf, new Map([...plan.parts].map(([name, part]) => [name, inner(part)])));
    case 'choice':
      return inner(inner(plan.condition) === true ? plan.yes : plan.no);
    case 'and':
      return inner(plan.left) === true && inner(plan.right) === true;
    case 'or':
      return inner(plan.left) === true || inner(plan.right) === true;
    case 'not':
      return inner(plan.operand) !== true;
    case 'add':
      return addMoney(inner(plan.left) as number, inner(plan.right) as number);
    case 'subtract':
      return subtractMoney(inner(plan.left) as number, inner(plan.right) as number);
    case 'call': {
      let words: number = WORDS.call;
      const operands = plan.operands.map((part): Operand => {
        if (part.kind !== 'collection') return inner(part);
        const entries = reader.collection(part.name);
        words += WORDS.entry * entries.length;
        return entries;
      });
      reader.count(words);
      return plan.run(operands, plan.types);
    }
    case 'collection':
      throw new Error(`${plan.name} is a collection and has no value of its own.`);
  }
}

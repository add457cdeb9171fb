// Code generation: syntax tree to byte code of the expression machine (assembly/expression/machine.ts).
//
// The bits of a value depend on the order of operations only, and the code keeps the order of the tree: constants are
// not folded, sums and products are not rearranged. Only the operands of a commutative operator are exchanged, where
// the left one is a leaf: that rounds the same.

import { LIMITS } from '../core/limits.ts';
import { nearestNames } from '../core/nearest.ts';
import { CONSTANTS, FUNCTIONS } from './functions.ts';
import { expressionInvalid } from './invalid.ts';
import { OPCODE, OPERAND_SHIFT, type Opcode } from './opcodes.ts';
import { type Binary, type BinaryOperator, type Expression, nodeCount, type Sum } from './tree.ts';

/** Plain data: it can be posted to a worker and written into any kernel that contains the machine. */
export interface Program {
  readonly code: Int32Array<ArrayBuffer>;
  readonly pool: Float64Array<ArrayBuffer>;
  /** The symbol of each slot, in order. */
  readonly slots: readonly string[];
}

/** A named intermediate value; later definitions and the result may use it. */
export interface Definition {
  readonly name: string;
  readonly expression: Expression;
}

/**
 * @param slots  the symbols that get their values at run time
 * @param where  intermediate values, evaluated once each, in order
 * @throws DomainError EXPRESSION_INVALID for an unknown or repeated symbol, a text literal, or too many nodes
 */
export function assemble(result: Expression, slots: readonly string[], where: readonly Definition[] = []): Program {
  const trees = [...where.map(({ expression }) => expression), result];
  const nodes = trees.reduce((count, tree) => count + nodeCount(tree), 0);
  if (nodes > LIMITS.expression.nodes) {
    const expected = `at most ${LIMITS.expression.nodes} nodes with all definitions`;
    throw expressionInvalid(0, { found: `${nodes} nodes`, expected });
  }
  const assembler = new Assembler(slots);
  for (const { name, expression } of where) assembler.define(name, expression);
  return assembler.finish(result);
}

interface Operation {
  readonly plain: Opcode;
  readonly withConst?: Opcode;
  readonly withSlot?: Opcode;
  readonly commutes?: boolean;
}

const ARITHMETIC: ReadonlyMap<BinaryOperator, Operation> = new Map<BinaryOperator, Operation>([
  ['+', { plain: OPCODE.ADD, withConst: OPCODE.ADD_CONST, withSlot: OPCODE.ADD_SLOT, commutes: true }],
  ['-', { plain: OPCODE.SUB, withConst: OPCODE.SUB_CONST, withSlot: OPCODE.SUB_SLOT }],
  ['*', { plain: OPCODE.MUL, withConst: OPCODE.MUL_CONST, withSlot: OPCODE.MUL_SLOT, commutes: true }],
  ['/', { plain: OPCODE.DIV, withConst: OPCODE.DIV_CONST, withSlot: OPCODE.DIV_SLOT }],
  ['^', { plain: OPCODE.POW, withConst: OPCODE.POW_CONST, withSlot: OPCODE.POW_SLOT }],
  ['<', { plain: OPCODE.LESS }],
  ['<=', { plain: OPCODE.LESS_EQUAL }],
  ['>', { plain: OPCODE.GREATER }],
  ['>=', { plain: OPCODE.GREATER_EQUAL }],
  ['==', { plain: OPCODE.EQUAL }],
  ['!=', { plain: OPCODE.NOT_EQUAL }],
]);

/** An operand that an arithmetic instruction reads directly, without the stack. */
interface Leaf {
  readonly source: 'pool' | 'slots';
  readonly index: number;
}

class Assembler {
  readonly #slots: readonly string[];
  readonly #slotOf = new Map<string, number>();
  /** Stack positions of intermediate values and of the indices of enclosing sums, counted from the bottom. */
  readonly #locals = new Map<string, number>();
  readonly #code: number[] = [];
  readonly #pool: number[] = [];
  /** Number of values on the stack at this point of the code, at most LIMITS.expression.nodes. */
  #depth = 0;

  constructor(slots: readonly string[]) {
    this.#slots = [...slots];
    for (const name of this.#slots) {
      this.#assertUnused(name);
      this.#slotOf.set(name, this.#slotOf.size);
    }
  }

  define(name: string, expression: Expression): void {
    this.#assertUnused(name);
    this.#emit(expression);
    this.#locals.set(name, this.#depth - 1);
  }

  finish(result: Expression): Program {
    this.#emit(result);
    this.#append(OPCODE.HALT);
    return { code: Int32Array.from(this.#code), pool: Float64Array.from(this.#pool), slots: this.#slots };
  }

  #assertUnused(name: string): void {
    if (!this.#slotOf.has(name) && !this.#locals.has(name) && !CONSTANTS.has(name)) return;
    throw expressionInvalid(0, { found: `the symbol ${name}`, expected: 'an unused name' });
  }

  /** Emits code that pushes the value of `node`. */
  #emit(node: Expression): void {
    switch (node.kind) {
      case 'number':
      case 'constant':
      case 'truth':
      case 'symbol':
        this.#push(node);
        break;
      case 'text':
        throw expressionInvalid(node.start, { found: 'a text literal', expected: 'a number' });
      case 'unary':
        this.#emit(node.operand);
        this.#append(node.operator === '-' ? OPCODE.NEGATE : OPCODE.NOT);
        break;
      case 'binary':
        if (node.operator === 'and' || node.operator === 'or') this.#logic(node);
        else this.#arithmetic(node);
        break;
      case 'choice':
        this.#branch(node.condition, OPCODE.JUMP_IF_FALSE, node.yes, node.no);
        break;
      case 'call':
        this.#call(node.name, node.operands);
        break;
      case 'sum':
        this.#sum(node);
        break;
    }
  }

  #push(node: Expression): void {
    const leaf = this.#leaf(node);
    if (leaf) {
      this.#append(leaf.source === 'pool' ? OPCODE.CONST : OPCODE.SLOT, leaf.index);
    } else if (node.kind === 'symbol') {
      this.#append(OPCODE.LOCAL, this.#local(node.name, node.start));
    }
    this.#depth++;
  }

  /** A constant or a slot; undefined for a local and for a computed value. */
  #leaf(node: Expression): Leaf | undefined {
    if (node.kind === 'number') return this.#constant(node.value);
    if (node.kind === 'truth') return this.#constant(node.value ? 1 : 0);
    if (node.kind === 'constant') return this.#constant(CONSTANTS.get(node.name) ?? Number.NaN);
    if (node.kind !== 'symbol' || this.#locals.has(node.name)) return undefined;
    const index = this.#slotOf.get(node.name);
    return index === undefined ? undefined : { source: 'slots', index };
  }

  #constant(value: number): Leaf {
    const known = this.#pool.indexOf(value);
    if (known >= 0) return { source: 'pool', index: known };
    return { source: 'pool', index: this.#pool.push(value) - 1 };
  }

  #local(name: string, offset: number): number {
    const position = this.#locals.get(name);
    if (position !== undefined) return position;
    const nearest = nearestNames(name, [...this.#slotOf.keys(), ...this.#locals.keys(), ...CONSTANTS.keys()], 1)[0];
    const expected = this.#slots.length === 0 ? 'a number' : `one of ${this.#slots.join(', ')}`;
    throw expressionInvalid(offset, { found: `the unknown symbol ${name}`, expected, nearest });
  }

  #arithmetic({ operator, left, right }: Binary): void {
    const operation = ARITHMETIC.get(operator);
    if (operation === undefined) throw new Error(`The operator ${operator} has no instruction.`);
    const { plain, withConst, withSlot, commutes } = operation;
    const isExchanged = commutes === true && isLeafKind(left) && !isLeafKind(right);
    const [first, second] = isExchanged ? [right, left] : [left, right];
    this.#emit(first);
    const isSquare = operator === '^' && second.kind === 'number' && second.value === 2;
    const leaf = withConst === undefined || isSquare ? undefined : this.#leaf(second);
    if (isSquare) {
      this.#append(OPCODE.SQUARE);
    } else if (leaf?.source === 'pool' && withConst !== undefined) {
      this.#append(withConst, leaf.index);
    } else if (leaf?.source === 'slots' && withSlot !== undefined) {
      this.#append(withSlot, leaf.index);
    } else {
      this.#emit(second);
      this.#append(plain);
      this.#depth--;
    }
  }

  /** Short-circuit: `a and b` is a ? (b as truth) : 0, `a or b` is a ? 1 : (b as truth). */
  #logic({ operator, left, right, end }: Binary): void {
    const isAnd = operator === 'and';
    const otherwise: Expression = { kind: 'truth', value: !isAnd, start: end, end };
    this.#branch(left, isAnd ? OPCODE.JUMP_IF_FALSE : OPCODE.JUMP_IF_TRUE, right, otherwise, true);
  }

  #branch(condition: Expression, jump: Opcode, next: Expression, target: Expression, asTruth = false): void {
    this.#emit(condition);
    const toTarget = this.#jump(jump);
    this.#depth--;
    this.#emit(next);
    if (asTruth) this.#append(OPCODE.TRUTH);
    const toEnd = this.#jump(OPCODE.JUMP);
    this.#depth--;
    this.#patchJump(toTarget);
    this.#emit(target);
    this.#patchJump(toEnd);
  }

  #call(name: string, operands: readonly Expression[]): void {
    const known = FUNCTIONS.get(name);
    if (known === undefined) throw new Error(`The function ${name} has no instruction.`);
    const isFirstMissing = operands.length < known.arity;
    if (isFirstMissing) {
      // It takes the stack position of the call's value, so the depth stays bounded by the number of nodes.
      this.#append(OPCODE.CONST, this.#constant(known.defaultFirst ?? Number.NaN).index);
      this.#depth++;
    }
    for (const [i, operand] of operands.entries()) {
      this.#emit(operand);
      if (known.arity === 2 && i === 0 && !isFirstMissing) continue;
      this.#append(known.opcode);
      this.#depth += 1 - known.arity;
    }
  }

  #sum(node: Sum): void {
    assertSumLength(node);
    this.#emit(node.from);
    this.#emit(node.to);
    const toExit = this.#jump(OPCODE.LOOP);
    // From here the stack holds index, last index, total.
    this.#depth++;
    const body = this.#code.length;
    const shadowed = this.#locals.get(node.index);
    this.#locals.set(node.index, this.#depth - 3);
    this.#emit(node.term);
    if (shadowed === undefined) this.#locals.delete(node.index);
    else this.#locals.set(node.index, shadowed);
    this.#append(OPCODE.NEXT, body);
    this.#patchJump(toExit);
    this.#depth -= 3;
  }

  #append(opcode: Opcode, operand = 0): void {
    this.#code.push((operand << OPERAND_SHIFT) | opcode);
  }

  /** Appends a jump whose target `#patchJump` sets. */
  #jump(opcode: Opcode): number {
    this.#append(opcode);
    return this.#code.length - 1;
  }

  #patchJump(jump: number): void {
    this.#code[jump] = (this.#code.length << OPERAND_SHIFT) | (this.#code[jump] ?? 0);
  }
}

const isLeafKind = (node: Expression) =>
  node.kind === 'number' || node.kind === 'constant' || node.kind === 'truth' || node.kind === 'symbol';

/** Refuses a sum with literal bounds and too many terms; the machine refuses others at run time. */
function assertSumLength({ from, to, start }: Sum): void {
  const first = literalValue(from);
  const last = literalValue(to);
  const { sumTerms } = LIMITS.expression;
  if (first === undefined || last === undefined || last - first < sumTerms) return;
  throw expressionInvalid(start, { found: `a sum from ${first} to ${last}`, expected: `at most ${sumTerms} terms` });
}

function literalValue(node: Expression): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind !== 'unary' || node.operator !== '-') return undefined;
  const value = literalValue(node.operand);
  return value === undefined ? undefined : -value;
}

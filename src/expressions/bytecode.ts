// Tree to code for the expression machine (assembly/expression/machine.ts).
//
// The bits of a value depend on the order of operations alone, and that is the tree's: constants are not folded,
// sums and products are not rearranged. What is chosen here is only the form of an instruction, and where a
// commutative operator has its plain operand on the left the two are exchanged, which rounds the same.

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

/** A name for an intermediate value; later ones and the result may use it. */
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

/** An operand that an arithmetic instruction can read by itself. */
interface Leaf {
  readonly room: 'pool' | 'slots';
  readonly index: number;
}

class Assembler {
  readonly #slots: readonly string[];
  readonly #slotOf = new Map<string, number>();
  /** Intermediate values and indices of open sums: places counted from the bottom of the stack. */
  readonly #locals = new Map<string, number>();
  readonly #code: number[] = [];
  readonly #pool: number[] = [];
  /** Values on the stack at this point of the code. Each belongs to a node, so LIMITS.expression.nodes bounds it. */
  #depth = 0;

  constructor(slots: readonly string[]) {
    this.#slots = [...slots];
    for (const name of this.#slots) {
      this.#refuseTaken(name);
      this.#slotOf.set(name, this.#slotOf.size);
    }
  }

  define(name: string, expression: Expression): void {
    this.#refuseTaken(name);
    this.#emit(expression);
    this.#locals.set(name, this.#depth - 1);
  }

  finish(result: Expression): Program {
    this.#emit(result);
    this.#instruct(OPCODE.HALT);
    return { code: Int32Array.from(this.#code), pool: Float64Array.from(this.#pool), slots: this.#slots };
  }

  #refuseTaken(name: string): void {
    if (!this.#slotOf.has(name) && !this.#locals.has(name) && !CONSTANTS.has(name)) return;
    throw expressionInvalid(0, { found: `the symbol ${name}`, expected: 'a name that has no meaning yet' });
  }

  /** Code that leaves the value of `node` on the stack, one place higher than before. */
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
        this.#instruct(node.operator === '-' ? OPCODE.NEGATE : OPCODE.NOT);
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
      this.#instruct(leaf.room === 'pool' ? OPCODE.CONST : OPCODE.SLOT, leaf.index);
    } else if (node.kind === 'symbol') {
      this.#instruct(OPCODE.LOCAL, this.#local(node.name, node.start));
    }
    this.#depth++;
  }

  /** A constant or a slot; undefined for a local and for everything that has to be computed. */
  #leaf(node: Expression): Leaf | undefined {
    if (node.kind === 'number') return this.#constant(node.value);
    if (node.kind === 'truth') return this.#constant(node.value ? 1 : 0);
    if (node.kind === 'constant') return this.#constant(CONSTANTS.get(node.name) ?? Number.NaN);
    if (node.kind !== 'symbol' || this.#locals.has(node.name)) return undefined;
    const index = this.#slotOf.get(node.name);
    return index === undefined ? undefined : { room: 'slots', index };
  }

  #constant(value: number): Leaf {
    const known = this.#pool.indexOf(value);
    if (known >= 0) return { room: 'pool', index: known };
    return { room: 'pool', index: this.#pool.push(value) - 1 };
  }

  #local(name: string, offset: number): number {
    const place = this.#locals.get(name);
    if (place !== undefined) return place;
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
      this.#instruct(OPCODE.SQUARE);
    } else if (leaf?.room === 'pool' && withConst !== undefined) {
      this.#instruct(withConst, leaf.index);
    } else if (leaf?.room === 'slots' && withSlot !== undefined) {
      this.#instruct(withSlot, leaf.index);
    } else {
      this.#emit(second);
      this.#instruct(plain);
      this.#depth--;
    }
  }

  /** `a and b` is a ? (b as truth) : 0; `a or b` is the same with the other jump and 1. */
  #logic({ operator, left, right, end }: Binary): void {
    const isAnd = operator === 'and';
    const otherwise: Expression = { kind: 'truth', value: !isAnd, start: end, end };
    this.#branch(left, isAnd ? OPCODE.JUMP_IF_FALSE : OPCODE.JUMP_IF_TRUE, right, otherwise, true);
  }

  #branch(condition: Expression, away: Opcode, near: Expression, far: Expression, asTruth = false): void {
    this.#emit(condition);
    const toFar = this.#jump(away);
    this.#depth--;
    this.#emit(near);
    if (asTruth) this.#instruct(OPCODE.TRUTH);
    const toEnd = this.#jump(OPCODE.JUMP);
    this.#depth--;
    this.#land(toFar);
    this.#emit(far);
    this.#land(toEnd);
  }

  #call(name: string, operands: readonly Expression[]): void {
    const known = FUNCTIONS.get(name);
    if (known === undefined) throw new Error(`The function ${name} has no instruction.`);
    const isFirstImplied = operands.length < known.arity;
    if (isFirstImplied) {
      // On the stack it takes the place of the call's own value, so the depth stays bounded by the nodes.
      this.#instruct(OPCODE.CONST, this.#constant(known.implied ?? Number.NaN).index);
      this.#depth++;
    }
    for (const [i, operand] of operands.entries()) {
      this.#emit(operand);
      if (known.arity === 2 && i === 0 && !isFirstImplied) continue;
      this.#instruct(known.opcode);
      this.#depth += 1 - known.arity;
    }
  }

  #sum(node: Sum): void {
    refuseLongSum(node);
    this.#emit(node.from);
    this.#emit(node.to);
    const toExit = this.#jump(OPCODE.LOOP);
    // From here the stack holds index, last index, total.
    this.#depth++;
    const body = this.#code.length;
    const hidden = this.#locals.get(node.index);
    this.#locals.set(node.index, this.#depth - 3);
    this.#emit(node.term);
    if (hidden === undefined) this.#locals.delete(node.index);
    else this.#locals.set(node.index, hidden);
    this.#instruct(OPCODE.NEXT, body);
    this.#land(toExit);
    this.#depth -= 3;
  }

  #instruct(opcode: Opcode, operand = 0): void {
    this.#code.push((operand << OPERAND_SHIFT) | opcode);
  }

  /** A jump whose target `land` fills in. */
  #jump(opcode: Opcode): number {
    this.#instruct(opcode);
    return this.#code.length - 1;
  }

  #land(jump: number): void {
    this.#code[jump] = (this.#code.length << OPERAND_SHIFT) | (this.#code[jump] ?? 0);
  }
}

const isLeafKind = (node: Expression) =>
  node.kind === 'number' || node.kind === 'constant' || node.kind === 'truth' || node.kind === 'symbol';

/** A sum whose length stands in the text is refused before it runs; the machine refuses the others. */
function refuseLongSum({ from, to, start }: Sum): void {
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

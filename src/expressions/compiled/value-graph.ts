// Values of byte code as a graph: equal computations are one node, jumps and loops are choices and sums.
//
// The graph keeps every operation of the machine and its operands' order. A sum is never shared with another, because
// each spends steps of its own. Byte code that the assembler could not have made has no graph.

import { FIRST_BINARY, FIRST_UNARY, OPCODE, OPERAND_SHIFT } from '../opcodes.ts';

interface Common {
  /** Depends on constants alone: equal in all rows. */
  readonly isUniform: boolean;
  /** Contains a sum, which may fail. */
  readonly hasSum: boolean;
  /** The indices of sums that it depends on. */
  readonly indices: ReadonlySet<SumIndex>;
}

export interface ConstantValue extends Common {
  readonly kind: 'constant';
  /** Index in the pool. */
  readonly index: number;
  /** Known only if 0 or 1: other constants do not belong to the shape of an expression. */
  readonly truth: boolean | undefined;
}

/** A number of a derivative, which is in no pool. */
export interface LiteralValue extends Common {
  readonly kind: 'literal';
  readonly value: number;
}

export interface SlotValue extends Common {
  readonly kind: 'slot';
  readonly index: number;
}

export interface SumIndex extends Common {
  readonly kind: 'index';
}

export interface OperationValue extends Common {
  readonly kind: 'operation';
  readonly opcode: number;
  readonly operands: readonly Value[];
}

export interface ChoiceValue extends Common {
  readonly kind: 'choice';
  readonly condition: Value;
  readonly yes: Value;
  readonly no: Value;
}

export interface SumValue extends Common {
  readonly kind: 'sum';
  readonly index: SumIndex;
  readonly from: Value;
  readonly to: Value;
  readonly term: Value;
  /** Steps of the machine for each term after the first. */
  readonly words: number;
  /** Sums nested in this one, with itself. */
  readonly depth: number;
}

export type Value = ConstantValue | LiteralValue | SlotValue | SumIndex | OperationValue | ChoiceValue | SumValue;

export interface ProgramGraph {
  readonly result: Value;
  /** Intermediate values with sums: the machine computes them even if the result does not use them. */
  readonly eager: readonly Value[];
}

/** Thrown for byte code without a graph; the machine evaluates it. */
export class NoGraph extends Error {}

/** Nested branches and sums, far above LIMITS.expression.depth: the decoder is recursive. */
const MAX_DEPTH = 200;
const NO_INDICES: ReadonlySet<SumIndex> = new Set();

export class ValueGraph {
  readonly #known = new Map<string, Value>();
  readonly #ids = new Map<Value, number>();
  /** Values that an earlier program of the same row wrote into a slot. */
  readonly #written = new Map<number, Value>();
  readonly #pool: Float64Array;
  readonly #slotCount: number;

  /** @param pool  the constants of all programs */
  constructor(pool: Float64Array, slotCount: number) {
    this.#pool = pool;
    this.#slotCount = slotCount;
  }

  /**
   * @param code      ends with HALT at `end` − 1
   * @param poolBase  index of the program's first constant
   * @throws NoGraph
   */
  program(code: Int32Array, start: number, end: number, poolBase: number): ProgramGraph {
    const decoder = new Decoder(this, code.subarray(start, end), poolBase);
    const stack = decoder.run();
    const result = stack.at(-1);
    if (result === undefined) throw new NoGraph();
    return { result, eager: stack.slice(0, -1).filter(({ hasSum }) => hasSum) };
  }

  /** Later programs read this value in the slot. */
  write(slot: number, value: Value): void {
    this.#written.set(slot, value);
  }

  constant(index: number): Value {
    const value = this.#pool[index];
    if (value === undefined) throw new NoGraph();
    const truth = Object.is(value, 0) ? false : value === 1 ? true : undefined;
    return this.#shared(`c${index}`, () => ({ kind: 'constant', index, truth, ...leaf(true) }));
  }

  literal(value: number): Value {
    return this.#shared(`l${Object.is(value, -0) ? '-0' : value}`, () => ({ kind: 'literal', value, ...leaf(true) }));
  }

  slot(index: number): Value {
    if (index >= this.#slotCount) throw new NoGraph();
    return this.#written.get(index) ?? this.#shared(`s${index}`, () => ({ kind: 'slot', index, ...leaf(false) }));
  }

  operation(opcode: number, operands: readonly Value[]): Value {
    const key = `${opcode} ${operands.map((operand) => this.#ids.get(operand)).join(' ')}`;
    return this.#shared(key, () => ({ kind: 'operation', opcode, operands, ...common(operands) }));
  }

  choice(condition: Value, yes: Value, no: Value): Value {
    const parts = [condition, yes, no];
    const key = `? ${parts.map((part) => this.#ids.get(part)).join(' ')}`;
    return this.#shared(key, () => ({ kind: 'choice', condition, yes, no, ...common(parts) }));
  }

  index(): SumIndex {
    const indices = new Set<SumIndex>();
    const index: SumIndex = { kind: 'index', isUniform: false, hasSum: false, indices };
    indices.add(index);
    this.#ids.set(index, this.#ids.size);
    return index;
  }

  sum(index: SumIndex, from: Value, to: Value, term: Value, words: number): Value {
    const { indices } = common([from, to, term]);
    const free = new Set([...indices].filter((one) => one !== index));
    const depth = 1 + depthOf(term);
    const parts = { isUniform: false, hasSum: true, indices: free };
    const sum: Value = { kind: 'sum', index, from, to, term, words, depth, ...parts };
    this.#ids.set(sum, this.#ids.size);
    return sum;
  }

  #shared(key: string, make: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.#known.set(key, value);
    this.#ids.set(value, this.#ids.size);
    return value;
  }
}

export function childrenOf(value: Value): readonly Value[] {
  if (value.kind === 'operation') return value.operands;
  if (value.kind === 'choice') return [value.condition, value.yes, value.no];
  return value.kind === 'sum' ? [value.from, value.to, value.term] : [];
}

const leaf = (isUniform: boolean): Common => ({ isUniform, hasSum: false, indices: NO_INDICES });

function common(parts: readonly Value[]): Common {
  const indices = parts.every((part) => part.indices.size === 0)
    ? NO_INDICES
    : new Set(parts.flatMap((part) => [...part.indices]));
  return {
    isUniform: parts.every(({ isUniform }) => isUniform),
    hasSum: parts.some(({ hasSum }) => hasSum),
    indices,
  };
}

function depthOf(value: Value): number {
  if (!value.hasSum) return 0;
  if (value.kind === 'sum') return value.depth;
  return Math.max(...childrenOf(value).map(depthOf));
}

/** Arithmetic with a constant or a slot as the right operand: the plain opcode of each. */
const WITH_CONSTANT = new Map<number, number>([
  [OPCODE.ADD_CONST, OPCODE.ADD],
  [OPCODE.SUB_CONST, OPCODE.SUB],
  [OPCODE.MUL_CONST, OPCODE.MUL],
  [OPCODE.DIV_CONST, OPCODE.DIV],
  [OPCODE.POW_CONST, OPCODE.POW],
]);
const WITH_SLOT = new Map<number, number>([
  [OPCODE.ADD_SLOT, OPCODE.ADD],
  [OPCODE.SUB_SLOT, OPCODE.SUB],
  [OPCODE.MUL_SLOT, OPCODE.MUL],
  [OPCODE.DIV_SLOT, OPCODE.DIV],
  [OPCODE.POW_SLOT, OPCODE.POW],
]);
const UNARY = new Set<number>([OPCODE.NEGATE, OPCODE.SQUARE, OPCODE.NOT, OPCODE.TRUTH]);
const BINARY = new Set<number>([
  OPCODE.ADD,
  OPCODE.SUB,
  OPCODE.MUL,
  OPCODE.DIV,
  OPCODE.POW,
  OPCODE.LESS,
  OPCODE.LESS_EQUAL,
  OPCODE.GREATER,
  OPCODE.GREATER_EQUAL,
  OPCODE.EQUAL,
  OPCODE.NOT_EQUAL,
]);
const FUNCTIONS = new Set<number>(Object.values(OPCODE).filter((opcode) => opcode >= FIRST_UNARY));
const OPCODE_MASK = (1 << OPERAND_SHIFT) - 1;

/** Runs byte code on a stack of graph nodes instead of numbers. */
class Decoder {
  readonly #graph: ValueGraph;
  readonly #code: Int32Array;
  readonly #poolBase: number;
  #depth = 0;

  constructor(graph: ValueGraph, code: Int32Array, poolBase: number) {
    this.#graph = graph;
    this.#code = code;
    this.#poolBase = poolBase;
  }

  run(): readonly Value[] {
    const last = this.#code.length - 1;
    if (this.#code[last] !== OPCODE.HALT) throw new NoGraph();
    const stack: Value[] = [];
    this.#range(0, last, stack);
    return stack;
  }

  /** Runs the words from `start` to `end` − 1. */
  #range(start: number, end: number, stack: Value[]): void {
    if (++this.#depth > MAX_DEPTH) throw new NoGraph();
    for (let at = start; at < end; ) {
      const [opcode, operand] = this.#word(at);
      if (opcode === OPCODE.JUMP_IF_FALSE || opcode === OPCODE.JUMP_IF_TRUE) {
        at = this.#branch(opcode, at, operand, end, stack);
      } else if (opcode === OPCODE.LOOP) {
        at = this.#loop(at, operand, end, stack);
      } else {
        this.#step(opcode, operand, stack);
        at++;
      }
    }
    this.#depth--;
  }

  #word(at: number): readonly [opcode: number, operand: number] {
    const word = this.#code[at];
    if (word === undefined) throw new NoGraph();
    return [word & OPCODE_MASK, word >>> OPERAND_SHIFT];
  }

  #step(opcode: number, operand: number, stack: Value[]): void {
    const graph = this.#graph;
    const withConstant = WITH_CONSTANT.get(opcode);
    const withSlot = WITH_SLOT.get(opcode);
    if (opcode === OPCODE.CONST) stack.push(graph.constant(this.#poolBase + operand));
    else if (opcode === OPCODE.SLOT) stack.push(graph.slot(operand));
    else if (opcode === OPCODE.LOCAL) stack.push(stack[operand] ?? refuse());
    else if (withConstant !== undefined) {
      stack.push(graph.operation(withConstant, [pop(stack), graph.constant(this.#poolBase + operand)]));
    } else if (withSlot !== undefined) {
      stack.push(graph.operation(withSlot, [pop(stack), graph.slot(operand)]));
    } else if (UNARY.has(opcode) || (FUNCTIONS.has(opcode) && opcode < FIRST_BINARY)) {
      stack.push(graph.operation(opcode, [pop(stack)]));
    } else if (BINARY.has(opcode) || FUNCTIONS.has(opcode)) {
      const second = pop(stack);
      stack.push(graph.operation(opcode, [pop(stack), second]));
    } else throw new NoGraph();
  }

  /** Both branches end at the target of the JUMP before `target`, one value higher. */
  #branch(opcode: number, at: number, target: number, end: number, stack: Value[]): number {
    if (target < at + 2 || target > end) throw new NoGraph();
    const [jump, exit] = this.#word(target - 1);
    if (jump !== OPCODE.JUMP || exit < target || exit > end) throw new NoGraph();
    const condition = pop(stack);
    const next = this.#value(at + 1, target - 1, stack);
    const other = this.#value(target, exit, stack);
    const isTrueNext = opcode === OPCODE.JUMP_IF_FALSE;
    stack.push(this.#graph.choice(condition, isTrueNext ? next : other, isTrueNext ? other : next));
    return exit;
  }

  /** Between LOOP and NEXT the stack holds the index, the last index and the total, which no program reads. */
  #loop(at: number, exit: number, end: number, stack: Value[]): number {
    if (exit < at + 2 || exit > end) throw new NoGraph();
    const body = at + 1;
    const [next, start] = this.#word(exit - 1);
    if (next !== OPCODE.NEXT || start !== body) throw new NoGraph();
    const to = pop(stack);
    const from = pop(stack);
    const index = this.#graph.index();
    const term = this.#value(body, exit - 1, [...stack, index, to, this.#graph.index()]);
    stack.push(this.#graph.sum(index, from, to, term, exit - body));
    return exit;
  }

  /** The one value that the words leave on the stack. */
  #value(start: number, end: number, stack: readonly Value[]): Value {
    const inner = [...stack];
    this.#range(start, end, inner);
    if (inner.length !== stack.length + 1) throw new NoGraph();
    return pop(inner);
  }
}

function pop(stack: Value[]): Value {
  return stack.pop() ?? refuse();
}

function refuse(): never {
  throw new NoGraph();
}

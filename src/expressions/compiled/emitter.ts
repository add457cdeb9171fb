// Code generation: values of a graph to WebAssembly instructions, for one row of f64 or two rows of f64x2.
//
// Every operation is one instruction or one call of the kernel's own function, in the order of the machine; nothing is
// fused, rearranged or folded. A value that is used twice is computed once, into a local variable; values of a branch
// are forgotten after it. Values that depend on constants alone are computed before the loop over rows, values of a sum
// that do not depend on its index before its loop: no operation traps, so that computing one early changes no bit.

import { LIMITS } from '../../core/limits.ts';
import { FIRST_UNARY, OPCODE } from '../opcodes.ts';
import { doubleBytes, type ImportedFunction, signed, TYPE, unsigned } from './encoding.ts';
import { at, F64, type LaneInstructions, ONE_ROW, TWO_ROWS, VECTOR, WASM } from './instructions.ts';
import type { Locals } from './locals.ts';
import {
  type ChoiceValue,
  childrenOf,
  NoGraph,
  type OperationValue,
  type SumIndex,
  type SumValue,
  type Value,
} from './value-graph.ts';

export type Code = number[];

/** What all emitters of one function share. */
export interface FunctionContext {
  readonly locals: Locals;
  /** Number of the imported function of this name. */
  readonly importOf: (name: ImportedFunction) => number;
  /** Number of uses of each value. */
  readonly uses: ReadonlyMap<Value, number>;
  /** Instructions that leave the function before the current row. */
  readonly bail: Code;
  /** Local variables: the address of the constants, and the steps left for the current program. */
  readonly pool: number;
  readonly budget: number;
}

const NATIVE_UNARY = new Map<number, keyof LaneInstructions>([
  [OPCODE.NEGATE, 'neg'],
  [OPCODE.SQRT, 'sqrt'],
  [OPCODE.ABS, 'abs'],
  [OPCODE.FLOOR, 'floor'],
  [OPCODE.CEIL, 'ceil'],
]);
const NATIVE_BINARY = new Map<number, keyof LaneInstructions>([
  [OPCODE.ADD, 'add'],
  [OPCODE.SUB, 'sub'],
  [OPCODE.MUL, 'mul'],
  [OPCODE.DIV, 'div'],
  [OPCODE.MIN, 'min'],
  [OPCODE.MAX, 'max'],
]);
const COMPARISON = new Map<number, keyof LaneInstructions>([
  [OPCODE.LESS, 'lt'],
  [OPCODE.LESS_EQUAL, 'le'],
  [OPCODE.GREATER, 'gt'],
  [OPCODE.GREATER_EQUAL, 'ge'],
  [OPCODE.EQUAL, 'eq'],
  [OPCODE.NOT_EQUAL, 'ne'],
]);
/** Frequent functions, which the kernel exports by name. */
const BY_NAME = new Map<number, ImportedFunction>([
  [OPCODE.POW, 'pow'],
  [OPCODE.EXP, 'exp'],
  [OPCODE.LOG, 'log'],
  [OPCODE.SIN, 'sin'],
  [OPCODE.COS, 'cos'],
  [OPCODE.TAN, 'tan'],
]);

/** Bounds of a sum are integers up to 2^52, as in assembly/expression/machine.ts. */
const MAX_BOUND = 2 ** 52;
/** Operations that are cheaper to compute in vain than to jump over. */
const MAX_SELECTED_OPERATIONS = 12;

export const get = (local: number): Code => [WASM.localGet, ...unsigned(local)];
export const set = (local: number): Code => [WASM.localSet, ...unsigned(local)];
const tee = (local: number): Code => [WASM.localTee, ...unsigned(local)];
export const integer = (value: number): Code => [WASM.i32Const, ...signed(value)];
const double = (value: number): Code => [WASM.f64Const, ...doubleBytes(value)];

export class Emitter {
  readonly code: Code = [];
  readonly #context: FunctionContext;
  readonly #lanes: 1 | 2;
  readonly #op: LaneInstructions;
  readonly #type: (typeof TYPE)['f64' | 'v128'];
  /** Computes uniform values before the loop over rows; undefined for the emitter of that code. */
  readonly #preamble: Emitter | undefined;
  /** Local variables of values that are computed at this point, branch by branch. */
  readonly #scopes: Map<Value, number>[] = [new Map()];

  constructor(context: FunctionContext, lanes: 1 | 2, preamble?: Emitter) {
    this.#context = context;
    this.#lanes = lanes;
    this.#op = lanes === 1 ? ONE_ROW : TWO_ROWS;
    this.#type = lanes === 1 ? TYPE.f64 : TYPE.v128;
    this.#preamble = preamble;
  }

  /** Uses this local variable for a value that is computed elsewhere. */
  bind(value: Value, local: number): void {
    this.#scopes.at(-1)?.set(value, local);
  }

  /** A new local variable for a value of this emitter. */
  local(): number {
    return this.#context.locals.add(this.#type);
  }

  append(...parts: readonly (readonly number[])[]): void {
    for (const part of parts) for (const byte of part) this.code.push(byte);
  }

  /** Pushes the value. */
  emit(value: Value): void {
    const known = this.#find(value);
    if (known !== undefined) {
      this.append(get(known));
    } else if (value.isUniform && this.#preamble !== undefined) {
      this.append(get(this.#uniform(value, this.#preamble)));
    } else if (value.kind !== 'constant' && value.kind !== 'literal' && (this.#context.uses.get(value) ?? 0) > 1) {
      this.#compute(value);
      const local = this.local();
      this.bind(value, local);
      this.append(tee(local));
    } else {
      this.#compute(value);
    }
  }

  #find(value: Value): number | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]?.get(value);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  /** Computes the value in the preamble. @returns its local variable here */
  #uniform(value: Value, preamble: Emitter): number {
    const scalar = preamble.#assign(value);
    const local = this.#lanes === 1 ? scalar : this.local();
    if (this.#lanes === 2) preamble.append(get(scalar), VECTOR.splat, set(local));
    this.#scopes[0]?.set(value, local);
    return local;
  }

  /** The local variable of the value, computed here if it is new. */
  #assign(value: Value): number {
    const known = this.#find(value);
    if (known !== undefined) return known;
    this.emit(value);
    const local = this.#find(value) ?? this.local();
    this.bind(value, local);
    this.append(set(local));
    return local;
  }

  #compute(value: Value): void {
    switch (value.kind) {
      case 'constant':
        this.append(get(this.#context.pool), [F64.load], at(8 * value.index));
        break;
      case 'literal':
        this.append(double(value.value));
        break;
      case 'operation':
        this.#operation(value);
        break;
      case 'choice':
        this.#choice(value);
        break;
      case 'sum':
        this.#sum(value);
        break;
      default:
        throw new NoGraph(); // a slot or an index out of its place
    }
  }

  #operation(value: OperationValue): void {
    const { opcode, operands } = value;
    const native = NATIVE_UNARY.get(opcode) ?? NATIVE_BINARY.get(opcode);
    if (native !== undefined) {
      for (const operand of operands) this.emit(operand);
      this.append(this.#op[native]);
    } else if (opcode === OPCODE.SQUARE) {
      const [operand] = operands;
      if (operand === undefined) throw new NoGraph();
      // Through a local variable: emitting the operand twice would be exponential.
      const local = this.#find(operand) ?? this.local();
      this.emit(operand);
      this.append(tee(local), get(local), this.#op.mul);
    } else if (isTruth(opcode)) {
      this.#truth(value);
      if (this.#lanes === 1) this.append([F64.convertSigned]);
      else this.append(double(1), VECTOR.splat, this.#op.and);
    } else {
      this.#call(opcode, operands);
    }
  }

  #call(opcode: number, operands: readonly Value[]): void {
    const known = BY_NAME.get(opcode);
    const name = known ?? (operands.length === 1 ? 'unary' : 'binary');
    const selector = known === undefined ? integer(opcode) : [];
    const call = [WASM.call, ...unsigned(this.#context.importOf(name))];
    if (this.#lanes === 1) {
      this.append(selector);
      for (const operand of operands) this.emit(operand);
      this.append(call);
      return;
    }
    const locals = operands.map((operand) => this.#operandLocal(operand));
    for (const lane of [0, 1]) {
      this.append(selector);
      for (const local of locals) this.append(get(local), VECTOR.extractLane, [lane]);
      this.append(call, lane === 0 ? VECTOR.splat : [...VECTOR.replaceLane, 1]);
    }
  }

  /** A local variable with the operand; one that is used only here is not remembered. */
  #operandLocal(operand: Value): number {
    const known = this.#find(operand);
    if (known !== undefined) return known;
    this.emit(operand);
    const local = this.#find(operand) ?? this.local();
    this.append(set(local));
    return local;
  }

  /** Pushes the truth of a value: an i32 or a mask. A value that is used twice is computed once, as a number. */
  #condition(value: Value): void {
    const isShared = (this.#context.uses.get(value) ?? 0) > 1;
    if (!isShared && value.kind === 'operation' && isTruth(value.opcode)) this.#truth(value);
    else if (isShared || value.kind !== 'choice' || !this.#logic(value)) this.#test(value);
  }

  /** Pushes the truth of a comparison, of `not` or of TRUTH. */
  #truth({ opcode, operands }: OperationValue): void {
    const [first, second] = operands;
    const comparison = COMPARISON.get(opcode);
    if (first === undefined) throw new NoGraph();
    if (comparison !== undefined && second !== undefined) {
      this.emit(first);
      this.emit(second);
      this.append(this.#op[comparison]);
    } else {
      this.#condition(first);
      if (opcode === OPCODE.NOT) this.append(this.#op.not);
    }
  }

  /** Zero and NaN are false. */
  #test(value: Value): void {
    this.emit(value);
    this.append(this.#op.abs, double(0));
    if (this.#lanes === 2) this.append(VECTOR.splat);
    this.append(this.#op.gt);
  }

  /** `and` and `or` of cheap conditions without a jump. @returns false for any other choice */
  #logic({ condition, yes, no }: ChoiceValue): boolean {
    const isAnd = no.kind === 'constant' && no.truth === false;
    const isOr = yes.kind === 'constant' && yes.truth === true;
    const other = isAnd ? yes : no;
    if ((!isAnd && !isOr) || !isCheap(other)) return false;
    this.#condition(condition);
    this.#condition(other);
    this.append(isAnd ? this.#op.and : this.#op.or);
    return true;
  }

  #choice(value: ChoiceValue): void {
    const { condition, yes, no } = value;
    if (isCheap(yes) && isCheap(no)) {
      this.emit(yes);
      this.emit(no);
      this.#condition(condition);
      this.append(this.#lanes === 1 ? [WASM.select] : VECTOR.bitselect);
    } else if (this.#lanes === 1) {
      this.#condition(condition);
      this.append([WASM.if, this.#type]);
      this.#inScope(() => this.emit(yes));
      this.append([WASM.else]);
      this.#inScope(() => this.emit(no));
      this.append([WASM.end]);
    } else {
      this.#divergentChoice(value);
    }
  }

  /** Computes each branch only if one of the two rows takes it. */
  #divergentChoice({ condition, yes, no }: ChoiceValue): void {
    const [mask, yesLocal, noLocal] = [this.local(), this.local(), this.local()];
    this.#condition(condition);
    this.append(tee(mask), VECTOR.anyTrue, [WASM.if, WASM.void]);
    this.#inScope(() => this.emit(yes));
    this.append(set(yesLocal), [WASM.end]);
    this.append(get(mask), VECTOR.allTrue64, [WASM.i32Eqz, WASM.if, WASM.void]);
    this.#inScope(() => this.emit(no));
    this.append(set(noLocal), [WASM.end]);
    this.append(get(yesLocal), get(noLocal), get(mask), VECTOR.bitselect);
  }

  #inScope(body: () => void): void {
    this.#scopes.push(new Map());
    body();
    this.#scopes.pop();
  }

  /** Leaves the function where the machine would fail: bounds that are not integers, too many terms or steps. */
  #sum({ index, from, to, term, words }: SumValue): void {
    const { locals, budget, bail } = this.#context;
    const [lo, hi] = [from, to].map((bound) => this.#bound(bound));
    if (lo === undefined || hi === undefined) throw new NoGraph();
    const [total, k, rest] = [this.local(), this.local(), locals.add(TYPE.i32)];
    this.#hoist(term, new Set([index]));

    this.append(...[lo, hi].map(isBound), [WASM.i32And]);
    this.append(get(hi), get(lo), ONE_ROW.sub, double(LIMITS.expression.sumTerms), ONE_ROW.lt);
    this.append([WASM.i32And, WASM.i32Eqz, WASM.if, WASM.void], bail, [WASM.end]);

    this.append(double(0), this.#lanes === 2 ? VECTOR.splat : [], set(total));
    this.append(get(lo), get(hi), ONE_ROW.le, [WASM.if, WASM.void]);
    this.append(get(hi), get(lo), ONE_ROW.sub, F64.truncateSaturated, set(rest));
    this.append(get(budget), get(rest), integer(words), [WASM.i32Mul, WASM.i32Sub], tee(budget));
    this.append(integer(0), [WASM.i32LessSigned, WASM.if, WASM.void], bail, [WASM.end]);
    this.append(get(lo), this.#lanes === 2 ? VECTOR.splat : [], set(k), [WASM.loop, WASM.void]);
    this.#inScope(() => {
      this.bind(index, k);
      this.append(get(total));
      this.emit(term);
      this.append(this.#op.add, set(total));
    });
    this.append(get(k), double(1), this.#lanes === 2 ? VECTOR.splat : [], this.#op.add, set(k));
    this.append(get(rest), integer(1), [WASM.i32Sub], tee(rest), integer(0));
    this.append([WASM.i32GreaterEqualSigned, WASM.brIf, 0, WASM.end, WASM.end], get(total));
  }

  /** A local f64 with a bound, equal in both rows. */
  #bound(bound: Value): number {
    if (this.#lanes === 1) return this.#operandLocal(bound);
    if (!bound.isUniform || this.#preamble === undefined) throw new NoGraph();
    return this.#preamble.#assign(bound);
  }

  /** Computes the operations of a term that do not depend on its index, outside branches and inner sums. */
  #hoist(value: Value, inner: ReadonlySet<SumIndex>): void {
    if (value.kind !== 'operation' || value.isUniform || value.hasSum || this.#find(value) !== undefined) return;
    if ([...inner].every((index) => !value.indices.has(index))) this.#assign(value);
    else for (const child of childrenOf(value)) this.#hoist(child, inner);
  }
}

const isCall = (opcode: number) =>
  opcode === OPCODE.POW || (opcode >= FIRST_UNARY && !NATIVE_UNARY.has(opcode) && !NATIVE_BINARY.has(opcode));

const isTruth = (opcode: number) => COMPARISON.has(opcode) || opcode === OPCODE.NOT || opcode === OPCODE.TRUTH;

const isBound = (local: number): Code => [
  ...[...get(local), ...ONE_ROW.abs, ...double(MAX_BOUND), ...ONE_ROW.le],
  ...[...get(local), ...ONE_ROW.floor, ...get(local), ...ONE_ROW.eq, WASM.i32And],
];

/** Few operations, without functions of the kernel, sums and branches that are not cheap themselves. */
function isCheap(value: Value): boolean {
  return costOf(value) <= MAX_SELECTED_OPERATIONS;
}

const costs = new WeakMap<Value, number>();

function costOf(value: Value): number {
  const known = costs.get(value);
  if (known !== undefined) return known;
  const calls = value.kind === 'sum' || (value.kind === 'operation' && isCall(value.opcode));
  const own = calls ? Number.POSITIVE_INFINITY : value.kind === 'operation' || value.kind === 'choice' ? 1 : 0;
  const cost = childrenOf(value).reduce((total, child) => total + costOf(child), own);
  costs.set(value, cost);
  return cost;
}

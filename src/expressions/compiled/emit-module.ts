// Compiles programs of byte code to one WebAssembly function: rows(pool, slots, out, count) → rows done.
//
// The function reads the constants and the slots of each row in the kernel's memory, runs all programs in order, and
// stores their values at the end of the row, so that a row is done entirely or not at all. It returns early before a
// row in which the machine would fail. Two rows at a time, in the lanes of f64x2, where all rows take the same sums;
// an odd row is left to the machine. A value that is not a number is stored as the one NaN of the machine.

import { LIMITS } from '../../core/limits.ts';
import { stepOf } from './emit-step.ts';
import { Emitter, type FunctionContext, get, integer, set } from './emitter.ts';
import { encodeModule, type FunctionParts, TYPE } from './encoding.ts';
import { canonicalized, countUses, Imports, NAN } from './function-parts.ts';
import { at, F64, TWO_ROWS, VECTOR, WASM } from './instructions.ts';
import { Locals } from './locals.ts';
import type { Shape, Target } from './shape.ts';
import { NoGraph, type ProgramGraph, type Value, ValueGraph } from './value-graph.ts';

/** Longer code has a module beyond the limit: a word takes at least four bytes of it. */
const MAX_WORDS = LIMITS.expression.compiled.bytes / 4;

const PARAMETER = { pool: 0, slots: 1, out: 2, count: 3 };
const PARAMETERS = [TYPE.i32, TYPE.i32, TYPE.i32, TYPE.i32];

/**
 * The bytes of the module; equal shapes give equal bytes.
 *
 * @returns undefined where the machine must evaluate: byte code without a graph, deep sums, a module beyond
 *   LIMITS.expression.compiled.bytes
 */
export function emitModule(shape: Shape): Uint8Array<ArrayBuffer> | undefined {
  try {
    return emitPrograms(shape, graphOf(shape).programs);
  } catch (error) {
    if (error instanceof NoGraph) return undefined;
    throw error;
  }
}

export interface CompiledProgram extends ProgramGraph {
  readonly target: Target;
}

/** The values of all programs in one graph. @throws NoGraph */
export function graphOf(shape: Shape): { readonly graph: ValueGraph; readonly programs: readonly CompiledProgram[] } {
  if (shape.code.length > MAX_WORDS) throw new NoGraph();
  const graph = new ValueGraph(shape.pool, shape.slotCount);
  const programs = shape.programs.map(({ start, end, poolBase, target }) => {
    const program = graph.program(shape.code, start, end, poolBase);
    if (target.to === 'slot') graph.write(target.index, program.result);
    return { ...program, target };
  });
  return { graph, programs };
}

/**
 * The bytes of a module that computes these values, with the function of a whole step if the shape is a system and both
 * fit the maximum size; undefined beyond that size. @throws NoGraph
 */
export function emitPrograms(shape: Shape, programs: readonly CompiledProgram[]): Uint8Array<ArrayBuffer> | undefined {
  const imports = new Imports();
  const rows = new FunctionBuilder(shape, programs, imports).build();
  const encode = (functions: readonly FunctionParts[]) => {
    const bytes = encodeModule(imports.names, functions);
    return bytes.length > LIMITS.expression.compiled.bytes ? undefined : bytes;
  };
  return (shape.form === 'system' ? encode([rows, stepOf(shape, imports)]) : undefined) ?? encode([rows]);
}

interface Store {
  readonly local: number;
  readonly target: Target;
}

class FunctionBuilder {
  readonly #shape: Shape;
  readonly #programs: readonly CompiledProgram[];
  readonly #locals = new Locals(PARAMETERS.length);
  readonly #done: number;
  readonly #context: FunctionContext;
  readonly #lanes: 1 | 2;
  readonly #slots: readonly Value[];

  constructor(shape: Shape, programs: readonly CompiledProgram[], imports: Imports) {
    this.#shape = shape;
    this.#programs = programs;
    const roots = this.#programs.flatMap(({ eager, result }) => [...eager, result]);
    const uses = countUses(roots);
    const values = [...uses.keys()];
    if (values.some((value) => value.kind === 'sum' && value.depth > LIMITS.expression.compiled.sumDepth)) {
      throw new NoGraph();
    }
    this.#slots = values.filter(({ kind }) => kind === 'slot');
    this.#lanes = shape.form === 'rows' && values.every(isCommonToRows) ? 2 : 1;
    this.#done = this.#locals.add(TYPE.i32);
    this.#context = {
      locals: this.#locals,
      uses,
      importOf: (name) => imports.indexOf(name),
      bail: [...get(this.#done), WASM.return],
      pool: PARAMETER.pool,
      budget: this.#locals.add(TYPE.i32),
    };
  }

  build(): FunctionParts {
    const preamble = new Emitter(this.#context, 1);
    const row = new Emitter(this.#context, this.#lanes, preamble);
    this.#row(row);
    const code =
      this.#shape.form !== 'rows'
        ? [...preamble.code, ...row.code, ...integer(1)]
        : [...preamble.code, ...this.#loop(row.code), ...get(this.#done)];
    return { name: 'rows', parameters: PARAMETERS, locals: this.#locals.types, code };
  }

  /** Loads the slots, runs the programs and stores their values. */
  #row(row: Emitter): void {
    for (const slot of this.#slots) this.#load(row, slot);
    const stores: Store[] = [];
    for (const { eager, result, target } of this.#programs) {
      if (eager.length > 0 || result.hasSum) row.append(integer(LIMITS.expression.steps), set(this.#context.budget));
      for (const value of eager) {
        const local = row.local();
        row.emit(value);
        row.append(set(local));
        row.bind(value, local);
      }
      const local = row.local();
      row.emit(result);
      row.append(set(local));
      row.bind(result, local);
      stores.push({ local, target });
    }
    for (const store of stores) this.#canonicalize(row, store.local);
    for (let i = 0; i < stores.length; ) i += this.#store(row, stores, i);
  }

  #load(row: Emitter, slot: Value): void {
    if (slot.kind !== 'slot') return;
    const offset = 8 * slot.index;
    const local = row.local();
    if (this.#lanes === 1) {
      row.append(get(PARAMETER.slots), [F64.load], at(offset));
    } else {
      const next = at(offset + 8 * this.#shape.slotCount);
      row.append(get(PARAMETER.slots), get(PARAMETER.slots), VECTOR.loadZero64, at(offset));
      row.append(VECTOR.loadLane64, next, [1]);
    }
    row.append(set(local));
    row.bind(slot, local);
  }

  /** Replaces any NaN by that of the machine. */
  #canonicalize(row: Emitter, local: number): void {
    if (this.#lanes === 1) row.append(canonicalized(local), set(local));
    else
      row.append(
        get(local),
        VECTOR.constant,
        NAN,
        NAN,
        get(local),
        get(local),
        TWO_ROWS.eq,
        VECTOR.bitselect,
        set(local),
      );
  }

  /** Stores value i, and the next with it if they are neighbours of one row. @returns how many */
  #store(row: Emitter, stores: readonly Store[], i: number): number {
    const [first, second] = [stores[i], stores[i + 1]];
    if (first === undefined) throw new NoGraph();
    const { local, target } = first;
    const address = get(target.to === 'slot' ? PARAMETER.slots : PARAMETER.out);
    if (this.#lanes === 1) {
      const offset = at(8 * target.index);
      if (second?.target.to === target.to && second.target.index === target.index + 1) {
        // The steppers load two slopes at once, and such a load waits for stores of one.
        row.append(address, get(local), VECTOR.splat, get(second.local), VECTOR.replaceLane, [1], VECTOR.store, offset);
        return 2;
      }
      row.append(address, get(local), [F64.store], offset);
    } else if (target.to === 'out') {
      row.append(address, get(local), VECTOR.store, at(0));
    } else {
      for (const lane of [0, 1]) {
        const offset = at(8 * (target.index + lane * this.#shape.slotCount));
        row.append(address, get(local), VECTOR.storeLane64, offset, [lane]);
      }
    }
    return 1;
  }

  /** while (done + lanes <= count) row */
  #loop(row: readonly number[]): number[] {
    const step = (parameter: number, bytes: number) => [
      ...get(parameter),
      ...integer(bytes * this.#lanes),
      WASM.i32Add,
      ...set(parameter),
    ];
    return [
      ...[WASM.block, WASM.void, WASM.loop, WASM.void],
      ...[...get(this.#done), ...integer(this.#lanes), WASM.i32Add, ...get(PARAMETER.count)],
      ...[WASM.i32GreaterSigned, WASM.brIf, 1],
      ...row,
      ...step(PARAMETER.slots, 8 * this.#shape.slotCount),
      ...step(PARAMETER.out, 8),
      ...step(this.#done, 1),
      ...[WASM.br, 0, WASM.end, WASM.end],
    ];
  }
}

/** Two rows can share the loop of a sum if its bounds are constant and no branch decides on it. */
function isCommonToRows(value: Value): boolean {
  if (value.kind === 'sum') return value.from.isUniform && value.to.isUniform;
  return value.kind !== 'choice' || !(value.yes.hasSum || value.no.hasSum);
}

// Compiles a system to one whole step of an explicit Runge–Kutta method, step(pool, slots, k, y, out, times, weights,
// t, h) → 1: the stages of assembly/numerics/ode/explicit.ts with the right sides between them, in local variables.
//
// It reads the tableau in the kernel's memory, and leaves the slopes, the last argument but one and the result in k and
// out as the kernel's own step does, in the same order of operations. It returns 0, and has stored nothing, where the
// machine would fail.

import { LIMITS } from '../../core/limits.ts';
import { OPCODE } from '../opcodes.ts';
import { Emitter, type FunctionContext, get, integer, set } from './emitter.ts';
import { type FunctionParts, TYPE } from './encoding.ts';
import { canonicalized, countUses, type Imports } from './function-parts.ts';
import { at, F64, WASM } from './instructions.ts';
import { Locals } from './locals.ts';
import type { Shape, ShapeProgram } from './shape.ts';
import { NoGraph, type ProgramGraph, type Value, ValueGraph } from './value-graph.ts';

const PARAMETER = { pool: 0, slots: 1, k: 2, y: 3, out: 4, times: 5, weights: 6, t: 7, h: 8 };
const TYPES = [...new Array<typeof TYPE.i32>(7).fill(TYPE.i32), TYPE.f64, TYPE.f64];
/** Of the method of Dormand and Prince. */
const STAGES = 7;

/** A value in memory, or a parameter, that the function loads into a local variable. */
interface Input {
  readonly value: Value;
  readonly load: readonly number[];
}

interface Stage {
  /** The states at which the slopes are evaluated. */
  readonly states: readonly Value[];
  readonly programs: readonly ProgramGraph[];
  readonly slopes: readonly Value[];
}

/** The function of one step; its imports are added to those given. @throws NoGraph */
export function stepOf(shape: Shape, imports: Imports): FunctionParts {
  const n = shape.programs.filter(({ target }) => target.to === 'out').length;
  const graph = new ValueGraph(shape.pool, shape.slotCount);
  const inputs: Input[] = [];
  const input = (load: readonly number[]) => {
    const value = graph.index();
    inputs.push({ value, load });
    return value;
  };
  const loaded = (base: number, index: number) => input([...get(base), F64.load, ...at(8 * index)]);
  const vector = (base: number, count: number) => Array.from({ length: count }, (_, i) => loaded(base, i));
  const [t, h] = [input(get(PARAMETER.t)), input(get(PARAMETER.h))];
  const y = vector(PARAMETER.y, n);
  const times = vector(PARAMETER.times, STAGES - 1);
  const weights = vector(PARAMETER.weights, (STAGES * (STAGES - 1)) / 2);
  const add = (a: Value, b: Value) => graph.operation(OPCODE.ADD, [a, b]);
  const multiply = (a: Value, b: Value) => graph.operation(OPCODE.MUL, [a, b]);

  const slopes: (readonly Value[])[] = [vector(PARAMETER.k, n)];
  const stages: Stage[] = [];
  for (let s = 1, row = 0; s < STAGES; row += s++) {
    const states = y.map((start, i) => {
      let sum = graph.literal(0);
      for (let j = 0; j < s; j++) sum = add(sum, multiply(valueAt(weights, row + j), valueAt(slopes[j] ?? [], i)));
      return add(start, multiply(h, sum));
    });
    graph.write(0, add(t, multiply(valueAt(times, s - 1), h)));
    for (const [i, state] of states.entries()) graph.write(1 + i, state);
    const programs = shape.programs.map((program) => evaluate(graph, shape, program));
    const next = programs.slice(-n).map(({ result }) => result);
    slopes.push(next);
    stages.push({ states, programs, slopes: next });
  }
  return emit(stages, inputs, imports);
}

function evaluate(graph: ValueGraph, { code }: Shape, { start, end, poolBase, target }: ShapeProgram): ProgramGraph {
  const program = graph.program(code, start, end, poolBase);
  if (target.to === 'slot') graph.write(target.index, program.result);
  return program;
}

function valueAt(values: readonly Value[], i: number): Value {
  const value = values[i];
  if (value === undefined) throw new NoGraph();
  return value;
}

function emit(stages: readonly Stage[], inputs: readonly Input[], imports: Imports): FunctionParts {
  const locals = new Locals(TYPES.length);
  const roots = stages.flatMap(({ states, programs }) => [
    ...states,
    ...programs.flatMap(({ eager, result }) => [...eager, result]),
  ]);
  const uses = countUses(roots);
  const bail = [...integer(0), WASM.return];
  const budget = locals.add(TYPE.i32);
  const importOf: FunctionContext['importOf'] = (name) => imports.indexOf(name);
  const context = { locals, uses, importOf, bail, pool: PARAMETER.pool, budget };
  const preamble = new Emitter(context, 1);
  const body = new Emitter(context, 1, preamble);
  const assign = (value: Value, code: readonly number[] | undefined): number => {
    const local = body.local();
    if (code === undefined) body.emit(value);
    else body.append(code);
    body.append(set(local));
    body.bind(value, local);
    return local;
  };
  for (const { value, load } of inputs) if (uses.has(value)) assign(value, load);
  for (const value of uses.keys()) {
    if (value.kind === 'slot') assign(value, [...get(PARAMETER.slots), F64.load, ...at(8 * value.index)]);
  }
  const stores: number[] = [];
  for (const [s, { states, programs, slopes }] of stages.entries()) {
    const n = states.length;
    const store = (base: number, index: number, local: number) =>
      stores.push(...get(base), ...canonicalized(local), F64.store, ...at(8 * index));
    for (const [i, state] of states.entries()) {
      const local = assign(state, undefined);
      if (s === STAGES - 2) store(PARAMETER.out, i, local);
      if (s === STAGES - 3) store(PARAMETER.k, STAGES * n + i, local);
    }
    for (const { eager, result } of programs) {
      if (eager.length > 0 || result.hasSum) body.append(integer(LIMITS.expression.steps), set(budget));
      for (const value of eager) assign(value, undefined);
      assign(result, undefined);
    }
    for (const [i, slope] of slopes.entries()) store(PARAMETER.k, (s + 1) * n + i, assign(slope, undefined));
  }
  const code = [...preamble.code, ...body.code, ...stores, ...integer(1)];
  return { name: 'step', parameters: TYPES, locals: locals.types, code };
}

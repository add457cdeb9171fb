// Forward-mode derivatives on the graph of values: each rule adds the nodes of a derivative, which share those of the
// value. Griewank & Walther, Evaluating Derivatives (2nd ed.), §3.1; rules of special functions: NIST DLMF.
//
// The derivative of a choice is that of the branch taken, of a step 0, of a sum the sum of derivatives. The bits of a
// derivative have no counterpart on the machine: they steer an iteration or an estimate, and are no result.

import { OPCODE } from '../opcodes.ts';
import type { OperationValue, SlotValue, Value, ValueGraph } from './value-graph.ts';

/** Thrown for a function without a rule: gamma, zeta, elliptic integrals, Bessel functions, choose. */
export class NoDerivative extends Error {}

/** Derivatives with respect to one slot; undefined stands for a derivative that is 0 everywhere. */
export class Differentiator {
  readonly #graph: ValueGraph;
  readonly #slot: SlotValue;
  readonly #known = new Map<Value, Value | undefined>();

  constructor(graph: ValueGraph, slot: SlotValue) {
    this.#graph = graph;
    this.#slot = slot;
  }

  /** @throws NoDerivative */
  of(value: Value): Value | undefined {
    if (value.isUniform) return undefined;
    if (this.#known.has(value)) return this.#known.get(value);
    const derivative = this.#derive(value);
    this.#known.set(value, derivative);
    return derivative;
  }

  #derive(value: Value): Value | undefined {
    const graph = this.#graph;
    if (value.kind === 'slot') return value === this.#slot ? graph.literal(1) : undefined;
    if (value.kind === 'choice') {
      const [yes, no] = [this.of(value.yes), this.of(value.no)];
      if (yes === undefined && no === undefined) return undefined;
      return graph.choice(value.condition, yes ?? graph.literal(0), no ?? graph.literal(0));
    }
    if (value.kind === 'sum') {
      const term = this.of(value.term);
      return term && graph.sum(value.index, value.from, value.to, term, value.words);
    }
    return value.kind === 'operation' ? this.#operation(value) : undefined;
  }

  #operation(value: OperationValue): Value | undefined {
    const [u, v] = value.operands;
    if (u === undefined) throw new NoDerivative();
    const [du, dv] = [this.of(u), v && this.of(v)];
    if (du === undefined && dv === undefined) return undefined;
    if (v !== undefined) return this.#binary(value, u, v, du, dv);
    const slope = unarySlope(algebraOf(this.#graph), value, u);
    return slope && du && algebraOf(this.#graph).mul(slope, du);
  }

  #binary(value: OperationValue, u: Value, v: Value, du: Value | undefined, dv: Value | undefined): Value | undefined {
    const a = algebraOf(this.#graph);
    switch (value.opcode) {
      case OPCODE.ADD:
        return a.sum(du, dv);
      case OPCODE.SUB:
        return a.sum(du, dv && a.neg(dv));
      case OPCODE.MUL:
        return a.sum(du && a.mul(du, v), dv && a.mul(u, dv));
      case OPCODE.DIV:
        return a.sum(du && a.div(du, v), dv && a.neg(a.div(a.mul(value, dv), v)));
      case OPCODE.POW:
        return a.sum(
          du && a.mul(a.mul(v, a.pow(u, a.sub(v, a.one))), du),
          dv && a.mul(a.mul(value, a.call(OPCODE.LOG, u)), dv),
        );
      case OPCODE.HYPOT:
        return a.sum(du && a.div(a.mul(u, du), value), dv && a.div(a.mul(v, dv), value));
      case OPCODE.ATAN2: {
        // atan2(u, v): the angle of the point (v, u).
        const square = a.add(a.mul(u, u), a.mul(v, v));
        return a.sum(du && a.div(a.mul(v, du), square), dv && a.neg(a.div(a.mul(u, dv), square)));
      }
      case OPCODE.MIN:
        return this.#graph.choice(a.call(OPCODE.LESS_EQUAL, u, v), du ?? a.zero, dv ?? a.zero);
      case OPCODE.MAX:
        return this.#graph.choice(a.call(OPCODE.GREATER_EQUAL, u, v), du ?? a.zero, dv ?? a.zero);
      case OPCODE.LAMBERTW:
        // W' = W / (x (1 + W)) = 1 / (e^W (1 + W)); the branch is a constant.
        if (du !== undefined) throw new NoDerivative();
        return dv && a.div(dv, a.mul(a.call(OPCODE.EXP, value), a.add(a.one, value)));
      case OPCODE.LESS:
      case OPCODE.LESS_EQUAL:
      case OPCODE.GREATER:
      case OPCODE.GREATER_EQUAL:
      case OPCODE.EQUAL:
      case OPCODE.NOT_EQUAL:
        return undefined;
      default:
        throw new NoDerivative();
    }
  }
}

function algebraOf(graph: ValueGraph) {
  const call = (opcode: number, ...operands: readonly Value[]) => graph.operation(opcode, operands);
  const add = (a: Value, b: Value) => call(OPCODE.ADD, a, b);
  return {
    call,
    add,
    sub: (a: Value, b: Value) => call(OPCODE.SUB, a, b),
    mul: (a: Value, b: Value) => call(OPCODE.MUL, a, b),
    div: (a: Value, b: Value) => call(OPCODE.DIV, a, b),
    pow: (a: Value, b: Value) => call(OPCODE.POW, a, b),
    neg: (a: Value) => call(OPCODE.NEGATE, a),
    square: (a: Value) => call(OPCODE.SQUARE, a),
    sqrt: (a: Value) => call(OPCODE.SQRT, a),
    literal: (value: number) => graph.literal(value),
    zero: graph.literal(0),
    one: graph.literal(1),
    sum: (a: Value | undefined, b: Value | undefined) => (a && b ? add(a, b) : (a ?? b)),
  };
}

type Algebra = ReturnType<typeof algebraOf>;

/** f'(u) of a function of one argument with the value f(u); undefined for 0. */
function unarySlope(a: Algebra, value: OperationValue, u: Value): Value | undefined {
  const { one } = a;
  switch (value.opcode) {
    case OPCODE.NEGATE:
      return a.literal(-1);
    case OPCODE.SQUARE:
      return a.add(u, u);
    case OPCODE.SQRT:
      return a.div(a.literal(0.5), value);
    case OPCODE.CBRT:
      return a.div(one, a.mul(a.literal(3), a.square(value)));
    case OPCODE.ABS:
      return a.call(OPCODE.SIGN, u);
    case OPCODE.SIGN:
    case OPCODE.FLOOR:
    case OPCODE.CEIL:
    case OPCODE.ROUND:
    case OPCODE.NOT:
    case OPCODE.TRUTH:
      return undefined;
    case OPCODE.EXP:
      return value;
    case OPCODE.EXPM1:
      return a.call(OPCODE.EXP, u);
    case OPCODE.LOG:
      return a.div(one, u);
    case OPCODE.LOG1P:
      return a.div(one, a.add(one, u));
    case OPCODE.LOG10:
      return a.div(a.literal(Math.LOG10E), u);
    case OPCODE.LOG2:
      return a.div(a.literal(Math.LOG2E), u);
    case OPCODE.SIN:
      return a.call(OPCODE.COS, u);
    case OPCODE.COS:
      return a.neg(a.call(OPCODE.SIN, u));
    case OPCODE.TAN:
      return a.add(one, a.square(value));
    case OPCODE.ASIN:
      return a.div(one, a.sqrt(a.mul(a.sub(one, u), a.add(one, u))));
    case OPCODE.ACOS:
      return a.div(a.literal(-1), a.sqrt(a.mul(a.sub(one, u), a.add(one, u))));
    case OPCODE.ATAN:
      return a.div(one, a.add(one, a.square(u)));
    case OPCODE.SINH:
      return a.call(OPCODE.COSH, u);
    case OPCODE.COSH:
      return a.call(OPCODE.SINH, u);
    case OPCODE.TANH:
      return a.div(one, a.square(a.call(OPCODE.COSH, u)));
    case OPCODE.ASINH:
      return a.div(one, a.sqrt(a.add(a.square(u), one)));
    case OPCODE.ACOSH:
      return a.div(one, a.sqrt(a.mul(a.sub(u, one), a.add(u, one))));
    case OPCODE.ATANH:
      return a.div(one, a.mul(a.sub(one, u), a.add(one, u)));
    case OPCODE.ERF:
      return gaussian(a, u, 2 / Math.sqrt(Math.PI));
    case OPCODE.ERFC:
      return gaussian(a, u, -2 / Math.sqrt(Math.PI));
    case OPCODE.NORMCDF:
      return a.call(OPCODE.NORMPDF, u);
    case OPCODE.NORMPDF:
      return a.neg(a.mul(u, value));
    case OPCODE.NORMINV:
      return a.div(one, a.call(OPCODE.NORMPDF, value));
    case OPCODE.EXPINT1:
      return a.neg(a.div(a.call(OPCODE.EXP, a.neg(u)), u));
    default:
      throw new NoDerivative();
  }
}

const gaussian = (a: Algebra, u: Value, factor: number) =>
  a.mul(a.literal(factor), a.call(OPCODE.EXP, a.neg(a.square(u))));

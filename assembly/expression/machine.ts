// The expression machine: a stack interpreter over raw memory, for the expression kernel and for every
// solver kernel that takes a formula (a potential, an objective, a right-hand side).
//
// The top of the stack is held in a local variable, the rest in memory. Constants and slots may be the right
// operand of an arithmetic instruction, which halves the dispatches of a typical formula. Code
// without `sum` only jumps forwards, so its length bounds its steps. Only the backward jump of a loop charges the
// step budget, so straight-line code pays nothing for it. On stack caching and instruction design:
// Ertl, Stack caching for interpreters, PLDI 1995, doi:10.1145/207110.207165.
import { binary, unary } from './functions';
import * as op from './opcodes';

/**
 * Stack size that `evaluate` requires, in values. Each value belongs to a node, and LIMITS.expression.nodes is smaller.
 */
export const STACK_VALUES: i32 = 512;

/** LIMITS.expression.steps and LIMITS.expression.sumTerms; a test checks both at their limits. */
const STEP_BUDGET: i32 = 200_000;
const MAX_SUM_TERMS: f64 = 10_000;
/** Bounds of a sum are integers up to 2^52, below which k + 1 is always exact. */
const MAX_BOUND: f64 = 4_503_599_627_370_496;

export const FAILURE_NONE: i32 = 0;
export const FAILURE_STEPS: i32 = 1;
export const FAILURE_SUM_BOUNDS: i32 = 2;
export const FAILURE_SUM_TERMS: i32 = 3;

let lastFailure: i32 = FAILURE_NONE;

/** Why the last `evaluate` failed, or FAILURE_NONE. A value that is not finite is a value, not a failure. */
export function failure(): i32 {
  return lastFailure;
}

/**
 * The value of one program for one set of slots.
 *
 * @param code   i32[], ends with HALT
 * @param pool   f64[], the constants
 * @param slots  f64[], the symbols' values; read only
 * @param stack  f64[STACK_VALUES], scratch
 * @returns      the value; NaN with `failure()` set if the bounds of a sum are invalid or the step budget is spent
 */
export function evaluate(code: usize, pool: usize, slots: usize, stack: usize): f64 {
  lastFailure = FAILURE_NONE;
  let ip = code;
  let sp = stack; // value i above the bottom is stored at stack + 8 (i + 1) once another value covers it
  let top: f64 = 0;
  let budget = STEP_BUDGET;

  while (true) {
    const word = load<i32>(ip);
    ip += 4;
    const offset = (<usize>(word >>> op.OPERAND_SHIFT)) << 3; // byte offset of constant or slot i
    switch (word & op.OPERATION_MASK) {
      case op.HALT:
        return isNaN(top) ? NaN : top; // one NaN: sign and payload of others differ between processors
      case op.CONST: {
        store<f64>(sp, top);
        sp += 8;
        top = load<f64>(pool + offset);
        break;
      }
      case op.SLOT: {
        store<f64>(sp, top);
        sp += 8;
        top = load<f64>(slots + offset);
        break;
      }
      case op.LOCAL: {
        store<f64>(sp, top);
        sp += 8;
        top = load<f64>(stack + offset, 8);
        break;
      }

      case op.ADD: {
        sp -= 8;
        top = load<f64>(sp) + top;
        break;
      }
      case op.SUB: {
        sp -= 8;
        top = load<f64>(sp) - top;
        break;
      }
      case op.MUL: {
        sp -= 8;
        top = load<f64>(sp) * top;
        break;
      }
      case op.DIV: {
        sp -= 8;
        top = load<f64>(sp) / top;
        break;
      }
      case op.POW: {
        sp -= 8;
        top = load<f64>(sp) ** top;
        break;
      }
      case op.ADD_CONST: {
        top += load<f64>(pool + offset);
        break;
      }
      case op.SUB_CONST: {
        top -= load<f64>(pool + offset);
        break;
      }
      case op.MUL_CONST: {
        top *= load<f64>(pool + offset);
        break;
      }
      case op.DIV_CONST: {
        top /= load<f64>(pool + offset);
        break;
      }
      case op.POW_CONST: {
        top = top ** load<f64>(pool + offset);
        break;
      }
      case op.ADD_SLOT: {
        top += load<f64>(slots + offset);
        break;
      }
      case op.SUB_SLOT: {
        top -= load<f64>(slots + offset);
        break;
      }
      case op.MUL_SLOT: {
        top *= load<f64>(slots + offset);
        break;
      }
      case op.DIV_SLOT: {
        top /= load<f64>(slots + offset);
        break;
      }
      case op.POW_SLOT: {
        top = top ** load<f64>(slots + offset);
        break;
      }
      case op.NEGATE: {
        top = -top;
        break;
      }
      case op.SQUARE: {
        top *= top;
        break;
      } // the bits of Math.pow(top, 2)

      case op.LESS: {
        sp -= 8;
        top = <f64>(load<f64>(sp) < top);
        break;
      }
      case op.LESS_EQUAL: {
        sp -= 8;
        top = <f64>(load<f64>(sp) <= top);
        break;
      }
      case op.GREATER: {
        sp -= 8;
        top = <f64>(load<f64>(sp) > top);
        break;
      }
      case op.GREATER_EQUAL: {
        sp -= 8;
        top = <f64>(load<f64>(sp) >= top);
        break;
      }
      case op.EQUAL: {
        sp -= 8;
        top = <f64>(load<f64>(sp) === top);
        break;
      }
      case op.NOT_EQUAL: {
        sp -= 8;
        top = <f64>(load<f64>(sp) !== top);
        break;
      }
      case op.NOT: {
        top = <f64>!isTrue(top);
        break;
      }
      case op.TRUTH: {
        top = <f64>isTrue(top);
        break;
      }

      case op.JUMP: {
        ip = code + (offset >>> 1);
        break;
      }
      case op.JUMP_IF_FALSE: {
        if (!isTrue(top)) ip = code + (offset >>> 1);
        sp -= 8;
        top = load<f64>(sp);
        break;
      }
      case op.JUMP_IF_TRUE: {
        if (isTrue(top)) ip = code + (offset >>> 1);
        sp -= 8;
        top = load<f64>(sp);
        break;
      }

      // sum(k, lo, hi, body): lo, hi, LOOP, body, NEXT. Between LOOP and NEXT the stack holds k, hi, total.
      case op.LOOP: {
        const lo = load<f64>(sp - 8);
        if (!isSumBound(lo) || !isSumBound(top)) {
          lastFailure = FAILURE_SUM_BOUNDS;
          return NaN;
        }
        if (top - lo >= MAX_SUM_TERMS) {
          lastFailure = FAILURE_SUM_TERMS;
          return NaN;
        }
        if (lo > top) {
          sp -= 8;
          ip = code + (offset >>> 1);
        } // no terms: continue after NEXT with 0
        else {
          store<f64>(sp, top);
          sp += 8;
        }
        top = 0;
        break;
      }
      case op.NEXT: {
        sp -= 8;
        top = load<f64>(sp) + top;
        const k = load<f64>(sp - 16) + 1;
        if (k > load<f64>(sp - 8)) {
          sp -= 16;
          break;
        }
        store<f64>(sp - 16, k);
        const body = code + (offset >>> 1);
        budget -= <i32>((ip - body) >>> 2);
        if (budget < 0) {
          lastFailure = FAILURE_STEPS;
          return NaN;
        }
        ip = body;
        break;
      }

      default: {
        const operation = word & op.OPERATION_MASK;
        if (operation < op.FIRST_BINARY) top = unary(operation, top);
        else {
          sp -= 8;
          top = binary(operation, load<f64>(sp), top);
        }
      }
    }
  }
}

/** Zero and NaN are false. */
function isTrue(x: f64): bool {
  return Math.abs(x) > 0;
}

function isSumBound(x: f64): bool {
  return Math.abs(x) <= MAX_BOUND && Math.floor(x) === x;
}

// A law as a function of one of its inputs, minus the value that it is to have. In coherent units.

import { LIMITS } from '../../core/limits.ts';
import { decide, enclose } from '../../expressions/interval/evaluate.ts';
import { add, point } from '../../expressions/interval/interval.ts';
import { evaluatePrecisely, type StepBudget } from '../../expressions/precise/evaluate.ts';
import { compileOperator } from '../evaluate.ts';
import type { OperatorDefinition } from '../operator.ts';
import type { Residual } from './search.ts';

/** What the law is a function of, and the numbers of everything else. */
export interface LawOfUnknown {
  readonly law: OperatorDefinition;
  readonly symbol: string;
  /** Of the other inputs and of constants. */
  readonly values: ReadonlyMap<string, number>;
  /** The value of the law. */
  readonly target: number;
}

/** @param budget  of all evaluations together; they throw DomainError BUDGET_EXCEEDED beyond it */
export function residualOf({ law, symbol, values, target }: LawOfUnknown, budget: StepBudget): Residual {
  const { equation, where, requirements } = compileOperator(law);
  const formula = { expression: equation.expression, where };
  const symbols = new Map(values);
  return {
    isSpent: () => budget.left < LIMITS.unknown.steps / 2,
    enclose: (over) => {
      const steps = { count: 1 };
      const isRefused = requirements.some(({ condition }) => decide(condition, where, values, symbol, over) === false);
      const enclosure = isRefused ? undefined : enclose(formula, values, symbol, over, steps);
      budget.spend(steps.count);
      return enclosure && { ...enclosure, value: add(enclosure.value, point(-target)) };
    },
    at: (x) => {
      symbols.set(symbol, x);
      const { value, low, hasFiniteParts } = evaluatePrecisely(formula, symbols, undefined, budget);
      return hasFiniteParts ? value - target + low : Number.NaN;
    },
  };
}

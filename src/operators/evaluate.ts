// Operators at work: inputs bound and checked, the value from the expression kernel, the equation for people.

import { CODATA } from '../core/codata.ts';
import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { evaluateProgram } from '../expressions/evaluate.ts';
import { parseEquation, parseExpression } from '../expressions/parse.ts';
import { printEquation, printExpression } from '../expressions/print.ts';
import type { Equation, Expression } from '../expressions/tree.ts';
import type { KernelInstance } from '../kernels/instance.ts';
import type { Operator, OperatorInput } from './operator.ts';

export type Inputs = Readonly<Record<string, number>>;

/**
 * The operator's value in `output.unit`, for inputs in their declared units (all coherent SI).
 *
 * @throws DomainError VALIDATION_FAILED as bindOperator, BUDGET_EXCEEDED as evaluateProgram
 */
export function evaluateOperator(instance: KernelInstance, operator: Operator, inputs: Inputs): number {
  return evaluateProgram(instance, compileOperator(operator).program, bindOperator(operator, inputs));
}

/**
 * `E = 3^2*pi^2*1.05e-34^2/(2*9.1e-31*2.5e-9^2) [J]`: the equation with inputs, defaults and constants substituted.
 * An input without a value stays a symbol.
 */
export function printOperator(operator: Operator, inputs: Inputs): string {
  const { equation, where } = compileOperator(operator);
  const numbers = new Map(Object.entries(constantsOf(operator)));
  for (const [name, input] of Object.entries(operator.inputs)) {
    const value = givenValue(name, input, inputs);
    if (value !== undefined) numbers.set(name, value);
  }
  const text = printEquation(equation, numbers, operator.output.unit);
  if (where.length === 0) return text;
  return `${text} where ${where.map(({ name, expression }) => `${name} = ${printExpression(expression, numbers)}`).join(', ')}`;
}

/**
 * A value for each input and constant.
 *
 * @throws DomainError VALIDATION_FAILED naming every input that is missing, not finite, not whole or out of range
 */
export function bindOperator(operator: Operator, inputs: Inputs): Inputs {
  const values: Record<string, number> = constantsOf(operator);
  const details: ErrorDetail[] = [];
  for (const [name, input] of Object.entries(operator.inputs)) {
    const value = givenValue(name, input, inputs);
    const fault = faultOf(value, input);
    if (value !== undefined) values[name] = value;
    if (fault === undefined) continue;
    const message = `${operator.id}.${name} ${fault}; ${allowedBy(input)} is expected.`;
    details.push({ path: `inputs.${name}`, code: value === undefined ? 'MISSING' : 'OUT_OF_RANGE', message });
  }
  const [first] = details;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details });
  return values;
}

function givenValue(name: string, input: OperatorInput, inputs: Inputs): number | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : input.default;
}

function faultOf(value: number | undefined, { min, max, integer }: OperatorInput): string | undefined {
  if (value === undefined) return 'is missing';
  const isAllowed =
    Number.isFinite(value) &&
    value >= (min ?? Number.NEGATIVE_INFINITY) &&
    value <= (max ?? Number.POSITIVE_INFINITY) &&
    (integer !== true || Number.isInteger(value));
  return isAllowed ? undefined : `is ${value}`;
}

function allowedBy({ unit, min, max, integer }: OperatorInput): string {
  const kind = integer === true ? 'a whole number' : 'a finite number';
  const least = min === undefined ? '' : ` from ${min}`;
  const most = max === undefined ? '' : ` up to ${max}`;
  return `${kind}${least}${most} [${unit}]`;
}

function constantsOf(operator: Operator): Record<string, number> {
  return Object.fromEntries(
    Object.entries(operator.constants ?? {}).map(([name, constant]) => {
      const found = typeof constant === 'string' ? CODATA.get(constant) : constant;
      if (found === undefined) throw new Error(`${operator.id}: CODATA has no constant ${String(constant)}.`);
      return [name, found.value];
    }),
  );
}

interface CompiledOperator {
  readonly equation: Equation;
  readonly where: readonly { readonly name: string; readonly expression: Expression }[];
  readonly program: Program;
}

const compiled = new WeakMap<Operator, CompiledOperator>();

/** Parsed and assembled once; the slots are inputs, then constants. */
export function compileOperator(operator: Operator): CompiledOperator {
  const known = compiled.get(operator);
  if (known) return known;
  const equation = parseEquation(operator.equation);
  const where = Object.entries(operator.where ?? {}).map(([name, text]) => ({
    name,
    expression: parseExpression(text),
  }));
  const slots = [...Object.keys(operator.inputs), ...Object.keys(operator.constants ?? {})];
  const fresh = { equation, where, program: assemble(equation.expression, slots, where) };
  compiled.set(operator, fresh);
  return fresh;
}

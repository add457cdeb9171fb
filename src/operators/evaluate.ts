// Evaluation of one operator: binds and checks the inputs, evaluates in the expression kernel, prints the equation.
//
// A law is evaluated in coherent SI. Inputs, constants and output are converted before and after, so an equation
// contains no conversion factors. Where all units are coherent, the bits of a number do not change.

import { CODATA } from '../core/codata.ts';
import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { isCoherentSystem } from '../core/units/system.ts';
import { conversion } from '../core/units.ts';
import { assemble, type Program } from '../expressions/bytecode.ts';
import { parseDefinitions } from '../expressions/definitions.ts';
import { evaluateProgram } from '../expressions/evaluate.ts';
import { parseEquation } from '../expressions/parse.ts';
import { printEquation, printExpression } from '../expressions/print.ts';
import { childrenOf, type Equation, type Expression } from '../expressions/tree.ts';
import type { KernelInstance } from '../kernels/instance.ts';
import type { InputDefinition, OperatorDefinition } from './operator.ts';
import { describeInput, faultOf } from './range.ts';
import { parseRequirement, type Requirement, unmetRequirements } from './requirements.ts';
import { fromCoherent, toCoherent, unitOf } from './unit-table.ts';

export type Inputs = Readonly<Record<string, number>>;
/** Units of inputs that are not given in their declared ones. */
export type InputUnits = Readonly<Record<string, string>>;

/**
 * The operator's value in `output.unit`.
 *
 * @throws DomainError as bindOperator, BUDGET_EXCEEDED as evaluateProgram
 */
export function evaluateOperator(
  instance: KernelInstance,
  operator: OperatorDefinition,
  inputs: Inputs,
  units: InputUnits = {},
): number {
  const value = evaluateProgram(instance, compileOperator(operator).program, bindOperator(operator, inputs, units));
  return fromCoherent(value, operator.output.unit);
}

/**
 * `E = 3^2*pi^2*1.05e-34^2/(2*9.1e-31*2.5e-9^2) [J]`: the equation with inputs, defaults and constants substituted. The
 * right side evaluates to the value in the unit in brackets: numbers are in the declared units where these belong to
 * one system (hours with 1/h), and coherent otherwise. An input without a value stays a symbol.
 *
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH
 */
export function printOperator(operator: OperatorDefinition, inputs: Inputs, units: InputUnits = {}): string {
  const { equation, where, printedConstants, isOneSystem: isDeclared } = compileOperator(operator);
  const numbers = new Map(printedConstants);
  for (const [name, input] of Object.entries(operator.inputs)) {
    const number = read(name, input, inputs, units);
    if (number !== undefined) numbers.set(name, isDeclared ? inDeclaredUnit(number, input) : inCoherentUnit(number));
  }
  const { unit } = operator.output;
  const text = printEquation(equation, numbers, isDeclared ? unit : unitOf(unit).coherent);
  if (where.length === 0) return text;
  return `${text} where ${where.map(({ name, expression }) => `${name} = ${printExpression(expression, numbers)}`).join(', ')}`;
}

/**
 * A value for each input and constant, in coherent units.
 *
 * @throws DomainError UNIT_INVALID or UNIT_MISMATCH for a unit, otherwise VALIDATION_FAILED; `details` name every input
 *   that is missing, not finite, not whole, out of its range (which is in the declared unit) or in a wrong unit, else
 *   every requirement that does not hold
 */
export function bindOperator(operator: OperatorDefinition, inputs: Inputs, units: InputUnits = {}): Inputs {
  const values: Record<string, number> = { ...compileOperator(operator).constants };
  const faults: (ErrorDetail & { readonly errorCode: DomainError['code'] })[] = [];
  for (const [name, input] of Object.entries(operator.inputs)) {
    const title = `${operator.id}.${name}`;
    try {
      const number = read(name, input, inputs, units);
      const declared = number && inDeclaredUnit(number, input);
      if (number !== undefined) values[name] = inCoherentUnit(number);
      const fault = faultOf(declared, input);
      if (fault === undefined) continue;
      const code = declared === undefined ? 'MISSING' : 'OUT_OF_RANGE';
      const message = `${title} ${fault}; ${describeInput(input)} is expected.`;
      faults.push({ path: `inputs.${name}`, code, message, errorCode: 'VALIDATION_FAILED' });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push({
        path: `units.${name}`,
        code: error.code,
        message: `${title}: ${error.message}`,
        errorCode: error.code,
      });
    }
  }
  if (faults.length === 0) {
    const unmet = unmetBy(operator, new Map(Object.entries(values)));
    faults.push(...unmet.map((detail) => ({ ...detail, errorCode: 'VALIDATION_FAILED' as const })));
  }
  const [first] = faults;
  if (first === undefined) return values;
  const details = faults.map(({ path, code, message }) => ({ path, code, message }));
  throw new DomainError(first.errorCode, first.message, { details });
}

/** The requirements of an operator that do not hold. @param values  of inputs and constants, in coherent units */
export function unmetBy(operator: OperatorDefinition, values: ReadonlyMap<string, number>): ErrorDetail[] {
  const { requirements, where } = compileOperator(operator);
  return unmetRequirements({ definition: operator, requirements, where, values });
}

/** A value as it is given, or its default; undefined without both. */
function read(
  name: string,
  { unit, default: value }: InputDefinition,
  inputs: Inputs,
  units: InputUnits,
): PhysicalQuantity | undefined {
  if (Object.hasOwn(inputs, name)) {
    const given = inputs[name];
    const own = Object.hasOwn(units, name) ? units[name] : undefined;
    return given === undefined ? undefined : { value: given, unit: own ?? unit };
  }
  return value === undefined ? undefined : { value, unit };
}

const inDeclaredUnit = ({ value, unit }: PhysicalQuantity, declared: InputDefinition): number =>
  unit === declared.unit ? value : conversion(unitOf(unit), unitOf(declared.unit))(value);

const inCoherentUnit = ({ value, unit }: PhysicalQuantity): number => toCoherent(value, unit);

function constantsOf(operator: OperatorDefinition): [name: string, constant: PhysicalQuantity][] {
  return Object.entries(operator.constants ?? {}).map(([name, constant]) => {
    const found = typeof constant === 'string' ? CODATA.get(constant) : constant;
    if (found === undefined) throw new Error(`${operator.id}: CODATA has no constant ${String(constant)}.`);
    return [name, found];
  });
}

interface PhysicalQuantity {
  readonly value: number;
  readonly unit: string;
}

const declaredConstants = (operator: OperatorDefinition): [string, number][] =>
  constantsOf(operator).map(([name, { value }]) => [name, value]);

const coherentConstants = (operator: OperatorDefinition): Inputs =>
  Object.fromEntries(constantsOf(operator).map(([name, { value, unit }]) => [name, toCoherent(value, unit)]));

const unitsOf = (operator: OperatorDefinition): string[] => [
  operator.output.unit,
  ...Object.values(operator.inputs).map(({ unit }) => unit),
  ...constantsOf(operator).map(([, { unit }]) => unit),
];

interface CompiledOperator {
  readonly equation: Equation;
  readonly where: readonly { readonly name: string; readonly expression: Expression }[];
  readonly program: Program;
  readonly requirements: readonly Requirement[];
  /** In coherent units. */
  readonly constants: Inputs;
  /** In declared units where the law holds for these, otherwise in coherent ones. */
  readonly printedConstants: ReadonlyMap<string, number>;
  /** The law holds for the bare numbers in the declared units, without conversion factors. */
  readonly isOneSystem: boolean;
  /** The code loops, so its length does not bound its run time. */
  readonly hasSum: boolean;
}

const compiled = new WeakMap<OperatorDefinition, CompiledOperator>();

/** Parsed and assembled once; the slots are inputs, then constants. */
export function compileOperator(operator: OperatorDefinition): CompiledOperator {
  const known = compiled.get(operator);
  if (known) return known;
  const equation = parseEquation(operator.equation);
  const where = parseDefinitions(operator.where);
  const slots = [...Object.keys(operator.inputs), ...Object.keys(operator.constants ?? {})];
  const program = assemble(equation.expression, slots, where);
  const hasSum = [...where, equation].some(({ expression }) => containsSum(expression));
  const requirements = (operator.requires ?? []).map(parseRequirement);
  for (const { condition } of requirements) assemble(condition, slots, where); // refuses unknown symbols
  const constants = coherentConstants(operator);
  const isOneSystem = isCoherentSystem(unitsOf(operator).map(unitOf));
  const printedConstants = new Map(isOneSystem ? declaredConstants(operator) : Object.entries(constants));
  const fresh = { equation, where, program, requirements, constants, printedConstants, hasSum, isOneSystem };
  compiled.set(operator, fresh);
  return fresh;
}

function containsSum(node: Expression): boolean {
  return node.kind === 'sum' || childrenOf(node).some(containsSum);
}

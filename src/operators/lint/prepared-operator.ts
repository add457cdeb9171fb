// An operator ready to be evaluated: units parsed, values in coherent SI, the program assembled once.

import { CODATA } from '../../core/codata.ts';
import { DomainError } from '../../core/errors.ts';
import type { Unit } from '../../core/units.ts';
import type { Program } from '../../expressions/bytecode.ts';
import type { Dimensions } from '../../expressions/dimensions.ts';
import type { Expression } from '../../expressions/tree.ts';
import { compileOperator } from '../evaluate.ts';
import type { OperatorInput } from '../operator.ts';
import { unitOf } from '../unit-table.ts';
import { type Diagnostic, error } from './diagnostic.ts';
import { expand, type ParsedOperator } from './parsed-operator.ts';

export interface PreparedOperator extends ParsedOperator {
  /** The right side with the intermediate expressions substituted. */
  readonly expanded: Expression;
  /** Its slots are the inputs, then the constants, in coherent SI. */
  readonly program: Program;
  readonly inputs: readonly PreparedInput[];
  readonly constants: readonly PreparedConstant[];
  /** Of inputs and constants. */
  readonly dimensions: Dimensions;
  readonly output: Unit;
}

export interface PreparedInput {
  readonly name: string;
  readonly declared: OperatorInput;
  readonly unit: Unit;
}

export interface PreparedConstant {
  readonly name: string;
  /** Name in CODATA; undefined for a constant with its own value. */
  readonly title: string | undefined;
  /** In coherent SI. */
  readonly value: number;
  readonly unit: Unit;
}

const FIX = 'Write the unit as in src/core/units/catalog.ts: m/s^2, J/(mol*K), yr^-1/2; a count is 1.';

/** Faults that only the assembler finds: a sum of too many terms. @param parsed  passes checkSymbols */
export function checkAssembly({ operator }: ParsedOperator): Diagnostic[] {
  try {
    compileOperator(operator);
    return [];
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    if (fault.code === 'UNIT_INVALID') return []; // prepareOperator reports it
    return [
      error(
        fault.message,
        'A law with a sum of this size does not belong into this registry; take the next of the list.',
      ),
    ];
  }
}

/** @returns the prepared operator, or the faults of its units. @param parsed  passes checkSymbols and checkAssembly */
export function prepareOperator(parsed: ParsedOperator): PreparedOperator | readonly Diagnostic[] {
  const { operator } = parsed;
  const diagnostics: Diagnostic[] = [];
  const read = (place: string, text: string): readonly Unit[] => {
    try {
      return [unitOf(text)];
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      diagnostics.push(error(`${place}: ${fault.message}`, FIX));
      return [];
    }
  };
  const [output] = read('output', operator.output.unit);
  const inputs = Object.entries(operator.inputs).flatMap(([name, declared]) =>
    read(`inputs.${name}`, declared.unit).map((unit) => ({ name, declared, unit })),
  );
  const units = Object.entries(operator.constants ?? {}).flatMap(([name, constant]) => {
    const found = typeof constant === 'string' ? CODATA.get(constant) : constant;
    const title = typeof constant === 'string' ? constant : undefined;
    return read(`constants.${name}`, found?.unit ?? '1').map((unit) => ({ name, title, unit }));
  });
  if (output === undefined || diagnostics.length > 0) return diagnostics;
  const { program, constants: values } = compileOperator(operator);
  const constants = units.map((one) => ({ ...one, value: values[one.name] ?? Number.NaN }));
  const dimensions = new Map([...inputs, ...constants].map(({ name, unit }) => [name, unit.dimension]));
  return { ...parsed, expanded: expand(parsed), program, inputs, constants, dimensions, output };
}

/** Inputs and constants by name. @param values  as for rowOf */
export function valuesAt(
  { inputs, constants }: Pick<PreparedOperator, 'inputs' | 'constants'>,
  values: readonly number[],
): ReadonlyMap<string, number> {
  const numbers = rowOf({ constants }, values);
  return new Map([...inputs, ...constants].map(({ name }, i) => [name, numbers[i] ?? Number.NaN]));
}

/** The slots of one row. @param values  of the inputs, in coherent SI and in order */
export function rowOf({ constants }: Pick<PreparedOperator, 'constants'>, values: readonly number[]): number[] {
  return [...values, ...constants.map(({ value }) => value)];
}

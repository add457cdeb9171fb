// An operator made ready to be tried: units read, everything in coherent SI, the program assembled once.

import { CODATA } from '../../core/codata.ts';
import { DomainError } from '../../core/errors.ts';
import type { Unit } from '../../core/units.ts';
import type { Program } from '../../expressions/bytecode.ts';
import type { Dimensions } from '../../expressions/dimensions.ts';
import type { Expression } from '../../expressions/tree.ts';
import { compileOperator } from '../evaluate.ts';
import type { OperatorInput } from '../operator.ts';
import { unitOf } from '../unit-table.ts';
import { type Complaint, error } from './finding.ts';
import { expand, type Subject } from './subject.ts';

export interface Trial extends Subject {
  /** The right side with the intermediate expressions in place. */
  readonly expanded: Expression;
  /** Its slots are the inputs, then the constants, in coherent SI. */
  readonly program: Program;
  readonly inputs: readonly TrialInput[];
  readonly constants: readonly TrialConstant[];
  /** Of inputs and constants. */
  readonly dimensions: Dimensions;
  readonly output: Unit;
}

export interface TrialInput {
  readonly name: string;
  readonly declared: OperatorInput;
  readonly unit: Unit;
}

export interface TrialConstant {
  readonly name: string;
  /** Of CODATA; undefined for one that gives its value here. */
  readonly title: string | undefined;
  /** In coherent SI. */
  readonly value: number;
  readonly unit: Unit;
}

const MEND = 'Write the unit as in src/core/units/catalog.ts: m/s^2, J/(mol*K), yr^-1/2; a count is 1.';

/** What only the assembler sees: a sum whose bounds are too far apart. @param subject  its symbols are sound */
export function checkAssembly({ operator }: Subject): Complaint[] {
  try {
    compileOperator(operator);
    return [];
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault;
    if (fault.code === 'UNIT_INVALID') return []; // of a constant; prepareTrial names it
    return [error(fault.message, 'A sum of this size is no closed form; take the next law of the list.')];
  }
}

/** @returns the trial, or what is wrong with its units. @param subject  passes checkSymbols and checkAssembly */
export function prepareTrial(subject: Subject): Trial | readonly Complaint[] {
  const { operator } = subject;
  const complaints: Complaint[] = [];
  const read = (place: string, text: string): readonly Unit[] => {
    try {
      return [unitOf(text)];
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault;
      complaints.push(error(`${place}: ${fault.message}`, MEND));
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
  if (output === undefined || complaints.length > 0) return complaints;
  const { program, constants: values } = compileOperator(operator);
  const constants = units.map((one) => ({ ...one, value: values[one.name] ?? Number.NaN }));
  const dimensions = new Map([...inputs, ...constants].map(({ name, unit }) => [name, unit.dimension]));
  return { ...subject, expanded: expand(subject), program, inputs, constants, dimensions, output };
}

/** The slots of one row. @param values  of the inputs, in coherent SI and in order */
export function rowOf({ constants }: Pick<Trial, 'constants'>, values: readonly number[]): number[] {
  return [...values, ...constants.map(({ value }) => value)];
}

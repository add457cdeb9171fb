// Tests that a solver refuses bad inputs, and its kernel bad parameters, and that they name the field and the reason.

import { expect, test } from 'vitest';
import { z } from 'zod';
import type { DomainError, ErrorCode } from '../../src/core/errors.ts';
import { parseOrThrow } from '../../src/core/validation.ts';
import type { KernelFace, ParameterName } from '../../src/kernels/face.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { thrownDomainError } from './domain-error.ts';
import { coldInstance, runInGroups } from './run-solver.ts';
import { hashOutputs } from './solution-bits.ts';

/** An input whose fields are each within range, but not together. */
export interface Refusal<Input> {
  readonly input: Input;
  /** By default VALIDATION_FAILED. */
  readonly code?: ErrorCode;
  /** The only field that the error names. */
  readonly field: string;
  /** The code of that detail. */
  readonly reason?: string;
  /** A part of the message. */
  readonly message?: string;
  /** All facts of the error. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Whether the message says the first fact, which is the limit. */
  readonly saysLimit?: boolean;
}

/** The DomainError of planning an input. @throws Error if the input is accepted or another error occurs */
export function planError<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  input: z.input<Shape>,
): DomainError {
  const parsed = solver.inputs.parse(input);
  return thrownDomainError(() => solver.plan(parsed));
}

export function testRefusal<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  { input, code = 'VALIDATION_FAILED', field, reason, message = '', facts, saysLimit = false }: Refusal<z.input<Shape>>,
): void {
  test(`${JSON.stringify(input)} is refused: ${field}`, () => {
    const error = planError(solver, input);
    expect(error.code).toBe(code);
    expect(error.details.map(({ path }) => path)).toEqual([field]);
    expect(error.message).toContain(message);
    if (reason !== undefined) expect(error.details.map((detail) => detail.code)).toEqual([reason]);
    if (facts !== undefined) expect(error.facts).toEqual(facts);
    if (saysLimit) expect(error.message).toContain(String(Object.values(error.facts)[0]));
  });
}

/** @param input  one field, out of its range */
export function testOutOfRange<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  input: Readonly<Record<string, unknown>>,
): void {
  const [[field = '', value] = []] = Object.entries(input);
  test(`${field} = ${String(value)} is out of range`, () => {
    expect(Object.keys(input)).toHaveLength(1);
    expectRefusedField(solver, field, value);
  });
}

function expectRefusedField<Shape extends z.ZodObject>(
  { inputs }: SolverDefinition<Shape>,
  field: string,
  value: unknown,
): DomainError {
  const error = thrownDomainError(() => parseOrThrow(inputs, { [field]: value }, Object.keys(inputs.shape)));
  expect(error.code).toBe('VALIDATION_FAILED');
  expect(error.details.map(({ path }) => path)).toContain(field);
  expect(error.message).toContain(field);
  return error;
}

interface Outside {
  readonly name: string;
  readonly value: unknown;
  /** What the message says is allowed. */
  readonly allowed: readonly string[];
}

/** Every field with a range, from the schema: values beyond it are refused with the field and the allowed values. */
export function testRanges<Shape extends z.ZodObject>(solver: SolverDefinition<Shape>): void {
  const { properties = {} } = z.toJSONSchema(solver.inputs, { io: 'input' });
  const bounded = Object.entries(properties).flatMap(([name, schema]): Outside[] => {
    if (typeof schema === 'boolean') return [];
    const { type, minimum, maximum, enum: choices } = schema;
    if (choices) return [{ name, value: 'nothing of the kind', allowed: choices.map(String) }];
    if (type !== 'number' && type !== 'integer') return [];
    const numbers = [minimum, maximum].filter((end) => end !== undefined && Math.abs(end) < Number.MAX_SAFE_INTEGER);
    const outside = numbers.map((end) => ({ name, value: beyond(end ?? 0, end === minimum), allowed: [String(end)] }));
    return type === 'integer' ? [...outside, { name, value: (minimum ?? 0) + 0.5, allowed: [] }] : outside;
  });

  test('every value beyond a range is refused with the field and what is allowed', () => {
    expect(bounded.length).toBeGreaterThan(0);
    for (const { name, value, allowed } of bounded) {
      const { message } = expectRefusedField(solver, name, value);
      for (const part of allowed) expect(message, name).toContain(part);
    }
  });
}

/** A number beyond the end of a range, whole if the end is. */
const beyond = (end: number, isMinimum: boolean) => end + (isMinimum ? -1 : 1) * Math.max(1, Math.abs(end));

/**
 * Parameters of the first run of an input, each replaced by NaN: the kernel names it, or does not use it.
 *
 * @param unchecked  parameters of which every double means something
 */
export function testParameters<Shape extends z.ZodObject, Face extends KernelFace>(
  solver: SolverDefinition<Shape, Face>,
  input: z.input<Shape>,
  unchecked: readonly ParameterName<Face>[] = [],
): void {
  test('a parameter that is not a number is rejected by its name, or changes nothing', async () => {
    const [run] = solver.plan(solver.inputs.parse(input)).runs;
    if (!run) throw new Error('The plan has no run.');
    const bitsOf = async (parameters: typeof run.parameters) =>
      hashOutputs([runInGroups(await coldInstance(solver.id), { ...run, parameters }, Number.POSITIVE_INFINITY)]);
    const bits = await bitsOf(run.parameters);
    let rejected = 0;
    for (const name of solver.kernel.parameters as readonly ParameterName<Face>[]) {
      const outcome = await bitsOf({ ...run.parameters, [name]: Number.NaN }).catch(String);
      if (outcome === bits || unchecked.includes(name)) continue;
      expect(outcome).toContain(`rejected parameter ${name}: its value is NaN.`);
      rejected++;
    }
    expect(rejected).toBeGreaterThan(0);
  });
}

/** @param changes  of parameters of the first run of an input; the first is the one that the kernel names */
export function testIllegalParameter<Shape extends z.ZodObject, Face extends KernelFace>(
  solver: SolverDefinition<Shape, Face>,
  input: z.input<Shape>,
  changes: Readonly<Partial<Record<ParameterName<Face>, number>>>,
): void {
  const [[name = '', value] = []] = Object.entries(changes);
  test(`the kernel rejects the parameter ${name} = ${value} by its name`, async () => {
    const [run] = solver.plan(solver.inputs.parse(input)).runs;
    if (!run) throw new Error('The plan has no run.');
    const instance = await coldInstance(solver.id);
    const changed = { ...run, parameters: { ...run.parameters, ...changes } };
    expect(() => runInGroups(instance, changed, 1)).toThrow(`rejected parameter ${name}: its value is ${value}.`);
  });
}

// Compares what a definition calls with the registries: operators, solvers and the inputs of these.

import type { z } from 'zod';
import { callsOf } from '../contracts/calls/check.ts';
import type { Action, Definition } from '../contracts/definition.ts';
import type { ErrorDetail } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { didYouMean, nearestNames } from '../core/nearest.ts';
import type { OperatorDefinition } from '../operators/operator.ts';
import { findSolver, SOLVERS } from '../solvers/index.ts';
import { lawCallFaults, unitFault } from './law-calls.ts';

/** Faults of the operators and solvers of a definition. @param operators  the registry */
export function callFaults(definition: Definition, operators: Registry): ErrorDetail[] {
  return [
    ...operatorFaults(definition, operators),
    ...definition.transitions.flatMap(solverFaults),
    ...lawCallFaults(definition, (id) => operators.get(id)),
    ...solverCallFaults(definition),
  ];
}

type Registry = ReadonlyMap<string, Pick<OperatorDefinition, 'inputs' | 'output'>>;

/** Solvers of activities: inputs that they lack or do not have, and the unit of their value. */
function solverCallFaults(definition: Definition): ErrorDetail[] {
  return callsOf(definition).flatMap(({ path, call: { solver: name, inputs = {}, unit } }) => {
    if (name === undefined) return [];
    const faults = inputFaults(`${path}.solver`, name, Object.keys(inputs));
    const solver = findSolver(name);
    if (solver === undefined || solver.open) return faults;
    const missing = Object.entries(solver.inputs.shape).filter(
      ([input, schema]) => !Object.hasOwn(inputs, input) && !(schema as z.ZodType).safeParse(undefined).success,
    );
    const messages = missing.map(([input]) => ({
      path: `${path}.inputs.${input}`,
      code: 'MISSING',
      message: `${path}.inputs.${input} is missing; ${name} needs it.`,
    }));
    return [...faults, ...messages, ...unitFault(path, name, unit, solver.unit)];
  });
}

function operatorFaults(definition: Definition, operators: Registry): ErrorDetail[] {
  return definition.operators
    .filter((id) => !operators.has(id))
    .map((id) => {
      const [nearest] = nearestNames(id, [...operators.keys()], 1);
      const message = `operators names ${id}, which is not in the registry${nearest ? `; did you mean ${nearest}` : ''}.`;
      return { path: 'operators', code: 'OPERATOR_UNKNOWN', message };
    });
}

function solverFaults({ id, pre = [], post = [] }: Definition['transitions'][number]): ErrorDetail[] {
  const path = `transitions.${id}`;
  const calls = [...pre, ...post].flatMap(solverCallOf);
  const faults = calls.flatMap(({ solver = '', inputs }) => inputFaults(path, solver, Object.keys(inputs)));
  const { perTransition } = LIMITS.contracts.solvers;
  if (calls.length > perTransition) {
    const message = `${path} calls ${calls.length} solvers; a transition can call at most ${perTransition}.`;
    faults.push({ path, code: 'SOLVER_GUARD', message });
  }
  return faults;
}

const solverCallOf = (action: Action) =>
  'compute' in action && action.compute.solver !== undefined ? [action.compute] : [];

function inputFaults(path: string, name: string, inputs: readonly string[]): ErrorDetail[] {
  const solver = findSolver(name);
  const fault = (code: string, text: string) => [{ path, code, message: `${path} ${text}` }];
  if (solver === undefined) {
    const known = SOLVERS.map(({ id }) => id);
    return fault('SOLVER_UNKNOWN', `calls solver ${name}, which was not found.${didYouMean(name, known)}`);
  }
  if (solver.open)
    return fault('SOLVER_GUARD', `calls ${name}, which needs equations; a transition can pass numbers only.`);
  const fields = Object.keys(solver.inputs.shape);
  return inputs
    .filter((input) => !fields.includes(input))
    .flatMap((input) =>
      fault('UNKNOWN_NAME', `passes the input ${input}, which ${name} does not have.${didYouMean(input, fields)}`),
    );
}

// Compares the laws that activities compute with their definitions: inputs that they lack or do not have, and units.

import { callsOf } from '../contracts/calls/check.ts';
import type { Definition } from '../contracts/definition.ts';
import type { ErrorDetail } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import type { OperatorDefinition } from '../operators/operator.ts';

/** @param find  undefined for an operator that is unknown, which is a fault of its own */
export function lawCallFaults(
  definition: Definition,
  find: (id: string) => Pick<OperatorDefinition, 'inputs' | 'output'> | undefined,
): ErrorDetail[] {
  return callsOf(definition).flatMap(({ path, call: { operator: id, inputs = {}, unit } }) => {
    const law = id === undefined ? undefined : find(id);
    if (id === undefined || law === undefined) return [];
    const names = Object.keys(law.inputs);
    const missing = Object.entries(law.inputs).filter(([name, input]) => !hasValue(inputs, name, input));
    return [
      ...missing.map(([name, input]) =>
        fault(`${path}.inputs.${name}`, 'MISSING', `is missing; ${id} needs ${name} in ${input.unit}.`),
      ),
      ...Object.entries(inputs).flatMap(([name, text]) => {
        const at = `${path}.inputs.${name}`;
        if (!Object.hasOwn(law.inputs, name))
          return [fault(at, 'UNKNOWN_NAME', `is an input that ${id} does not have.${didYouMean(name, names)}`)];
        const declared = unitOf(definition, text.trim());
        const expected = law.inputs[name]?.unit;
        return declared === undefined || declared === expected
          ? []
          : [fault(at, 'UNIT_MISMATCH', `is ${text.trim()}, in ${declared}; ${id} takes ${name} in ${expected}.`)];
      }),
      ...unitFault(path, id, unit, law.output.unit),
    ];
  });
}

/** The unit of the value must be the one that the law or solver gives: nothing is converted. */
export function unitFault(path: string, id: string, unit: string | undefined, given: string): ErrorDetail[] {
  if (unit === undefined || unit === given) return [];
  return [fault(`${path}.unit`, 'UNIT_MISMATCH', `is ${unit}; ${id} gives its value in ${given}.`)];
}

const hasValue = (inputs: object, name: string, { default: value }: { readonly default?: number | undefined }) =>
  Object.hasOwn(inputs, name) || value !== undefined;

/** The unit that a parameter or variable declares, if the expression is its name alone. */
function unitOf({ parameters = {}, context = {} }: Definition, name: string): string | undefined {
  const declared = Object.hasOwn(parameters, name) ? parameters[name] : Object.hasOwn(context, name) && context[name];
  return declared === undefined || declared === false ? undefined : declared.unit;
}

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}` });

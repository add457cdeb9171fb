// Builds the solution from the kernel outputs: the answer of a table or a trajectory, and the results of its laws.

import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Law, Solution } from '../definition.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Answer } from './answer.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import { lawLine } from './lines.ts';
import { lawsInOrder, type Problem, scaleOf } from './problem.ts';
import { tableAnswer } from './table.ts';
import { trajectoryAnswer } from './trajectory.ts';

export function solutionOf(
  outputs: readonly KernelOutput<UnifiedFace>[],
  input: UnifiedInput,
  problem: Problem,
): Solution {
  const answer =
    problem.mode === 'ode'
      ? trajectoryAnswer(outputs, input, problem)
      : tableAnswer(outputOf(outputs, 0), input, problem);
  const { end: _, errorOf: __, notes, ...parts } = answer;
  return {
    ...parts,
    ...operatorResults(problem, answer),
    functional: answer.value,
    notes: [...problem.notes, ...notes],
  };
}

/** Results of the laws in the order of computation, the value last, and the inputs of the laws. */
function operatorResults(
  problem: Problem,
  { value: headlineValue, uncertainty, end: values, errorOf }: Answer,
): Pick<Solution, 'results' | 'operatorInputs'> {
  const laws = lawsInOrder(problem);
  const [symbol = ''] = problem.outputs;
  const headline = { value: headlineValue, unit: scaleOf(problem, symbol).unit, uncertainty };
  const origin = laws.find(({ output }) => output.symbol === symbol);
  const others = laws
    .filter((law) => law !== origin)
    .map(({ id, output }) => {
      const scale = scaleOf(problem, output.symbol);
      const value = scale.fromCoherent(values.get(output.symbol) ?? Number.NaN);
      return { operator_id: id, value, unit: scale.unit, uncertainty: errorOf(output.symbol).uncertainty };
    });
  return {
    // The value is the last result. A law names it only if the law's own expression computed it.
    results: [...others, { operator_id: origin?.id ?? problem.ownId, ...headline }],
    operatorInputs: Object.fromEntries(laws.map((law) => [law.id, inputsOf(law, values)])),
  };
}

/** Inputs of a law, in the units that it declares. */
function inputsOf(law: Law, values: ReadonlyMap<string, number>): Record<string, number> {
  const { outerNames } = lawLine(law, (name) => values.has(name));
  return Object.fromEntries(
    Object.entries(law.inputs).map(([name, { unit }]) => {
      const lawUnit = parseUnit(unit);
      const value = values.get(outerNames.get(name) ?? name) ?? Number.NaN;
      return [name, conversion(coherentUnit(lawUnit), lawUnit)(value)];
    }),
  );
}

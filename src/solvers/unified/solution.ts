// Builds the solution from the kernel outputs: the answer of a table or a trajectory, and the results of its laws.

import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Law, Solution } from '../definition.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Answer, Spread } from './answer.ts';
import type { UnifiedFace } from './face.ts';
import type { UnifiedInput } from './inputs.ts';
import { lawLine } from './lines.ts';
import { lawsInOrder, type Problem, scaleOf } from './problem.ts';
import { tableAnswer, tableEnd } from './table.ts';
import { trajectoryAnswer, trajectoryEnd } from './trajectory.ts';
import { contributionsOf, type Variant, type VariedSource } from './variants.ts';

export function solutionOf(
  outputs: readonly KernelOutput<UnifiedFace>[],
  input: UnifiedInput,
  problem: Problem,
  sources: readonly VariedSource[],
): Solution {
  const own = problem.mode === 'ode' ? 2 : 1;
  const spread = spreadOf(outputs, input, problem, sources, own);
  const answer =
    problem.mode === 'ode'
      ? trajectoryAnswer(outputs.slice(0, own), input, problem, spread)
      : tableAnswer(outputOf(outputs, 0), input, problem, spread);
  const { end: _, errorOf: __, notes, ...parts } = answer;
  return {
    ...parts,
    ...operatorResults(problem, answer),
    functional: answer.value,
    notes: [...problem.notes, ...notes],
  };
}

type End = Pick<ReturnType<typeof trajectoryEnd>, 'values' | 'firstTime'>;

/** The ends of all variants beside that of the main run. @param own  number of its own runs */
function spreadOf(
  outputs: readonly KernelOutput<UnifiedFace>[],
  input: UnifiedInput,
  problem: Problem,
  sources: readonly VariedSource[],
  own: number,
): Spread {
  if (sources.length === 0) return { ofSymbol: () => [], ofEvent: () => [] };
  const endOf = (at: number, variant: Variant): End =>
    variant.problem.mode === 'ode'
      ? trajectoryEnd(outputOf(outputs, at), variant.input, variant.problem)
      : { values: tableEnd(outputOf(outputs, at), variant.input, variant.problem), firstTime: () => undefined };
  const [from, to] = problem.span;
  const main = endOf(0, { input, problem });
  let at = own;
  const varied = sources.map((source) => ({ source, ends: source.sides.map((side) => endOf(at++, side)) }));
  const contributions = (symbol: string, read: (end: End) => number | undefined) => {
    const { fromCoherent } = scaleOf(problem, symbol);
    const inUnit = (end: End) => fromCoherent(read(end) ?? Number.NaN);
    return contributionsOf(
      inUnit(main),
      varied.map(({ source, ends }) => ({ source, values: ends.map(inUnit) })),
    );
  };
  return {
    ofSymbol: (symbol) => contributions(symbol, ({ values }) => values.get(symbol)),
    // An event that does not happen on one side may be anywhere.
    ofEvent: (event) => contributions('t', ({ firstTime }) => firstTime(event) ?? 2 * to - from),
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

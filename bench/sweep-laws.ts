// Every law: CPU time of 10,000 points and of one result with 100,000 samples, sealed. Laws with a sum, which are planned
// point by point, are left out.
//
//   node bench/sweep-laws.ts

import { compileOperator } from '../src/operators/evaluate.ts';
import { OPERATORS } from '../src/operators/load.ts';
import { type Operator, PULSE_OPERATOR } from '../src/operators/operator.ts';
import type { ComputeRequest } from '../src/protocol/compute-request.ts';
import { compute, envelopeOf } from '../test/protocol/sealed-case.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

const ROUNDS = 4;
const POINTS = 10_000;
/** Relative standard deviation: for most laws the first order is then not enough. */
const DEVIATION = 0.4;

/** Minimum of several rounds, in ms; undefined where the law has no answer, or none by samples that are asked for. */
async function best(request: ComputeRequest): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const begin = process.cpuUsage();
      const envelope = envelopeOf(await compute(request));
      const { user, system } = process.cpuUsage(begin);
      const isDrawn = envelope.uncertainty_budget.some(({ source }) => source === 'propagation');
      if (request.uncertainties !== undefined && !isDrawn) return undefined;
      least = Math.min(least, (user + system) / 1e3);
    }
  } catch {
    return undefined;
  }
  return least;
}

/** Inputs of the first example that may have any value. */
function freeInputs({ examples, inputs }: Operator): readonly (readonly [string, number])[] {
  return Object.entries(examples[0]?.inputs ?? {}).filter(([symbol, value]) => {
    const { integer, enum: allowed } = inputs[symbol] ?? {};
    return value !== 0 && integer !== true && allowed === undefined;
  });
}

const swept: [string, number][] = [];
const sampled: [string, number][] = [];
for (const law of OPERATORS.values()) {
  const [first] = freeInputs(law);
  if (law.id === PULSE_OPERATOR || first === undefined || compileOperator(law).hasSum) continue;
  const inputs = law.examples[0]?.inputs ?? {};
  const [symbol, value] = first;
  const { [symbol]: _, ...rest } = inputs;
  const sweep = { [symbol]: { from: value, to: 0.999 * value, count: POINTS } };
  const uncertainties = Object.fromEntries(freeInputs(law).map(([key, one]) => [key, DEVIATION * Math.abs(one)]));
  const points = await best({ domain: law.id, inputs: rest, sweep });
  const samples = await best({ domain: law.id, inputs, uncertainties });
  if (points !== undefined) swept.push([law.id, points]);
  if (samples !== undefined) sampled.push([law.id, samples]);
}

printHead('every law, CPU ms, sealed', 'laws', 'least', 'median', 'largest', 'above the target', 'target');
for (const [name, all, target] of [
  ['10,000 points', swept, 30],
  ['100,000 samples', sampled, 100],
] as const) {
  const sorted = all.toSorted(([, a], [, b]) => a - b);
  const at = (index: number) => sorted[index] ?? ['', Number.NaN];
  const [largest, most] = at(sorted.length - 1);
  const above = sorted.filter(([, ms]) => ms > target).length;
  const [least, median] = [at(0)[1], at(sorted.length >> 1)[1]];
  printRow(
    name,
    String(sorted.length),
    fixed(least, 1),
    fixed(median, 1),
    `${fixed(most, 1)} (${largest})`,
    String(above),
    `≤ ${target}`,
  );
}

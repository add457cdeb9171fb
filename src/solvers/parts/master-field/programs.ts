// The couplings that a request asks for, as byte code of the expression machine.

import { didYouMean } from '../../../core/nearest.ts';
import { assemble } from '../../../expressions/bytecode.ts';
import { parseExpression } from '../../../expressions/parse.ts';
import { validationError } from '../errors.ts';
import { COUPLINGS } from './couplings.ts';

const SLOTS = ['phi', 'dphi', 't'];
const MAX_WEIGHT = 1e9;

export interface CouplingPrograms {
  readonly ids: readonly string[];
  readonly weights: Float64Array;
  /** i32[count, 2]: where each begins in code and pool. */
  readonly programs: Int32Array;
  readonly code: Int32Array;
  readonly pool: Float64Array;
}

/**
 * @param settings   weights by the ids of the couplings, in any order; those of 0 are left out
 * @param normalise  weights whose magnitudes add up to more than 1 are divided by their sum
 * @throws DomainError VALIDATION_FAILED for an id that is no coupling, with the nearest ones
 */
export function couplingPrograms(settings: Readonly<Record<string, number>>, normalise: boolean): CouplingPrograms {
  const code: number[] = [];
  const pool: number[] = [];
  const programs: number[] = [];
  const ids: string[] = [];
  const weights: number[] = [];
  for (const [id, weight] of Object.entries(settings)) checkSetting(id, weight);
  // In the order of the table: the sum of the couplings has the same bits whatever the order of the keys.
  for (const [id, { equation, where = {}, defaults }] of Object.entries(COUPLINGS)) {
    const weight = Object.hasOwn(settings, id) ? settings[id] : undefined;
    if (weight === undefined || weight === 0) continue;
    const constants = Object.entries(defaults).map(([name, value]) => ({
      name,
      expression: { kind: 'number', value, start: 0, end: 0 } as const,
    }));
    const named = Object.entries(where).map(([name, text]) => ({ name, expression: parseExpression(text) }));
    const program = assemble(parseExpression(equation), SLOTS, [...constants, ...named]);
    programs.push(code.length, pool.length);
    code.push(...program.code);
    pool.push(...program.pool);
    ids.push(id);
    weights.push(weight);
  }
  const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0);
  const divisor = normalise && sum > 1 ? sum : 1;
  return {
    ids,
    weights: Float64Array.from(weights, (weight) => weight / divisor),
    programs: Int32Array.from(programs),
    code: Int32Array.from(code),
    pool: Float64Array.from(pool),
  };
}

function checkSetting(id: string, weight: number): void {
  if (!Object.hasOwn(COUPLINGS, id)) {
    const hint = id === 'KO42' ? ' KO42 is the pulse, which has no weight.' : didYouMean(id, Object.keys(COUPLINGS));
    throw validationError(
      'koSettings',
      `koSettings names ${JSON.stringify(id.slice(0, 40))}; KO1 to KO41 are couplings.${hint}`,
      'OPERATOR_UNKNOWN',
    );
  }
  if (!(Math.abs(weight) <= MAX_WEIGHT)) {
    const message = `koSettings.${id} is ${weight}; expected −${MAX_WEIGHT} to ${MAX_WEIGHT}.`;
    throw validationError(`koSettings.${id}`, message, 'OUT_OF_RANGE');
  }
}

// Restores the computation that a receipt describes. If that is impossible, the result is a difference and not an
// error.

import { z } from 'zod';
import { Definition, type SealedDefinition } from '../operators/definition.ts';
import { compileOperator } from '../operators/evaluate.ts';
import type { Given } from '../operators/given.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import { bindComputation } from './chain-request.ts';
import { type Computation, solverComputation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { refusedBy } from './outcome.ts';
import type { PointSet } from './sweep/axes.ts';
import { bindLawSweep } from './sweep/law-sweep.ts';
import { PointFieldsShape, pointsOf } from './sweep/points.ts';
import { solverSweep, withoutSwept } from './sweep/solver-sweep.ts';
import type { ResultShape } from './untrusted.ts';

/**
 * @param stored  the envelope as it arrived, whose values are reported
 * @param signed  the envelope as the seal signs it, whose values are computed with
 */
export function restoreComputation(
  solver: SolverDefinition | undefined,
  stored: ResultShape,
  signed: ResultShape,
): Computation | Difference {
  // −0 and 0 have the same signature, but a law with −0 is not the text that was signed.
  const unsigned = compare(stored.definitions, signed.definitions, 'definitions');
  if (unsigned) return unsigned;
  return solver ? solverCase(solver, stored, signed) : chainCase(stored, signed);
}

function solverCase(solver: SolverDefinition, stored: ResultShape, signed: ResultShape): Computation | Difference {
  const definitions = readDefinitions(signed.definitions);
  if ('field' in definitions) return definitions;
  const points = readPoints(stored, signed);
  if (points !== undefined && 'field' in points) return points;
  const inputs = points === undefined ? solver.inputs : withoutSwept(solver, points);
  const parsed = inputs.safeParse(signed.inputs);
  if (!parsed.success) return inputDifference(parsed.error.issues[0], stored.inputs);
  const ids = definitions.map(({ id }) => id);
  try {
    const solved = { input: parsed.data, consts: signed.consts, definitions };
    const computation = points === undefined ? solverComputation(solver, solved) : solverSweep(solver, solved, points);
    return compare(ids, computation.operatorChain, 'definitions') ?? computation;
  } catch (error) {
    return refusedBy(error, 'inputs', stored.inputs);
  }
}

/** Names the input that this version refuses or no longer has. */
function inputDifference(issue: z.core.$ZodIssue | undefined, stored: ResultShape['inputs']): Difference {
  const [gone] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...(issue?.path ?? []), ...(gone === undefined ? [] : [gone])].join('.');
  const recomputed = gone === undefined ? 'inputs that the solver accepts' : 'no input of this name in this version';
  return { field: path ? `inputs.${path}` : 'inputs', stored, recomputed };
}

/** Binds the definitions of the receipt to its inputs again. */
function chainCase(stored: ResultShape, signed: ResultShape): Computation | Difference {
  const definitions = readDefinitions(signed.definitions);
  if ('field' in definitions) return definitions;
  if (definitions[0]?.id !== PULSE_OPERATOR || definitions.length < 2 || definitions.length > MAX_CHAIN_LENGTH) {
    return { field: 'definitions', stored: stored.definitions, recomputed: 'KO42 and one to three operators' };
  }
  const fields = ChainFields.safeParse(signed);
  if (!fields.success) {
    const field = fields.error.issues[0]?.path.join('.') ?? '';
    return { field, stored: stored[field.split('.')[0] ?? ''], recomputed: 'what /api/svc/compute takes' };
  }
  const points = readPoints(stored, signed);
  if (points !== undefined && 'field' in points) return points;
  const { inputs, units = {}, uncertainties = {}, detail, as, domain, solve_for: solveFor } = fields.data;
  const given: Given = { inputs, consts: signed.consts, units, uncertainties };
  const request = { domain, definitions, given, detail, as };
  try {
    const single = { ...request, solveFor };
    const bound = points === undefined ? bindComputation(single) : bindLawSweep({ ...single, points });
    if (bound.kind === 'gate')
      return { field: 'inputs', stored: stored.inputs, recomputed: `a gate: ${bound.gate.reason}` };
    return bound.computation;
  } catch (error) {
    return refusedBy(error, 'inputs', stored.inputs);
  }
}

/** The points of a sweep or of samples; undefined for one result. */
function readPoints(stored: ResultShape, signed: ResultShape): PointSet | undefined | Difference {
  const field = signed.sweep === undefined ? 'samples' : 'sweep';
  if (signed[field] === undefined) return undefined;
  const parsed = PointFieldsShape.safeParse(signed);
  if (!parsed.success) return { field, stored: stored[field], recomputed: 'one or two swept inputs, or samples' };
  try {
    return pointsOf(parsed.data);
  } catch (error) {
    return refusedBy(error, field, stored[field]);
  }
}

/** Parses and compiles the definitions of a receipt, so that they are valid before they are used. */
function readDefinitions(stored: unknown): readonly SealedDefinition[] | Difference {
  const parsed = z.array(Definition).min(1).max(MAX_DEFINITIONS).safeParse(stored);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return { field: path ? `definitions.${path}` : 'definitions', stored, recomputed: 'definitions of operators' };
  }
  const definitions = parsed.data as readonly SealedDefinition[];
  try {
    for (const definition of definitions) {
      const { symbol } = compileOperator(definition).equation;
      if (symbol !== definition.output.symbol)
        return { field: 'definitions', stored, recomputed: `an equation for ${definition.output.symbol}` };
    }
  } catch (error) {
    return refusedBy(error, 'definitions', stored);
  }
  return definitions;
}

/** KO42 and all other kernel operators. */
const MAX_DEFINITIONS = 42;
/** KO42 and three of a domain. */
const MAX_CHAIN_LENGTH = 4;

const ChainFields = z.object({
  domain: z.string(),
  inputs: z.record(z.string(), z.number()),
  units: z.record(z.string(), z.string()).optional(),
  uncertainties: z.record(z.string(), z.number()).optional(),
  detail: z.literal('full').optional(),
  as: z.string().optional(),
  solve_for: z.string().optional(),
});

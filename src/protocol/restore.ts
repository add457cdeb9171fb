// Restores the computation that a receipt describes. If that is impossible, the result is a difference and not an
// error.

import { z } from 'zod';
import { bindChain } from '../operators/bind.ts';
import { Definition, type SealedDefinition } from '../operators/definition.ts';
import { compileOperator } from '../operators/evaluate.ts';
import type { Given } from '../operators/given.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import { chainComputation } from './chain-computation.ts';
import { type Computation, solverComputation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { refusedBy } from './outcome.ts';
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
  const parsed = solver.inputs.safeParse(signed.inputs);
  if (!parsed.success) return inputDifference(parsed.error.issues[0], stored.inputs);
  const ids = definitions.map(({ id }) => id);
  try {
    const computation = solverComputation(solver, { input: parsed.data, consts: signed.consts, definitions });
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
  const { inputs, units = {}, uncertainties = {}, detail, as, domain } = fields.data;
  const given: Given = { inputs, consts: signed.consts, units, uncertainties };
  try {
    const bound = bindChain(definitions, given);
    if (bound.kind === 'gate')
      return { field: 'inputs', stored: stored.inputs, recomputed: `a gate: ${bound.gate.reason}` };
    return chainComputation({ domain, definitions, given, detail, as, bound: bound.chain });
  } catch (error) {
    return refusedBy(error, 'inputs', stored.inputs);
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
});

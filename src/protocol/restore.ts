// Restores the computation that a receipt describes. If that is impossible, the result is a difference and not an
// error.

import { z } from 'zod';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { bindChain } from '../operators/bind.ts';
import { Definition, type SealedDefinition } from '../operators/definition.ts';
import { compileOperator } from '../operators/evaluate.ts';
import type { Given } from '../operators/given.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import { chainComputation } from './chain-computation.ts';
import { type Computation, solverComputation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
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
  return solver ? solverCase(solver, stored, signed) : chainCase(stored, signed);
}

/**
 * Turns a refusal into a difference, since an honest receipt is never refused. Rethrows timeouts and exceeded budgets.
 */
export function refusedBy(error: unknown, field: string, stored: unknown): Difference {
  if (!(error instanceof DomainError) || ERROR_FORMS[error.code].status >= 499) throw error;
  return { field, stored, recomputed: `a refusal: ${error.message}` };
}

function solverCase(solver: SolverDefinition, stored: ResultShape, signed: ResultShape): Computation | Difference {
  const definitions = readDefinitions(signed.definitions);
  if ('field' in definitions) return definitions;
  const parsed = solver.inputs.safeParse(signed.inputs);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return {
      field: path ? `inputs.${path}` : 'inputs',
      stored: stored.inputs,
      recomputed: 'inputs that the solver accepts',
    };
  }
  const ids = definitions.map(({ id }) => id);
  try {
    const computation = solverComputation(solver, { input: parsed.data, consts: signed.consts, definitions });
    return compare(ids, computation.operatorChain, 'definitions') ?? computation;
  } catch (error) {
    return refusedBy(error, 'inputs', stored.inputs);
  }
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
  const { inputs, units = {}, uncertainties = {}, detail, domain, selection } = fields.data;
  const given: Given = { inputs, consts: signed.consts, units, uncertainties };
  try {
    const bound = bindChain(definitions, given);
    if (bound.kind === 'gate')
      return { field: 'inputs', stored: stored.inputs, recomputed: `a gate: ${bound.gate.reason}` };
    // Only the links are compared: the other reasons of the selection depend on the registry of that time.
    const { chain: _, ...found } = selection as unknown as SealedSelection;
    return chainComputation({ domain, definitions, given, detail, bound: bound.chain, selection: found });
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
  selection: z.record(z.string(), z.unknown()),
});

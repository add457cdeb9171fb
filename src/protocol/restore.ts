// From a receipt back to the computation that it tells of. What cannot be one is a difference, not a defect of ours.

import { z } from 'zod';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import { bindChain } from '../operators/bind.ts';
import { Definition, type SealedDefinition } from '../operators/definition.ts';
import { compileOperator } from '../operators/evaluate.ts';
import type { Given } from '../operators/given.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { SolverDefinition } from '../solvers/solver.ts';
import { chainComputation } from './chain-computation.ts';
import { type Computation, solverComputation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import type { Shaped } from './untrusted.ts';

/**
 * @param stored  as it came, for what is reported
 * @param signed  as the seal has signed it
 */
export function restoreComputation(
  solver: SolverDefinition | undefined,
  stored: Shaped,
  signed: Shaped,
): Computation | Difference {
  return solver ? solverCase(solver, stored, signed) : chainCase(stored, signed);
}

/** An honest receipt would not have been refused, so a refusal is a difference. Time and budget are not. */
export function refusedBy(error: unknown, field: string, stored: unknown): Difference {
  if (!(error instanceof DomainError) || ERROR_FORMS[error.code].status >= 499) throw error;
  return { field, stored, recomputed: `a refusal: ${error.message}` };
}

function solverCase(solver: SolverDefinition, stored: Shaped, signed: Shaped): Computation | Difference {
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

/** The chain as the receipt tells it: its own definitions, bound again to its own inputs. */
function chainCase(stored: Shaped, signed: Shaped): Computation | Difference {
  const definitions = readDefinitions(signed.definitions);
  if ('field' in definitions) return definitions;
  if (definitions[0]?.id !== PULSE_OPERATOR || definitions.length < 2 || definitions.length > LONGEST_CHAIN) {
    return { field: 'definitions', stored: stored.definitions, recomputed: 'KO42 and one to three operators' };
  }
  const asked = Asked.safeParse(signed);
  if (!asked.success) {
    const field = asked.error.issues[0]?.path.join('.') ?? '';
    return { field, stored: stored[field.split('.')[0] ?? ''], recomputed: 'what /api/svc/compute takes' };
  }
  const { inputs, units = {}, uncertainties = {}, detail, domain, selection } = asked.data;
  const given: Given = { inputs, consts: signed.consts, units, uncertainties };
  try {
    const bound = bindChain(definitions, given);
    if (bound.kind === 'gate')
      return { field: 'inputs', stored: stored.inputs, recomputed: `a gate: ${bound.gate.reason}` };
    // Compared with nothing but the links: why an operator was chosen, only the registry of then knew.
    const { chain: _, ...found } = selection as unknown as SealedSelection;
    return chainComputation({ domain, definitions, given, detail, bound: bound.chain, selection: found });
  } catch (error) {
    return refusedBy(error, 'inputs', stored.inputs);
  }
}

/** Every receipt carries the definitions of its chain. They must mean something before anything is done with them. */
function readDefinitions(stored: unknown): readonly SealedDefinition[] | Difference {
  const parsed = z.array(Definition).min(1).max(MOST_DEFINITIONS).safeParse(stored);
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

/** KO42 and every other kernel operator. */
const MOST_DEFINITIONS = 42;
/** KO42 and three of a domain. */
const LONGEST_CHAIN = 4;

const Asked = z.object({
  domain: z.string(),
  inputs: z.record(z.string(), z.number()),
  units: z.record(z.string(), z.string()).optional(),
  uncertainties: z.record(z.string(), z.number()).optional(),
  detail: z.literal('full').optional(),
  selection: z.record(z.string(), z.unknown()),
});

// SELECT and BIND of a compute request: from a domain and quantities to a chain of operators that can be computed.

import { definitionOf } from '../operators/definition.ts';
import { type Domain, findDomain } from '../operators/find-domain.ts';
import type { Given } from '../operators/given.ts';
import { findOperator } from '../operators/load.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { type Selected, selectOperators } from '../operators/select.ts';
import { bindComputation, givenBy, type Quantities } from './chain-request.ts';
import type { Bound } from './computation.ts';

export interface ComputeRequest extends Quantities {
  /** Name, prefix or alias. */
  readonly domain: string;
  readonly operators?: readonly string[] | undefined;
  readonly detail?: 'full' | undefined;
  /** Unit or symbol of the output; see `Wish`. */
  readonly as?: string | undefined;
  /** The question in words. */
  readonly query?: string | undefined;
}

/**
 * Performs SELECT, and returns a function that performs BIND.
 *
 * @throws DomainError DOMAIN_UNKNOWN, OPERATOR_UNKNOWN, OPERATOR_AMBIGUOUS, VALIDATION_FAILED, UNIT_INVALID,
 *   UNIT_MISMATCH; BIND VALIDATION_FAILED,
 *   UNIT_INVALID, UNIT_MISMATCH
 */
export function selectComputation(request: ComputeRequest): () => Bound {
  const given = givenBy(request);
  const keys = [...new Set([...Object.keys(given.inputs), ...Object.keys(given.consts)])];
  const domain = findDomain(request.domain);
  const selected = selectOperators(domain, request.operators ?? [], {
    keys,
    units: given.units,
    as: request.as,
    query: request.query,
  });
  return () => bind(domain, selected, given, request.detail);
}

function bind(
  { name: domain }: Domain,
  { operators, selection, unit }: Selected,
  given: Given,
  detail: 'full' | undefined,
): Bound {
  const definitions = [findOperator(PULSE_OPERATOR), ...operators].map(definitionOf);
  return bindComputation({ domain, definitions, selection, given, detail, as: unit });
}

// SELECT and BIND of a compute request: from a domain and quantities to a chain of operators that can be computed.

import { definitionOf } from '../operators/definition.ts';
import { type Domain, findDomain } from '../operators/find-domain.ts';
import type { Given } from '../operators/given.ts';
import { findOperator, OPERATORS } from '../operators/load.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import { type Selected, selectOperators } from '../operators/select.ts';
import { bindComputation, givenBy, type Quantities } from './chain-request.ts';
import type { Bound } from './computation.ts';
import type { PointSet } from './sweep/axes.ts';
import { assertNoUnknown, type PointsRequest, requestedPoints, sharedBy } from './sweep/law-request.ts';
import { bindLawSweep } from './sweep/law-sweep.ts';

export interface ComputeRequest extends Quantities, PointsRequest {
  /** Name, prefix or alias of a domain, or the id of a law. */
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
 * @param tried  of a sweep, as `bindLawSweep`; by default all points
 * @throws DomainError DOMAIN_UNKNOWN, OPERATOR_UNKNOWN, OPERATOR_AMBIGUOUS, VALIDATION_FAILED, UNIT_INVALID,
 *   UNIT_MISMATCH; BIND VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH
 */
export function selectComputation(request: ComputeRequest, tried?: number): () => Bound {
  const given = givenBy(request);
  assertNoUnknown(request.solve_for, request);
  const points = requestedPoints(request, given);
  const keys = [...new Set([...Object.keys(given.inputs), ...Object.keys(given.consts), ...(points?.names ?? [])])];
  const law = OPERATORS.get(request.domain);
  const domain = findDomain(law?.prefix ?? request.domain);
  const named = request.operators ?? [];
  const selected = selectOperators(domain, law === undefined || named.length > 0 ? named : [law.id], {
    keys,
    units: given.units,
    as: request.as,
    query: request.query,
    solveFor: request.solve_for,
  });
  return () => bind(domain, selected, given, request, points, tried);
}

function bind(
  { name: domain }: Domain,
  { operators, selection, unit }: Selected,
  given: Given,
  { detail, solve_for: solveFor }: ComputeRequest,
  points: PointSet | undefined,
  tried: number | undefined,
): Bound {
  const definitions = [findOperator(PULSE_OPERATOR), ...operators].map(definitionOf);
  const request = { domain, definitions, selection, given, detail, as: unit };
  if (points === undefined) return bindComputation({ ...request, solveFor });
  return bindLawSweep({ ...request, solveFor, given: sharedBy(points, given), points }, tried);
}

// Laws whose results a solver takes as inputs: computed as the route `compute` does before the solver runs, then bound with
// the hash of their receipt, so that the answer follows from its inputs and each number from a receipt of its own.

import { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { singleLine } from '../core/text-schema.ts';
import { validationError } from './parts/errors.ts';

/** The result of a law, as an input. */
export const ComputedShape = z.strictObject({
  operator_id: singleLine(40),
  value: z.number(),
  unit: singleLine(LIMITS.unit.characters),
  uncertainty: z.number().min(0),
  converged: z.boolean(),
  receipt: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

export type Computed = z.output<typeof ComputedShape>;

/** A field for a computed result, which no form and no tool lists: the service writes it. */
export const computedField = () =>
  ComputedShape.optional().describe('Result of the domain; bound by the service').meta({ unit: '1', unlisted: true });

export interface LawRequest {
  /** Path of the part of the request that asks for it; empty for the whole. */
  readonly path: string;
  /** In words, for refusals: `Node 2`. */
  readonly label: string;
  readonly domain: string;
  readonly inputs: Readonly<Record<string, number>>;
}

type Fields = Readonly<Record<string, unknown>>;

export interface SolverLaws {
  /** What a request asks for, of fields that were not checked. @throws DomainError VALIDATION_FAILED */
  requests(body: Fields): readonly LawRequest[];
  /** The request with the results, one for each request; undefined where a domain has no inputs to compute with. */
  bind(body: Fields, results: readonly (Computed | undefined)[]): Fields;
  /** What bound inputs say was computed. */
  computed(input: Fields): readonly { readonly law: LawRequest; readonly computed: Computed }[];
}

/** Computes a law; undefined if there are no inputs, after a look at the domain. */
export type ComputeLaw = (law: LawRequest) => Promise<Computed | undefined>;

/**
 * The request with the results of its laws as inputs.
 *
 * @throws DomainError  as `compute`, naming the part of the request
 */
export async function withComputedLaws<Body extends Fields>(
  { laws }: { readonly laws?: SolverLaws },
  body: Body,
  compute: ComputeLaw,
): Promise<Body> {
  if (laws === undefined) return body;
  const requests = laws.requests(body);
  const settled = await Promise.allSettled(requests.map(compute));
  const results = settled.map((one, at) => {
    if (one.status === 'fulfilled') return one.value;
    throw namedRefusal(one.reason, requests[at]);
  });
  return laws.bind(body, results) as Body;
}

/** The refusal of a law, with the part of the request that asked for it. */
function namedRefusal(error: unknown, law: LawRequest | undefined): unknown {
  if (!(error instanceof DomainError) || law === undefined || law.path === '') return error;
  const { path, label } = law;
  const message = `${label}: ${error.message}`;
  const details =
    error.details.length === 0
      ? [{ path: `${path}.domain`, code: error.code, message }]
      : error.details.map((one) => ({ ...one, path: `${path}.${one.path}`, message: `${label}: ${one.message}` }));
  return new DomainError(error.code, message, { cause: error, details, facts: error.facts });
}

/** @throws DomainError VALIDATION_FAILED for a result that a caller gives */
export function assertNotGiven(field: string, value: unknown): void {
  if (value === undefined) return;
  throw validationError(field, `${field} is bound by the service from domain and inputs; leave it out.`, 'BOUND');
}

// API client of the operator registry: domains, operator summaries and full operators.

import type { ApiInput, ApiName, ApiOutput } from '../../client/client.ts';
import type { Operator, OperatorConstant } from '../../operators/operator.ts';
import type { RelatedLaw } from '../../operators/related.ts';
import { callApiAsVisitor } from '../session.ts';

export type SearchResult = ApiOutput<'operator.find'>;
export type OperatorSummary = SearchResult['rows'][number];

type Listing = ApiOutput<'operator.list'>;

/** All domains and their counts. */
export type DomainList = Exclude<Listing, { readonly prefix: string }>;
export type DomainSummary = DomainList['rows'][number];

/** One domain with its operators. */
export type DomainListing = Extract<Listing, { readonly prefix: string }>;

export interface FullOperator extends Operator {
  /** Name of the domain. */
  readonly domain: string;
  readonly constants: Readonly<Record<string, OperatorConstant>>;
  readonly related: readonly RelatedLaw[];
}

/** Limit of the search route. */
const MAX_HITS = 40;

/** Responses by call, kept until reload: the registry changes only with the node's version. */
const cache = new Map<string, Promise<unknown>>();

/** @throws DomainError from the node; Error if it does not respond */
async function callCached<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<ApiOutput<Name>> {
  const key = JSON.stringify([name, input]);
  const cached = cache.get(key);
  if (cached) return cached as Promise<ApiOutput<Name>>;
  const output = await callApiAsVisitor(name, input, signal);
  cache.set(key, Promise.resolve(output));
  return output;
}

export const listDomains = () => callCached('operator.list', {}) as Promise<DomainList>;

export const getDomain = (prefix: string) => callCached('operator.list', { domain: prefix }) as Promise<DomainListing>;

export const searchOperators = (term: string, signal: AbortSignal) =>
  callCached('operator.find', { term, limit: MAX_HITS }, signal);

export const getOperator = async (id: string): Promise<FullOperator> =>
  (await callCached('operator.get', { id })).operator;

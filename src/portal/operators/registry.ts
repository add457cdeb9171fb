// API client of the operator registry: domains, operator summaries and full operators.

import type { Operator, OperatorConstant } from '../../operators/operator.ts';
import { callApi, currentKey } from '../session.ts';

export interface DomainSummary {
  readonly prefix: string;
  readonly name: string;
  readonly operators: number;
  /** Number of planned operators. */
  readonly budget: number;
  readonly complete: boolean;
}

export interface DomainList {
  readonly count: number;
  readonly operators: number;
  readonly budget: number;
  readonly rows: readonly DomainSummary[];
}

export interface OperatorSummary extends Pick<Operator, 'id' | 'name' | 'prefix' | 'tier' | 'equation' | 'where'> {
  readonly domain: string;
  /** Units by input symbol. */
  readonly accepted: Readonly<Record<string, string>>;
  readonly output: { readonly symbol: string; readonly unit: string };
}

export interface DomainListing extends DomainSummary {
  readonly description: string;
  readonly rows: readonly OperatorSummary[];
}

export interface SearchResult {
  readonly count: number;
  readonly total: number;
  /** Unknown search words and their replacements. */
  readonly read_as?: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly OperatorSummary[];
}

export interface FullOperator extends Operator {
  /** Name of the domain. */
  readonly domain: string;
  readonly constants: Readonly<Record<string, OperatorConstant>>;
}

/** Limit of the search route. */
const MAX_HITS = 40;
const ROUTE = '/api/svc/operators';

/** Responses by path, kept until reload: the registry changes only with the node's version. */
const cache = new Map<string, Record<string, unknown>>();

/** @throws DomainError from the node; Error if it does not respond */
async function getCached<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const cached = cache.get(path);
  if (cached) return cached as Body;
  const apiKey = currentKey.value;
  const body = await callApi('GET', path, { ...(apiKey && { key: apiKey.key }), ...(signal && { signal }) });
  cache.set(path, body);
  return body as Body;
}

export const listDomains = () => getCached<DomainList>(ROUTE);

export const getDomain = (prefix: string) => getCached<DomainListing>(`${ROUTE}?domain=${encodeURIComponent(prefix)}`);

export const searchOperators = (term: string, signal: AbortSignal) =>
  getCached<SearchResult>(`${ROUTE}/search?term=${encodeURIComponent(term)}&limit=${MAX_HITS}`, signal);

export async function getOperator(id: string): Promise<FullOperator> {
  const { operator } = await getCached<{ readonly operator: FullOperator }>(`${ROUTE}/${encodeURIComponent(id)}`);
  return operator;
}

// The registry as this node answers it: domains with their counts, operators in short, and one in full.

import type { Operator, OperatorConstant } from '../../operators/operator.ts';
import { ask, key } from '../session.ts';

export interface DomainRow {
  readonly prefix: string;
  readonly name: string;
  readonly operators: number;
  /** How many there are when it is complete. */
  readonly budget: number;
  readonly complete: boolean;
}

export interface Domains {
  readonly count: number;
  readonly operators: number;
  readonly budget: number;
  readonly rows: readonly DomainRow[];
}

export interface Summary extends Pick<Operator, 'id' | 'name' | 'prefix' | 'tier' | 'equation' | 'where'> {
  readonly domain: string;
  /** Keys of inputs and their units. */
  readonly accepted: Readonly<Record<string, string>>;
  readonly output: { readonly symbol: string; readonly unit: string };
}

export interface DomainListing extends DomainRow {
  readonly description: string;
  readonly rows: readonly Summary[];
}

export interface Found {
  readonly count: number;
  readonly total: number;
  /** Words that occur nowhere, and what was looked for instead. */
  readonly read_as?: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly Summary[];
}

export interface FullOperator extends Operator {
  /** Its name. */
  readonly domain: string;
  readonly constants: Readonly<Record<string, OperatorConstant>>;
}

/** As many as the route gives at once. */
const MOST_HITS = 40;
const ROUTE = '/api/svc/operators';

/** What was answered stays for the visit: a registry changes with the node's version. */
const answers = new Map<string, Record<string, unknown>>();

/** @throws DomainError as the node refuses; Error if it does not answer */
async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const known = answers.get(path);
  if (known) return known as Answer;
  const mine = key.value;
  const answer = await ask('GET', path, { ...(mine && { key: mine.key }), ...(signal && { signal }) });
  answers.set(path, answer);
  return answer as Answer;
}

export const readDomains = () => read<Domains>(ROUTE);

export const readDomain = (prefix: string) => read<DomainListing>(`${ROUTE}?domain=${encodeURIComponent(prefix)}`);

export const findOperators = (term: string, signal: AbortSignal) =>
  read<Found>(`${ROUTE}/search?term=${encodeURIComponent(term)}&limit=${MOST_HITS}`, signal);

export async function readOperator(id: string): Promise<FullOperator> {
  const { operator } = await read<{ readonly operator: FullOperator }>(`${ROUTE}/${encodeURIComponent(id)}`);
  return operator;
}

// The domains of the registry, found by prefix, name or alias.

import { DomainError } from '../core/errors.ts';
import { rankedNames } from '../core/nearest.ts';
import { DOMAIN_ALIASES } from './aliases.ts';
import { OPERATORS } from './load.ts';
import type { Operator } from './operator.ts';
import OWN_LAWS from './own-laws.json' with { type: 'json' };
import WORKLIST from './worklist.json' with { type: 'json' };
import { type OwnLaws, type Worklist, withOwnLaws } from './worklist.ts';

export interface Domain {
  readonly prefix: string;
  readonly name: string;
  readonly description: string;
  readonly aliases: readonly string[];
  /** Number of operators of the complete domain. */
  readonly budget: number;
  /** Names of all laws of the worklist, the reserve included. */
  readonly laws: readonly string[];
  readonly operators: readonly Operator[];
  /** Names of the laws of the worklist that have no operator. */
  readonly unwritten?: readonly string[];
}

const CLOSED_LIST = withOwnLaws(WORKLIST as unknown as Worklist, OWN_LAWS as OwnLaws);

/** Every domain of the worklist, in its order. A domain without a file has no operators. */
export const DOMAINS: readonly Domain[] = CLOSED_LIST.domains.map(({ prefix, name, description, budget, laws }) => ({
  prefix,
  name,
  description,
  aliases: [...DOMAIN_ALIASES].filter(([, of]) => of === prefix).map(([alias]) => alias),
  budget,
  laws: Object.values(laws),
  operators: [...OPERATORS.values()].filter((operator) => operator.prefix === prefix),
  unwritten: Object.entries(laws).flatMap(([id, law]) => (OPERATORS.has(id) ? [] : [law])),
}));

const BY_PREFIX: ReadonlyMap<string, Domain> = new Map(DOMAINS.map((domain) => [domain.prefix, domain]));

/** Ignores case and the characters between words. */
const foldedName = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

const BY_NAME: ReadonlyMap<string, Domain> = new Map(
  [
    ...DOMAIN_ALIASES,
    ...DOMAINS.flatMap(({ prefix, name }) => [
      [name, prefix],
      [prefix, prefix],
    ]),
  ].flatMap(([name = '', prefix = '']) => {
    const domain = BY_PREFIX.get(prefix);
    return domain === undefined ? [] : [[foldedName(name), domain]];
  }),
);

/** Whether a text is the prefix, name or alias of this domain. */
export function isNamed(domain: Domain, text: string): boolean {
  return BY_NAME.get(foldedName(text)) === domain;
}

/** Whether a text is the prefix, name or alias of a domain. */
export function isDomainName(text: string): boolean {
  return BY_NAME.has(foldedName(text));
}

const NEAREST = 3;

/**
 * @param text  name, prefix or alias of a domain
 * @throws DomainError DOMAIN_UNKNOWN with the three nearest
 */
export function findDomain(text: string): Domain {
  const found = BY_NAME.get(foldedName(text));
  if (found) return found;
  const nearest = nearestDomains(text).map(({ prefix, name }) => ({ prefix, name }));
  const listed = listNearestDomains(text);
  throw new DomainError('DOMAIN_UNKNOWN', `There is no domain ${JSON.stringify(text)}; the nearest are ${listed}.`, {
    details: [{ path: 'domain', code: 'UNKNOWN', message: `One of ${listed} may be meant.` }],
    facts: { nearest },
  });
}

/** The three nearest domains as part of a sentence: names with prefixes. */
export function listNearestDomains(text: string): string {
  return nearestDomains(text)
    .map(({ prefix, name }) => `${name} (${prefix})`)
    .join(', ');
}

/** By the number of shared word prefixes, then by edit distance. */
function nearestDomains(text: string): readonly Domain[] {
  const wanted = foldedName(text);
  const words = wanted.split(' ').filter((word) => word.length >= 3);
  const shared = (name: string) => name.split(' ').filter((own) => words.some((word) => own.startsWith(word))).length;
  const names = rankedNames(wanted, BY_NAME.keys()).sort((a, b) => shared(b) - shared(a));
  const domains = names.flatMap((name) => BY_NAME.get(name) ?? []);
  return [...new Set(domains)].slice(0, NEAREST);
}

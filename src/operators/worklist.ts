// The closed list of the registry: the laws and the budget of each domain. worklist.json is the specification's;
// own-laws.json adds laws of the project by domain, and each raises the budget of its domain by one.

export interface Worklist {
  /** Prefixes of the domains that must be complete. Others may have operators missing. */
  readonly complete: readonly string[];
  readonly domains: readonly WorklistDomain[];
}

export interface WorklistDomain {
  readonly prefix: string;
  readonly name: string;
  readonly description: string;
  /** Number of operators of the complete domain. */
  readonly budget: number;
  /** Name by id, in the order in which they are written; laws beyond the budget are the reserve. */
  readonly laws: Readonly<Record<string, string>>;
}

/** Name by id, by prefix of the domain. An id of the reserve keeps its name. */
export type OwnLaws = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function withOwnLaws({ complete, domains }: Worklist, own: OwnLaws): Worklist {
  return {
    complete,
    domains: domains.map((domain) => {
      const added = Object.hasOwn(own, domain.prefix) ? (own[domain.prefix] ?? {}) : {};
      return {
        ...domain,
        budget: domain.budget + Object.keys(added).length,
        laws: { ...domain.laws, ...added },
      };
    }),
  };
}

export function budgetOf({ domains }: Worklist): number {
  return domains.reduce((total, { budget }) => total + budget, 0);
}

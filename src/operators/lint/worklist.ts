// The closed list of the registry, src/operators/worklist.json: the laws and the budget of each domain.

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

export function budgetOf({ domains }: Worklist): number {
  return domains.reduce((total, { budget }) => total + budget, 0);
}

// The closed list of the registry, src/operators/worklist.json: what may be in it, and how much of it.

export interface Worklist {
  /** Prefixes of the domains that must stand complete. Any other may still be open. */
  readonly complete: readonly string[];
  readonly domains: readonly WorklistDomain[];
}

export interface WorklistDomain {
  readonly prefix: string;
  readonly name: string;
  readonly description: string;
  /** How many of the laws are in the registry when the domain is complete. */
  readonly budget: number;
  /** Name by id, in the order in which they are to be written; those beyond the budget are the reserve. */
  readonly laws: Readonly<Record<string, string>>;
}

export function budgetOf({ domains }: Worklist): number {
  return domains.reduce((total, { budget }) => total + budget, 0);
}

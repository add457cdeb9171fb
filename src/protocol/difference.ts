// The first difference between two envelopes, bit for bit.

export interface Difference {
  /** A path such as `series[1].data[17]`. */
  readonly field: string;
  readonly stored: unknown;
  readonly recomputed: unknown;
}

/**
 * Finds the first difference in the order of `recomputed`, then names that only `stored` has. Compares numbers by bits.
 */
export function compare(stored: unknown, recomputed: unknown, path: string): Difference | undefined {
  if (typeof recomputed !== 'object' || recomputed === null || typeof stored !== 'object' || stored === null) {
    return Object.is(stored, recomputed) ? undefined : { field: path, stored, recomputed };
  }
  if (Array.isArray(recomputed) !== Array.isArray(stored)) return { field: path, stored, recomputed };
  const isArray = Array.isArray(recomputed);
  const at = (name: string) => (isArray ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  const before = stored as Record<string, unknown>;
  const after = recomputed as Record<string, unknown>;
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) return { field: at(name), stored: undefined, recomputed: after[name] };
    const difference = compare(before[name], after[name], at(name));
    if (difference) return difference;
  }
  const extra = Object.keys(before).find((name) => !Object.hasOwn(after, name));
  return extra === undefined ? undefined : { field: at(extra), stored: before[extra], recomputed: undefined };
}

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
  return compareBy(stored, recomputed, path, 'all');
}

/**
 * As `compare`, but only what `stored` has: fields that came later are no difference, and elements of lists belong
 * together by their `name` or `operator_id`.
 */
export function compareStored(stored: unknown, recomputed: unknown, path: string): Difference | undefined {
  return compareBy(stored, recomputed, path, 'stored');
}

type Extent = 'all' | 'stored';

function compareBy(stored: unknown, recomputed: unknown, path: string, extent: Extent): Difference | undefined {
  if (typeof recomputed !== 'object' || recomputed === null || typeof stored !== 'object' || stored === null) {
    return Object.is(stored, recomputed) ? undefined : { field: path, stored, recomputed };
  }
  if (Array.isArray(recomputed) !== Array.isArray(stored)) return { field: path, stored, recomputed };
  if (extent === 'stored' && Array.isArray(stored) && Array.isArray(recomputed) && isNamed(recomputed))
    return compareNamed(stored, recomputed, path);
  const isArray = Array.isArray(recomputed);
  const at = (name: string) => (isArray ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  const before = stored as Record<string, unknown>;
  const after = recomputed as Record<string, unknown>;
  const isPartial = extent === 'stored' && !isArray;
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) {
      if (isPartial) continue;
      return { field: at(name), stored: undefined, recomputed: after[name] };
    }
    const difference = compareBy(before[name], after[name], at(name), extent);
    if (difference) return difference;
  }
  const extra = Object.keys(before).find((name) => !Object.hasOwn(after, name));
  return extra === undefined ? undefined : { field: at(extra), stored: before[extra], recomputed: undefined };
}

/** Elements of the same name belong together in order, since a chain may use an operator twice. */
function compareNamed(
  stored: readonly unknown[],
  recomputed: readonly unknown[],
  path: string,
): Difference | undefined {
  const rest = new Map<string, unknown[]>();
  for (const one of recomputed) rest.set(nameOf(one) ?? '', [...(rest.get(nameOf(one) ?? '') ?? []), one]);
  for (const [index, one] of stored.entries()) {
    const found = rest.get(nameOf(one) ?? '')?.shift();
    const field = `${path}[${index}]`;
    if (found === undefined) return { field, stored: one, recomputed: undefined };
    const difference = compareBy(one, found, field, 'stored');
    if (difference) return difference;
  }
  return undefined;
}

const isNamed = (list: readonly unknown[]) => list.length > 0 && list.every((one) => nameOf(one) !== undefined);

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, operator_id } = value as { readonly name?: unknown; readonly operator_id?: unknown };
  const text = name ?? operator_id;
  return typeof text === 'string' ? text : undefined;
}

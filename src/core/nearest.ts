// The nearest names to a misspelt one, for error messages.

/** Levenshtein distance, ignoring case. O(a · b). */
function editDistance(a: string, b: string): number {
  const source = a.toLowerCase();
  const target = b.toLowerCase();
  let row = Array.from({ length: target.length + 1 }, (_, j) => j);
  for (let i = 1; i <= source.length; i++) {
    const next = [i];
    for (let j = 1; j <= target.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (source[i - 1] === target[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitute));
    }
    row = next;
  }
  return row[target.length] ?? 0;
}

/** Longer names are not compared: nobody mistypes a name of this length into another. */
const MAX_NAME = 64;

/**
 * Up to `count` of `names`, nearest first; ties in the order given. Names further away than half the longer
 * length are left out: a wild guess helps nobody.
 */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  if (wanted.length > MAX_NAME) return [];
  return [...names]
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ name, distance }) => distance <= Math.max(name.length, wanted.length) / 2)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** "Did you mean x?" with a leading space, or nothing. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const [best] = nearestNames(wanted, names, 1);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}

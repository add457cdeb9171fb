// Suggests the nearest names to a misspelt name, for error messages.

/**
 * Edit distance: the minimum number of insertions, deletions, substitutions and swaps of neighbours; `max + 1` if it is
 * more than `max`. Each letter takes part once (optimal string alignment), as in Damerau (1964) Commun. ACM 7, 171.
 * O(a * b) time.
 */
export function editDistance(source: string, target: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(source.length - target.length) > max) return max + 1;
  let previousRow: number[] = [];
  let row: number[] = [];
  for (let j = 0; j <= target.length; j++) row.push(j);
  for (let i = 1; i <= source.length; i++) {
    const next = [i];
    let rowMin = i;
    for (let j = 1; j <= target.length; j++) {
      const isSame = source[i - 1] === target[j - 1];
      let edits = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && source[i - 1] === target[j - 2] && source[i - 2] === target[j - 1];
      if (isSwapped) edits = Math.min(edits, (previousRow[j - 2] ?? 0) + 1);
      next.push(edits);
      if (edits < rowMin) rowMin = edits;
    }
    // A swap uses the row before the previous one, but its result is never below the minimum of the row between.
    if (rowMin > max) return max + 1;
    previousRow = row;
    row = next;
  }
  return Math.min(row[target.length] ?? 0, max + 1);
}

/** Maximum length of compared names; longer names are not plausible typing errors. */
const MAX_NAME_LENGTH = 64;

/** All `names`, nearest first; ties in the given order. Compares only the start of an overlong `wanted`. */
export function rankedNames(wanted: string, names: Iterable<string>): string[] {
  return ranked(wanted.slice(0, MAX_NAME_LENGTH), names).map(({ name }) => name);
}

/**
 * Up to `count` of `names`, nearest first; ties in the given order. Omits names farther away than half the longer
 * length, which are not plausible.
 */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  if (wanted.length > MAX_NAME_LENGTH) return [];
  return ranked(wanted, names)
    .filter(({ name, distance }) => distance <= Math.max(name.length, wanted.length) / 2)
    .slice(0, count)
    .map(({ name }) => name);
}

function ranked(wanted: string, names: Iterable<string>): { readonly name: string; readonly distance: number }[] {
  const lowerCase = wanted.toLowerCase();
  return [...names]
    .map((name) => ({ name, distance: editDistance(lowerCase, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
}

/** "The nearest are x, y, z." with a leading space, at any distance; empty without names. */
export function nearestSuggestion(wanted: string, names: Iterable<string>, count = 3): string {
  const nearest = rankedNames(wanted, names).slice(0, count);
  return nearest.length === 0 ? '' : ` The nearest are ${nearest.join(', ')}.`;
}

/** "Did you mean x?" with a leading space, or empty. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const [best] = nearestNames(wanted, names, 1);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}

// The nearest names to a misspelt one, for error messages.

/**
 * The least number of letters put in, left out, changed or swapped with their neighbour that turn one text into the
 * other; `most + 1` if it is more than `most`. Each letter takes part once (optimal string alignment), as in
 * Damerau (1964) Commun. ACM 7, 171. O(a * b) time.
 */
export function editDistance(source: string, target: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(source.length - target.length) > most) return most + 1;
  let before: number[] = [];
  let row: number[] = [];
  for (let j = 0; j <= target.length; j++) row.push(j);
  for (let i = 1; i <= source.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= target.length; j++) {
      const isSame = source[i - 1] === target[j - 1];
      let edits = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && source[i - 1] === target[j - 2] && source[i - 2] === target[j - 1];
      if (isSwapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      next.push(edits);
      if (edits < least) least = edits;
    }
    // A swap reaches back two rows, but never to less than the row between them.
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(row[target.length] ?? 0, most + 1);
}

/** Longer names are not compared: nobody mistypes a name of this length into another. */
const MAX_NAME = 64;

/** All `names`, nearest first; ties in the order given. What is longer than any name is compared by its beginning. */
export function rankedNames(wanted: string, names: Iterable<string>): string[] {
  return ranked(wanted.slice(0, MAX_NAME), names).map(({ name }) => name);
}

/**
 * Up to `count` of `names`, nearest first; ties in the order given. Names further away than half the longer
 * length are left out: a wild guess helps nobody.
 */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  if (wanted.length > MAX_NAME) return [];
  return ranked(wanted, names)
    .filter(({ name, distance }) => distance <= Math.max(name.length, wanted.length) / 2)
    .slice(0, count)
    .map(({ name }) => name);
}

function ranked(wanted: string, names: Iterable<string>): { readonly name: string; readonly distance: number }[] {
  const folded = wanted.toLowerCase();
  return [...names]
    .map((name) => ({ name, distance: editDistance(folded, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
}

/** "The nearest are x, y, z." with a leading space, however far they are; or nothing where there are no names. */
export function theNearest(wanted: string, names: Iterable<string>, count = 3): string {
  const nearest = rankedNames(wanted, names).slice(0, count);
  return nearest.length === 0 ? '' : ` The nearest are ${nearest.join(', ')}.`;
}

/** "Did you mean x?" with a leading space, or nothing. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const [best] = nearestNames(wanted, names, 1);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}

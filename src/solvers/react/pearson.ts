// Pearson's classes of patterns of Gray–Scott, by the nearest published example.
//
// Pearson, Science 261 (1993) 189–192, figure 3, names twelve classes of patterns. Their regions meet along curves that
// he gives as a drawing only, so a class is that of the nearest example whose class somebody has printed, and a place
// far from all examples has none. The examples are those of Munafo's pages on the Gray–Scott model
// (mrob.com/pub/comp/xmorphia, "Categories" of F220-k510, F460-k610, F820-k590, F500-k650) and of a pattern file of
// the program Ready (0.04, 0.06).

/** Class, feed rate and removal rate of an example. */
const EXAMPLES = [
  ['gamma: stripes that oscillate and break', 0.022, 0.051],
  ['theta: negative worms', 0.04, 0.06],
  ['theta: negative worms', 0.046, 0.061],
  ['theta: negative worms', 0.082, 0.059],
  ['mu: worms that grow at their ends', 0.05, 0.065],
] as const;

/** Distance from an example in k beyond which no class is named; F counts a third, as the regions are that much longer. */
const NEAR = 0.002;

/** The class in words; nothing if no example is near. */
export function pearsonNote(F: number, k: number): readonly string[] {
  const distances = EXAMPLES.map(([name, f, removal]) => ({
    name,
    distance: Math.max(Math.abs(F - f) / 3, Math.abs(k - removal)),
  }));
  const [first = { name: '', distance: Number.POSITIVE_INFINITY }] = distances.sort((p, q) => p.distance - q.distance);
  return first.distance > NEAR ? [] : [`Nearest example of Pearson's classes: ${first.name}.`];
}

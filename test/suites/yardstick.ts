// Processor time of a piece of work as a multiple of a fixed one that is measured beside it. A bound in milliseconds
// would be a bound on the machine: it fails on a slow or busy one and hides a loss on a fast one.

/** About a millisecond of the work that text goes through: numbers to strings, a map of them, a sort. */
function yardstick(): number {
  const counts = new Map<string, number>();
  let state = 1;
  for (let i = 0; i < 4_000; i++) {
    state = (state * 48_271) % 2_147_483_647;
    const key = String(state % 997);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).length;
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Processor time of the work in yardsticks: the least of some tries over the least of as many of yardsticks. */
export function yardsticksOf(work: () => void, tries = 5): number {
  const twentyYardsticks = () => {
    for (let i = 0; i < 20; i++) yardstick();
  };
  twentyYardsticks();
  let [least, leastTwenty] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < tries; i++) {
    leastTwenty = Math.min(leastTwenty, cpuOf(twentyYardsticks));
    least = Math.min(least, cpuOf(work));
  }
  return (20 * least) / leastTwenty;
}

// Timing of programs in turn: CPU time of batches, the fastest of several rounds.

/** One measurement: the time of one run, and what the run gave. */
export interface Timing<Result> {
  readonly time: number;
  readonly result: Result;
}

/** CPU seconds of one run in a batch of at least `seconds`, and the result of the last run. */
export function timeBatch<Result>(run: () => Result, seconds = 0.1): Timing<Result> {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    const result = run();
    const { user, system } = process.cpuUsage(before);
    const spent = (user + system) / 1e6;
    if (spent >= seconds) return { time: spent / runs, result };
  }
}

type Contenders = Readonly<Record<string, () => Timing<unknown> | Promise<Timing<unknown>>>>;

type Fastest<Given extends Contenders> = { readonly [Name in keyof Given]: Awaited<ReturnType<Given[Name]>> };

/** The fastest timing of each contender. They run in turn in every round, so that a busy machine slows all alike. */
export async function fastestOf<Given extends Contenders>(rounds: number, contenders: Given): Promise<Fastest<Given>> {
  const best: Record<string, Timing<unknown>> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(contenders)) {
      const timing = await measure();
      const fastest = best[name];
      if (fastest === undefined || timing.time < fastest.time) best[name] = timing;
    }
  }
  return best as Fastest<Given>;
}

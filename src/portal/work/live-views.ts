// Where a kernel keeps the frames that it has recorded so far; views and parameters as in its assembly/solvers file.

export interface LiveView {
  readonly view: number;
  /** Numbers in one frame. */
  readonly frameLength: (parameter: (name: string) => number) => number;
}

export const LIVE_VIEWS: Readonly<Record<string, LiveView>> = {
  heat: { view: 3, frameLength: (of) => (of('nx') + 1) * (of('dim') === 2 ? of('ny') + 1 : 1) },
  evolve: { view: 5, frameLength: (of) => 3 * of('N') },
};

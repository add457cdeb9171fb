// Kernel views that hold the recorded frames; view numbers and parameters as in assembly/solvers/<slug>.ts.

export interface LiveView {
  readonly view: number;
  /** Numbers in one frame. */
  readonly frameLength: (parameter: (name: string) => number) => number;
}

export const LIVE_VIEWS: Readonly<Record<string, LiveView>> = {
  heat: { view: 3, frameLength: (get) => (get('nx') + 1) * (get('dim') === 2 ? get('ny') + 1 : 1) },
  evolve: { view: 5, frameLength: (get) => 3 * get('N') },
};

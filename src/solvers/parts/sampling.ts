// Which steps of a run are recorded: the start, every k-th step, and the last step.

/** The shortest interval that records at most `max` samples after the start. */
export const recordInterval = (steps: number, max: number): number => Math.ceil(steps / max);

/** The recorded steps, as a kernel counts them that records the last step too. */
export const recordedSteps = (steps: number, interval: number): readonly number[] =>
  Array.from({ length: 1 + Math.ceil(steps / interval) }, (_, row) => Math.min(row * interval, steps));

/** Times of the recorded steps, from 0. @param dt  time step */
export const recordedTimes = (steps: number, interval: number, dt: number): Float64Array =>
  Float64Array.from(recordedSteps(steps, interval), (step) => step * dt);

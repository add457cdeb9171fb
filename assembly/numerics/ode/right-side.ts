// Right-hand side of a first-order system y' = f(t, y), for every integrator of this folder.

/** Writes f(t, y) into dydt; y is read-only. The caller checks for values that are not finite. */
export type RightSide = (t: f64, y: usize, dydt: usize) => void;

/** Writes f(t, origin + change) into slopes: the two are apart so that a small change keeps its digits. */
export type SplitRightSide = (t: f64, origin: usize, change: usize, slopes: usize) => void;

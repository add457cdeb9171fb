// A first-order system y' = f(t, y), as every integrator of this folder takes it.

/** Writes f(t, y) into dydt; y is read only. A value that is not finite is the caller's to find. */
export type RightSide = (t: f64, y: usize, dydt: usize) => void;

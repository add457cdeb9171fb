// A network of the program: rows of numbers, separated by semicolons, without the columns at their ends that are usual.

export interface BuiltInCase {
  readonly title: string;
  /** MVA */
  readonly base: number;
  /** number type Pd Qd [Gs Bs Vm Va kV] */
  readonly buses: string;
  /** bus Pg Qg Qmax [Qmin Vg status] */
  readonly generators: string;
  /** from to r x [b rateA rateB rateC ratio angle status] */
  readonly branches: string;
}

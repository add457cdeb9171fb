// Six groups of delayed neutrons by fuel: fractions and decay constants.

export interface Groups {
  readonly beta: readonly number[];
  /** 1/s. */
  readonly lambda: readonly number[];
}

const FAST = [0.0127, 0.0317, 0.115, 0.311, 1.4, 3.87];

/** Fractions of β. */
const shares = (beta: number, parts: readonly number[]) => parts.map((part) => beta * part);

/**
 * U235_thermal_Keepin: Keepin 1965, as benchmarks of point kinetics have it; U235_fast: the defaults of TRACE;
 * Pu239: thermal, Kerlin & Upadhyaya 2019, table 3.3; benchmark: the set of Chao & Attard 1985 and of those who compare
 * with them.
 */
export const GROUPS = {
  U235_thermal_Keepin: {
    beta: shares(0.0065, [0.033, 0.219, 0.196, 0.395, 0.115, 0.042]),
    lambda: [0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01],
  },
  U235_fast: { beta: shares(0.006488, [0.03807, 0.2127, 0.188039, 0.406905, 0.128237, 0.026048]), lambda: FAST },
  Pu239: {
    beta: [0.000077, 0.000656, 0.000464, 0.000717, 0.000189, 0.000097],
    lambda: [0.0128, 0.0301, 0.124, 0.325, 1.12, 2.69],
  },
  benchmark: { beta: [0.000266, 0.001491, 0.001316, 0.002849, 0.000896, 0.000182], lambda: FAST },
} as const satisfies Readonly<Record<string, Groups>>;

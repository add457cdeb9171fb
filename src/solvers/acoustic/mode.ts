// A mode, as the solution shows it.

export interface Mode {
  readonly frequency: number;
  readonly onGrid: number;
  readonly reference: number;
  /** Of the discretisation. */
  readonly error: number;
  readonly isRegular: boolean;
  readonly order?: number | undefined;
  readonly halfWaves: readonly number[];
  readonly shape: Float64Array;
  /** Of amplitudes, 1/s, and its error. */
  readonly decay: number;
  readonly decayError: number;
}

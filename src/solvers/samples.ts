// Samples of a result whose inputs are uncertain: what was drawn, and what came out.

/** An input that is drawn from a normal distribution. */
export interface SampledInput {
  readonly name: string;
  readonly value: number;
  /** Standard deviation, in the unit of the value. */
  readonly uncertainty: number;
}

export interface SampleSpec {
  /** Samples, besides the result at the values themselves. */
  readonly count: number;
  readonly seed: number;
  readonly inputs: readonly SampledInput[];
}

/** Of the values of all samples within the ranges of the inputs, in the unit of the result. */
export interface SampleStatistics extends SampleSpec {
  readonly mean: number;
  readonly standard_deviation: number;
  /** Ends of the interval that leaves 2.5 % of the samples out on each side. */
  readonly low: number;
  readonly high: number;
  /** Samples within the ranges. */
  readonly within: number;
}

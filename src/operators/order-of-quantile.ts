// Which of ordered distances bounds 95 % of a distribution, with confidence.

/** The order statistic that is beyond the 95 % quantile in 95 of 100 cases; the normal limit of the binomial. */
export function orderOfQuantile(count: number): number {
  const [covered, confidence] = [0.95, 1.645];
  return Math.ceil(covered * count + confidence * Math.sqrt(count * covered * (1 - covered)));
}

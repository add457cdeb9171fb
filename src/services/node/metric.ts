// A measurement and its samples, as Prometheus names them.

export interface Sample {
  /** Of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  /** In `snake_case`, with its unit; a counter ends with `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  read(): number | readonly Sample[];
}

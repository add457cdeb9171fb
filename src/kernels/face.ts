// The face of a kernel: the names of what it reads and writes. Names alone: the module exports the positions.

/** Names as the kernel's enums declare them (assembly/kernel.ts); test/kernels/face.test.ts compares the two. */
export interface KernelFace {
  /** Members of `Parameter`. */
  readonly parameters: readonly string[];
  /** Members of `View`. */
  readonly views: readonly string[];
  /** Members of `Statistic`. */
  readonly statistics: readonly string[];
  /** Columns of row-major records, by record: `history` for the members of `HistoryColumn`. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

export type ParameterName<Face extends KernelFace> = Face['parameters'][number];
export type ViewName<Face extends KernelFace> = Face['views'][number];
export type StatisticName<Face extends KernelFace> = Face['statistics'][number];

/** Positions of the columns of each record. */
export type Columns<Face extends KernelFace> = {
  readonly [Name in keyof Face['columns']]: Readonly<Record<Face['columns'][Name][number], number>>;
};

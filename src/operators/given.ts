// The numbers of a request for a chain of operators.

/** By key: the bare symbol or `OPERATOR.symbol`. */
export interface Given {
  readonly inputs: Readonly<Record<string, number>>;
  /** As inputs, with lower precedence. */
  readonly consts: Readonly<Record<string, number>>;
  /** Units of inputs and consts where they differ from the declared ones. */
  readonly units: Readonly<Record<string, string>>;
  /** Standard uncertainties of inputs and consts, in the same units. */
  readonly uncertainties: Readonly<Record<string, number>>;
}

export const hasKey =
  ({ inputs, consts }: Given) =>
  (key: string) =>
    Object.hasOwn(inputs, key) || Object.hasOwn(consts, key);

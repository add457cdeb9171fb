// The record of an operator: a closed-form law with its units, its examples and its source. schema.json is the
// form of the files, and a test holds them to it.

export interface Operator extends OperatorRecord {
  /** Of its domain. */
  readonly prefix: string;
}

export interface OperatorFile {
  readonly prefix: string;
  readonly operators: readonly OperatorRecord[];
}

export interface OperatorRecord {
  readonly id: string;
  readonly name: string;
  /** 0 definition, 1 fundamental law or exact result, 2 derived or empirical relation, 3 advanced. */
  readonly tier: 0 | 1 | 2 | 3;
  /** `output.symbol = expression` */
  readonly equation: string;
  readonly output: { readonly symbol: string; readonly unit: string; readonly description?: string };
  readonly inputs: Readonly<Record<string, OperatorInput>>;
  readonly constants?: Readonly<Record<string, string | OperatorConstant>>;
  /** Named intermediate expressions, each free to use those before it. */
  readonly where?: Readonly<Record<string, string>>;
  readonly examples: readonly OperatorExample[];
  readonly source: { readonly cite: string; readonly locator: string; readonly doi?: string };
  /** Where the law holds. */
  readonly validity: string;
  readonly variantOf?: { readonly id: string; readonly reason: string };
  readonly analogOf?: { readonly id: string; readonly reason: string };
  readonly tags?: readonly string[];
}

export interface OperatorInput {
  readonly unit: string;
  readonly description: string;
  readonly min?: number;
  readonly max?: number;
  /** Makes the input optional. */
  readonly default?: number;
  readonly integer?: boolean;
}

/** An empirical coefficient or a reference value; `note` says where it comes from. */
export interface OperatorConstant {
  readonly value: number;
  readonly unit: string;
  readonly note: string;
}

export interface OperatorExample {
  readonly inputs: Readonly<Record<string, number>>;
  readonly expected: number;
  readonly rtol?: number;
  readonly published?: { readonly value: number; readonly digits: number };
  readonly source: string;
}

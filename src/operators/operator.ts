// The record of an operator: a closed-form law with its units, its examples and its source. schema.json is the
// form of the files, and a test holds them to it.

/** The operator that stands first in every chain and takes part in none of its sums. */
export const PULSE_OPERATOR = 'KO42';

export interface Operator extends OperatorRecord {
  /** Of its domain. */
  readonly prefix: string;
}

/** What it takes to compute with an operator and to print it, and nothing else: a receipt carries one for each of its chain. */
export interface OperatorDefinition {
  readonly id: string;
  readonly name: string;
  /** `output.symbol = expression` */
  readonly equation: string;
  /** Named intermediate expressions, each free to use those before it. */
  readonly where?: Readonly<Record<string, string>>;
  readonly output: { readonly symbol: string; readonly unit: string };
  readonly inputs: Readonly<Record<string, InputDefinition>>;
  readonly constants?: Readonly<Record<string, string | OperatorConstant>>;
}

export interface OperatorFile {
  readonly prefix: string;
  readonly operators: readonly OperatorRecord[];
}

export interface OperatorRecord extends OperatorDefinition {
  /** 0 definition, 1 fundamental law or exact result, 2 derived or empirical relation, 3 advanced. */
  readonly tier: 0 | 1 | 2 | 3;
  readonly output: { readonly symbol: string; readonly unit: string; readonly description?: string };
  readonly inputs: Readonly<Record<string, OperatorInput>>;
  readonly examples: readonly OperatorExample[];
  readonly source: { readonly cite: string; readonly locator: string; readonly doi?: string };
  /** Where the law holds. */
  readonly validity: string;
  readonly variantOf?: { readonly id: string; readonly reason: string };
  readonly analogOf?: { readonly id: string; readonly reason: string };
  readonly tags?: readonly string[];
}

export interface OperatorInput extends InputDefinition {
  readonly description: string;
}

export interface InputDefinition {
  readonly unit: string;
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

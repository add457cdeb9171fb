// The record of an operator: a closed-form law with units, examples and source. schema.json is the schema of the files;
// a test validates them.

/** The first operator of every chain; its value enters no other operator. */
export const PULSE_OPERATOR = 'KO42';

export interface Operator extends OperatorRecord {
  /** Prefix of its domain. */
  readonly prefix: string;
}

/**
 * The part of an operator that is needed to compute and to print it. A receipt contains one per operator of its chain.
 */
export interface OperatorDefinition {
  readonly id: string;
  readonly name: string;
  /** `output.symbol = expression` */
  readonly equation: string;
  /** Named intermediate expressions; each may use earlier ones. */
  readonly where?: Readonly<Record<string, string>>;
  readonly output: { readonly symbol: string; readonly unit: string };
  readonly inputs: Readonly<Record<string, InputDefinition>>;
  readonly constants?: Readonly<Record<string, string | OperatorConstant>>;
  /** Comparisons over inputs, constants and intermediate expressions, all of which hold: `g < r`. */
  readonly requires?: readonly string[];
  /** Of a correlation, a fit or a rule of thumb; an exact law has none. */
  readonly accuracy?: Accuracy;
}

/** How far the law may be from nature within its ranges: a bound, either relative to its value or in its unit. */
export interface Accuracy {
  readonly relative?: number;
  readonly absolute?: number;
  /** Who says so. Not sealed. */
  readonly basis: string;
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
  /** Numbers that others printed, from sources that were opened. Not part of the hash of the definition. */
  readonly published?: readonly PublishedValue[];
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
  /** The allowed numbers, if there are only a few. */
  readonly enum?: readonly number[];
  /** Other names for it in requests. */
  readonly aliases?: readonly string[];
}

/** An empirical coefficient or a reference value; `note` says where it comes from. */
export interface OperatorConstant {
  readonly value: number;
  readonly unit: string;
  readonly note: string;
  /** Standard uncertainty in `unit`; an exact constant has none. */
  readonly uncertainty?: number;
  /**
   * Correlation coefficients of its error with those of independent sources, whose squares add up to 1; a constant
   * without any is a source of its own.
   */
  readonly correlation?: Readonly<Record<string, number>>;
}

export interface OperatorExample {
  readonly inputs: Readonly<Record<string, number>>;
  readonly expected: number;
  readonly rtol?: number;
  readonly published?: { readonly value: number; readonly digits: number };
  readonly source: string;
}

/** Inputs, value and tolerance in the declared units. */
export interface PublishedValue {
  readonly inputs: Readonly<Record<string, number>>;
  readonly value: number;
  /** Half a unit of the last printed digit, wider only by what the printed digits of inputs and constants explain. */
  readonly tolerance: number;
  readonly source: { readonly cite: string; readonly locator: string; readonly url: string };
}

// WebAssembly instructions that compiled expressions use. WebAssembly Core Specification 2.0, §5.4.

import { unsigned } from './encoding.ts';

const vector = (code: number) => [0xfd, ...unsigned(code)];

/** Control, locals and integers. */
export const WASM = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i32Const: 0x41,
  i32Eqz: 0x45,
  i32LessSigned: 0x48,
  i32GreaterSigned: 0x4a,
  i32GreaterEqualSigned: 0x4e,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32And: 0x71,
  i32Or: 0x72,
  f64Const: 0x44,
  /** Block type without values. */
  void: 0x40,
} as const;

/** Instructions on one row of f64, and on two rows of f64x2; conditions are an i32 and a mask. */
export interface LaneInstructions {
  readonly add: readonly number[];
  readonly sub: readonly number[];
  readonly mul: readonly number[];
  readonly div: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly neg: readonly number[];
  readonly abs: readonly number[];
  readonly sqrt: readonly number[];
  readonly floor: readonly number[];
  readonly ceil: readonly number[];
  readonly eq: readonly number[];
  readonly ne: readonly number[];
  readonly lt: readonly number[];
  readonly gt: readonly number[];
  readonly le: readonly number[];
  readonly ge: readonly number[];
  readonly and: readonly number[];
  readonly or: readonly number[];
  readonly not: readonly number[];
}

export const ONE_ROW: LaneInstructions = {
  add: [0xa0],
  sub: [0xa1],
  mul: [0xa2],
  div: [0xa3],
  min: [0xa4],
  max: [0xa5],
  neg: [0x9a],
  abs: [0x99],
  sqrt: [0x9f],
  floor: [0x9c],
  ceil: [0x9b],
  eq: [0x61],
  ne: [0x62],
  lt: [0x63],
  gt: [0x64],
  le: [0x65],
  ge: [0x66],
  and: [WASM.i32And],
  or: [WASM.i32Or],
  not: [WASM.i32Eqz],
};

export const TWO_ROWS: LaneInstructions = {
  add: vector(0xf0),
  sub: vector(0xf1),
  mul: vector(0xf2),
  div: vector(0xf3),
  min: vector(0xf4),
  max: vector(0xf5),
  neg: vector(0xed),
  abs: vector(0xec),
  sqrt: vector(0xef),
  floor: vector(0x75),
  ceil: vector(0x74),
  eq: vector(0x47),
  ne: vector(0x48),
  lt: vector(0x49),
  gt: vector(0x4a),
  le: vector(0x4b),
  ge: vector(0x4c),
  and: vector(0x4e),
  or: vector(0x50),
  not: vector(0x4d),
};

export const VECTOR = {
  load: vector(0x00),
  loadZero64: vector(0x5d),
  loadLane64: vector(0x57),
  store: vector(0x0b),
  storeLane64: vector(0x5b),
  constant: vector(0x0c),
  shuffle: vector(0x0d),
  splat: vector(0x14),
  extractLane: vector(0x21),
  replaceLane: vector(0x22),
  bitselect: vector(0x52),
  anyTrue: vector(0x53),
  allTrue64: vector(0xc3),
} as const;

export const F64 = { load: 0x2b, store: 0x39, convertSigned: 0xb7, truncateSaturated: [0xfc, 2] } as const;

/** Alignment (2^3 bytes) and offset of a load or store. */
export const at = (offset: number) => [3, ...unsigned(offset)];

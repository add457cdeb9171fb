// Binary format of a WebAssembly module with imported functions, an imported memory and exported functions.
//
// WebAssembly Core Specification 2.0, §5: https://www.w3.org/TR/wasm-core-2/#binary-format

export const TYPE = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const;
export type ValueType = (typeof TYPE)[keyof typeof TYPE];

/** Types of the functions that a kernel lends: of numbers, and of the opcode of a function and numbers. */
const NUMBER = [TYPE.f64];
const NUMBERS = [TYPE.f64, TYPE.f64];
const IMPORTED = {
  pow: NUMBERS,
  exp: NUMBER,
  log: NUMBER,
  sin: NUMBER,
  cos: NUMBER,
  tan: NUMBER,
  unary: [TYPE.i32, ...NUMBER],
  binary: [TYPE.i32, ...NUMBERS],
} as const;

export type ImportedFunction = keyof typeof IMPORTED;

/** The functions that compiled expressions may import from a kernel; all return an f64. */
export const IMPORTED_FUNCTIONS = Object.keys(IMPORTED) as readonly ImportedFunction[];

/** A function that the module exports; it returns an i32. */
export interface FunctionParts {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  /** Types of its other local variables. */
  readonly locals: readonly ValueType[];
  /** Its instructions, without the final `end`. */
  readonly code: readonly number[];
}

/** Name of the import module, and of its memory. */
const KERNEL = 'kernel';
const MEMORY = 'memory';

const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const FUNCTION_TYPE = 0x60;
const KIND = { function: 0, memory: 2 } as const;
const END = 0x0b;

/** @param imports  functions of the kernel, which are the first functions of the module */
export function encodeModule(
  imports: readonly ImportedFunction[],
  functions: readonly FunctionParts[],
): Uint8Array<ArrayBuffer> {
  // Function i has type i.
  const types = [
    ...imports.map((name) => functionType(IMPORTED[name], TYPE.f64)),
    ...functions.map(({ parameters }) => functionType(parameters, TYPE.i32)),
  ];
  const imported = [
    [...text(KERNEL), ...text(MEMORY), KIND.memory, 0, 0],
    ...imports.map((name, i) => [...text(KERNEL), ...text(name), KIND.function, ...unsigned(i)]),
  ];
  const index = (i: number) => unsigned(imports.length + i);
  const bodies = functions.map(({ locals, code }) => {
    const body = [...localDeclarations(locals), ...code, END];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(SECTION.type, types),
    ...section(SECTION.import, imported),
    ...section(
      SECTION.function,
      functions.map((_, i) => index(i)),
    ),
    ...section(
      SECTION.export,
      functions.map(({ name }, i) => [...text(name), KIND.function, ...index(i)]),
    ),
    ...section(SECTION.code, bodies),
  ]);
}

/** LEB128 of an integer from 0 to 2^32 − 1. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** Signed LEB128 of an i32. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -0x40 || rest > 0x3f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return [...bytes, rest & 0x7f];
}

/** The eight bytes of a double, little-endian. */
export function doubleBytes(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return [...new Uint8Array(view.buffer)];
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

const vector = (entries: readonly (readonly number[])[]) => [...unsigned(entries.length), ...entries.flat()];

const text = (name: string) => vector([...new TextEncoder().encode(name)].map((byte) => [byte]));

const functionType = (parameters: readonly ValueType[], result: ValueType) => [
  FUNCTION_TYPE,
  ...vector(parameters.map((type) => [type])),
  ...vector([[result]]),
];

/** Runs of equal types. */
function localDeclarations(locals: readonly ValueType[]): number[] {
  const runs: { count: number; readonly type: ValueType }[] = [];
  for (const type of locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count++;
    else runs.push({ count: 1, type });
  }
  return vector(runs.map(({ count, type }) => [...unsigned(count), type]));
}

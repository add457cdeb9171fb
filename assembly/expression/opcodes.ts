// Instruction set of the expression machine. src/expressions/opcodes.ts has the same list; a test compares the two.
//
// An instruction is one i32: the low 8 bits are the operation, the other 24 its operand. An opcode never changes its
// meaning and is never reused: a stored receipt names an old kernel, and today's compiler must still target it.

/** Width of the operation in bits; the operand occupies the bits above. */
export const OPERAND_SHIFT: i32 = 8;
export const OPERATION_MASK: i32 = 0xff;

export const HALT: i32 = 0;

// Leaves: push pool[i], slots[i], or the value i places above the bottom of the stack.
export const CONST: i32 = 1;
export const SLOT: i32 = 2;
export const LOCAL: i32 = 3;

// Arithmetic on the two topmost values, then with a constant or a slot as the right operand.
export const ADD: i32 = 4;
export const SUB: i32 = 5;
export const MUL: i32 = 6;
export const DIV: i32 = 7;
export const POW: i32 = 8;
export const ADD_CONST: i32 = 9;
export const SUB_CONST: i32 = 10;
export const MUL_CONST: i32 = 11;
export const DIV_CONST: i32 = 12;
export const POW_CONST: i32 = 13;
export const ADD_SLOT: i32 = 14;
export const SUB_SLOT: i32 = 15;
export const MUL_SLOT: i32 = 16;
export const DIV_SLOT: i32 = 17;
export const POW_SLOT: i32 = 18;
export const NEGATE: i32 = 19;
export const SQUARE: i32 = 20;

// Truth values are 1 and 0.
export const LESS: i32 = 21;
export const LESS_EQUAL: i32 = 22;
export const GREATER: i32 = 23;
export const GREATER_EQUAL: i32 = 24;
export const EQUAL: i32 = 25;
export const NOT_EQUAL: i32 = 26;
export const NOT: i32 = 27;
export const TRUTH: i32 = 28;

// The operand of a jump is the index of an instruction. Only NEXT jumps backwards.
export const JUMP: i32 = 29;
export const JUMP_IF_FALSE: i32 = 30;
export const JUMP_IF_TRUE: i32 = 31;
export const LOOP: i32 = 32;
export const NEXT: i32 = 33;

// Functions of one argument: 64 to 127.
export const FIRST_UNARY: i32 = 64;
export const SQRT: i32 = 64;
export const CBRT: i32 = 65;
export const ABS: i32 = 66;
export const SIGN: i32 = 67;
export const FLOOR: i32 = 68;
export const CEIL: i32 = 69;
export const ROUND: i32 = 70;
export const EXP: i32 = 71;
export const EXPM1: i32 = 72;
export const LOG: i32 = 73;
export const LOG1P: i32 = 74;
export const LOG10: i32 = 75;
export const LOG2: i32 = 76;
export const SIN: i32 = 77;
export const COS: i32 = 78;
export const TAN: i32 = 79;
export const ASIN: i32 = 80;
export const ACOS: i32 = 81;
export const ATAN: i32 = 82;
export const SINH: i32 = 83;
export const COSH: i32 = 84;
export const TANH: i32 = 85;
export const ASINH: i32 = 86;
export const ACOSH: i32 = 87;
export const ATANH: i32 = 88;
export const SINC: i32 = 89;
export const ERF: i32 = 90;
export const ERFC: i32 = 91;
export const NORMCDF: i32 = 92;
export const NORMPDF: i32 = 93;
export const NORMINV: i32 = 94;
export const GAMMA: i32 = 95;
export const LGAMMA: i32 = 96;
export const FACTORIAL: i32 = 97;
export const ELLIPK: i32 = 98;
export const ELLIPE: i32 = 99;
export const EXPINT1: i32 = 100;
export const ZETA: i32 = 101;
export const LANGEVIN: i32 = 102;

// Functions of two arguments: 128 to 191.
export const FIRST_BINARY: i32 = 128;
export const MIN: i32 = 128;
export const MAX: i32 = 129;
export const HYPOT: i32 = 130;
export const ATAN2: i32 = 131;
export const CHOOSE: i32 = 132;
export const BESSELJ: i32 = 133;
export const BESSELI: i32 = 134;
export const BESSELK: i32 = 135;
export const LAMBERTW: i32 = 136;

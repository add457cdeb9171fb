// Expected work of a program: words of byte code that the machine runs for one row.

import { OPCODE, OPERAND_SHIFT } from '../opcodes.ts';

/** Terms of a sum, whose number the byte code alone does not tell. */
const TYPICAL_TERMS = 16;

export function expectedWords(code: Int32Array, start = 0, end = code.length): number {
  let words = 0;
  let factor = 1;
  for (const word of code.subarray(start, end)) {
    const opcode = word & ((1 << OPERAND_SHIFT) - 1);
    if (opcode === OPCODE.NEXT) factor /= TYPICAL_TERMS;
    words += factor;
    if (opcode === OPCODE.LOOP) factor *= TYPICAL_TERMS;
  }
  return words;
}

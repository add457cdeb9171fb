// Makes AssemblyScript's sin, cos and tan right for 2^20 π/2 <= |x| < 2^22. Import it, before anything else,
// wherever one of them is called.
//
// For such x the reduction by π/2 (std/assembly/math.ts of AssemblyScript 0.28.20, pio2_large_quot) reads the eight
// bytes before its table of 2/π and requires zeros there; any other constant gives a wrong quadrant.
// Static data is laid out in the order of compilation, each piece aligned to 16 bytes: so this file reserves eight zero
// bytes and compiles sin right after them. The gate scripts/gates/kernels.ts checks every built kernel.

// The padding that follows is unused and zero as well.
const ZEROS: usize = memory.data(8, 16);

// Compiles the table. The value, sin 0, is unused.
export const TABLE_COMPILED: f64 = Math.sin(<f64>load<u8>(ZEROS));

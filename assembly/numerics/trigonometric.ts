// Makes AssemblyScript's sin, cos and tan right for 2^20 π/2 <= |x| < 2^22. Import it, before anything else,
// wherever one of them is called.
//
// For such x the reduction by π/2 (std/assembly/math.ts of AssemblyScript 0.28.20, pio2_large_quot) reads the eight
// bytes before its table of 2/π and needs zeros there; whatever constant happens to stand there gives a wrong quadrant.
// Static data is laid out in the order in which it is compiled, each piece on 16 bytes: so eight zero bytes
// are claimed, and sin is compiled right after them. A gate looks at every built kernel.

// The padding that follows belongs to nobody and is zero as well.
const ZEROS: usize = memory.data(8, 16);

// Compiles the table. The value, sin 0, is of no use to anybody.
export const TABLE_STANDS: f64 = Math.sin(<f64>load<u8>(ZEROS));

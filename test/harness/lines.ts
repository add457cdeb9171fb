// Exposes assembly/numerics/grid/lines to its test.
import { allocateF64, resetArena } from '../../assembly/kernel';

export { factorLines, solveLines, transpose } from '../../assembly/numerics/grid/lines';
export { allocateF64, resetArena };

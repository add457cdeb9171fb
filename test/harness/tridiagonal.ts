// Exposes assembly/numerics/grid/tridiagonal to its test.
import { allocateF64 } from '../../assembly/kernel';

export { factor, factorDiffusion, padded, solve, solveColumns } from '../../assembly/numerics/grid/tridiagonal';
export { allocateF64 };

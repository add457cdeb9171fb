// Exposes assembly/numerics/tridiagonal to its test.
import { allocateF64 } from '../../assembly/kernel';

export { factor, factorDiffusion, padded, solve, solveColumns } from '../../assembly/numerics/tridiagonal';
export { allocateF64 };

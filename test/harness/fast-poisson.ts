// The direct Poisson solver, with memory for its vectors.
export { allocateF64 } from '../../assembly/kernel';
export { cellCount, cellStride, reservePoisson, solvePoisson } from '../../assembly/numerics/grid/fast-poisson';

export { allocate, allocateF64, resetArena } from '../../assembly/kernel';
export {
  apply,
  congruence,
  multiply,
  multiplyTransposed,
  semidefiniteCholesky,
  solveLower,
  solveLowerTransposed,
  triangularise,
} from '../../assembly/numerics/dense';

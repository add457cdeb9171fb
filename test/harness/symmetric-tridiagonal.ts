// Exposes assembly/numerics/eigen/symmetric-tridiagonal and inverse-iteration to their test.
import { allocate, allocateF64, resetArena } from '../../assembly/kernel';

export { countNodes, inversePass, isMirrored } from '../../assembly/numerics/eigen/inverse-iteration';
export {
  chainFromMatrix,
  countBelow,
  countBelow8,
  initialIntervals,
  lowerBound,
  narrow,
  upperBound,
} from '../../assembly/numerics/eigen/symmetric-tridiagonal';
export { allocate, allocateF64, resetArena };

// Exposes assembly/numerics/symmetric-tridiagonal and inverse-iteration to their test.
import { allocate, allocateF64, resetArena } from '../../assembly/kernel';

export { countNodes, inversePass, isMirrored } from '../../assembly/numerics/inverse-iteration';
export {
  chainFromMatrix,
  countBelow,
  countBelow8,
  initialIntervals,
  lowerBound,
  narrow,
  upperBound,
} from '../../assembly/numerics/symmetric-tridiagonal';
export { allocate, allocateF64, resetArena };

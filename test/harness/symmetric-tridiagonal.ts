// What the tests of numerics/symmetric-tridiagonal and numerics/inverse-iteration call.
import { allocate, allocateF64, resetArena } from '../../assembly/kernel';

export { countNodes, inversePass, isMirrored } from '../../assembly/numerics/inverse-iteration';
export {
  chainFromMatrix,
  countBelow,
  countBelow8,
  lowerBound,
  narrow,
  openIntervals,
  upperBound,
} from '../../assembly/numerics/symmetric-tridiagonal';
export { allocate, allocateF64, resetArena };

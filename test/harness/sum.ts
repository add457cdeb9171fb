// Exposes assembly/numerics/sum to its test.
import { allocateF64 } from '../../assembly/kernel';

export { neumaierSum, neumaierSum3, pairwiseDot, pairwiseSum } from '../../assembly/numerics/sum';
export { allocateF64 };

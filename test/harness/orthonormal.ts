// Exposes assembly/numerics/orthonormal to its test.
import { allocateF64 } from '../../assembly/kernel';

export { orthonormalize } from '../../assembly/numerics/orthonormal';
export { allocateF64 };

// Exposes assembly/numerics/special/hardy-z and assembly/numerics/double-double to their test.
import { resetArena } from '../../assembly/kernel';
import { Low, logarithm, product, quotient, sum } from '../../assembly/numerics/double-double';
import { hardyZ, hardyZError, reserveHardyZ } from '../../assembly/numerics/special/hardy-z';
import { thetaPhase } from '../../assembly/numerics/special/riemann-siegel-theta';

export { hardyZ, hardyZError, logarithm, product, quotient, sum, thetaPhase };

export function low(): f64 {
  return Low.part;
}

export function reserveTables(): bool {
  resetArena();
  return reserveHardyZ();
}

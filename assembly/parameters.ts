// Checks of parameters, shared by all kernels. A parameter may be any double: every check rejects NaN.

/** The info of an illegal parameter. @param i  its position: a member of the kernel's `Parameter` */
export function illegal(i: i32): i32 {
  return -1 - i;
}

/** Whether the value is an integer from `minimum` to `maximum`, both included. */
export function isIntegerBetween(value: f64, minimum: f64, maximum: f64): bool {
  return value >= minimum && value <= maximum && Math.floor(value) === value;
}

/** Whether the value is 0 or 1. */
export function isFlag(value: f64): bool {
  return value === 0 || value === 1;
}

/** Whether the value is positive and finite. */
export function isPositive(value: f64): bool {
  return value > 0 && isFinite(value);
}

/** Whether the value is zero or positive, and finite. */
export function isNonNegative(value: f64): bool {
  return value >= 0 && isFinite(value);
}

// Exposes Jacobi's functions, Carlson's integral and the differences of the exponential to their tests.
import { carlsonPair, carlsonRF } from '../../assembly/numerics/special/carlson';
import {
  Difference,
  differenceOfThree,
  differenceOfTwo,
} from '../../assembly/numerics/special/exponential-differences';
import { Jacobi, jacobi, setParameter } from '../../assembly/numerics/special/jacobi';

export { carlsonPair, carlsonRF, differenceOfThree, differenceOfTwo, jacobi, setParameter };

export function sn(): f64 {
  return Jacobi.sn;
}

export function cn(): f64 {
  return Jacobi.cn;
}

export function dn(): f64 {
  return Jacobi.dn;
}

export function quarter(): f64 {
  return Jacobi.quarter;
}

export function differenceRe(): f64 {
  return Difference.re;
}

export function differenceIm(): f64 {
  return Difference.im;
}

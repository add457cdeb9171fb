// Symmetry and definiteness of the recorded covariances.
import { allocateF64 } from '../../kernel';
import { symmetricEigen } from '../../numerics/eigen/dense-symmetric';
import { get, set } from '../../numerics/vector';
import { Covariance } from './covariance';
import { MAX_STATES, Model } from './model';

/** Rows whose eigenvalues are computed, at most about. */
const CHECKED: i32 = 1000;

export class Quality {
  /** max |P − Pᵀ| over √(P_ii P_jj). */
  static asymmetry: f64 = 0;
  /** The smallest eigenvalue of a covariance that is scaled to a diagonal of 1. */
  static smallest: f64 = 1;
  static matrix: usize = 0;
  static vectors: usize = 0;
}

export function allocateQuality(): bool {
  Quality.matrix = allocateF64(MAX_STATES * MAX_STATES);
  Quality.vectors = allocateF64(MAX_STATES * MAX_STATES);
  Quality.asymmetry = 0;
  Quality.smallest = 1;
  return Quality.vectors !== 0;
}

export function checkCovariance(row: i32): void {
  const interval = 1 + Model.rows / CHECKED;
  if (row % interval !== 0 && row !== Model.rows - 1) return;
  const n = Model.n;
  const P = Covariance.P;
  for (let i = 0; i < n; i++) {
    const first = get(P, i * n + i);
    if (first < 0) Quality.smallest = Math.min(Quality.smallest, -1);
    for (let j = 0; j < n; j++) {
      const scale = Math.sqrt(Math.abs(first) * Math.abs(get(P, j * n + j)));
      const above = scale > 0 ? get(P, i * n + j) / scale : 0;
      const below = scale > 0 ? get(P, j * n + i) / scale : 0;
      Quality.asymmetry = Math.max(Quality.asymmetry, Math.abs(above - below));
      set(Quality.matrix, i * n + j, 0.5 * (above + below));
    }
  }
  if (symmetricEigen(Quality.matrix, Quality.vectors, n) < 0) return;
  let largest: f64 = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, get(Quality.matrix, i * n + i));
  // A covariance of 0 has no scale.
  if (largest > 0) Quality.smallest = Math.min(Quality.smallest, get(Quality.matrix, n * n - 1));
}

// Point kinetics after a step from equilibrium by Radau IIA with five stages and the precursors eliminated: the method of
// the kernel, in plain JavaScript.

const NODES = 5;
const RADAU: readonly (readonly number[])[] = [
  [0.07299886431790333, -0.02673533110794557, 0.018676929763984353, -0.01287910609330644, 0.005042839233882015],
  [0.15377523147918246, 0.14621486784749352, -0.03644456890512809, 0.02123306311930472, -0.007935579902728777],
  [0.14006304568480987, 0.29896712949128346, 0.16758507013524895, -0.03396910168661774, 0.010944288744192253],
  [0.14489430810953477, 0.2765000687601592, 0.32579792291042103, 0.12875675325490976, -0.015708917378805327],
  [0.14371356079122594, 0.28135601514946207, 0.31182652297574126, 0.22310390108357075, 0.04],
];
const A = RADAU.flat();

/** Solves a x = b by elimination with pivots; a and b are overwritten. */
function solve(a: Float64Array, b: Float64Array, columns: number): void {
  for (let j = 0; j < NODES; j++) {
    let best = j;
    for (let i = j + 1; i < NODES; i++)
      if (Math.abs(a[i * NODES + j] as number) > Math.abs(a[best * NODES + j] as number)) best = i;
    if (best !== j) {
      for (let c = 0; c < NODES; c++) swap(a, j * NODES + c, best * NODES + c);
      for (let c = 0; c < columns; c++) swap(b, j * columns + c, best * columns + c);
    }
    for (let i = j + 1; i < NODES; i++) {
      const factor = (a[i * NODES + j] as number) / (a[j * NODES + j] as number);
      for (let c = j + 1; c < NODES; c++) (a[i * NODES + c] as number) -= factor * (a[j * NODES + c] as number);
      for (let c = 0; c < columns; c++) (b[i * columns + c] as number) -= factor * (b[j * columns + c] as number);
    }
  }
  for (let i = NODES - 1; i >= 0; i--)
    for (let c = 0; c < columns; c++) {
      let sum = b[i * columns + c] as number;
      for (let j = i + 1; j < NODES; j++) sum -= (a[i * NODES + j] as number) * (b[j * columns + c] as number);
      b[i * columns + c] = sum / (a[i * NODES + i] as number);
    }
}

function swap(values: Float64Array, i: number, j: number): void {
  const one = values[i] as number;
  values[i] = values[j] as number;
  values[j] = one;
}

interface Ready {
  h: number;
  readonly Q: Float64Array;
  readonly R: readonly Float64Array[];
  readonly ones: readonly Float64Array[];
}

const newReady = (): Ready => ({
  h: 0,
  Q: new Float64Array(25),
  R: Array.from({ length: 6 }, () => new Float64Array(25)),
  ones: Array.from({ length: 6 }, () => new Float64Array(5)),
});

/** The power at the end. */
export function powerByCollocation(
  rho: number,
  end: number,
  Lambda: number,
  rtol: number,
  beta: readonly number[],
  lambda: readonly number[],
): number {
  const births = beta.map((one) => one / Lambda);
  const matrix = new Float64Array(25);
  const N = new Float64Array(5);
  const right = new Float64Array(5);
  const AN = new Float64Array(5);
  const prepare = (h: number, ready: Ready) => {
    if (ready.h === h) return;
    ready.h = h;
    ready.Q.fill(0);
    for (let g = 0; g < 6; g++) {
      const R = ready.R[g] as Float64Array;
      for (let i = 0; i < 25; i++) {
        const diagonal = i % 6 === 0 ? 1 : 0;
        matrix[i] = h * (lambda[g] as number) * (A[i] as number) + diagonal;
        R[i] = diagonal;
      }
      solve(matrix, R, 5);
      for (let i = 0; i < 5; i++) {
        let sum = 0;
        for (let j = 0; j < 5; j++) sum += R[5 * i + j] as number;
        (ready.ones[g] as Float64Array)[i] = sum;
      }
      for (let i = 0; i < 25; i++) (ready.Q[i] as number) += (births[g] as number) * (R[i] as number);
    }
  };
  const step = (y: Float64Array, { h, Q, R, ones }: Ready, out: Float64Array) => {
    for (let j = 0; j < 5; j++) {
      let sum = 0;
      for (let g = 0; g < 6; g++)
        sum += (lambda[g] as number) * (y[1 + g] as number) * ((ones[g] as Float64Array)[j] as number);
      right[j] = sum;
    }
    for (let i = 0; i < 5; i++) {
      let sum = 0;
      for (let j = 0; j < 5; j++) sum += (A[5 * i + j] as number) * (right[j] as number);
      N[i] = (y[0] as number) + h * sum;
      for (let l = 0; l < 5; l++) {
        let product = (A[5 * i + l] as number) * (rho / Lambda);
        for (let j = 0; j < 5; j++) product -= (A[5 * i + j] as number) * (Q[5 * j + l] as number);
        matrix[5 * i + l] = (i === l ? 1 : 0) - h * product;
      }
    }
    solve(matrix, N, 1);
    for (let i = 0; i < 5; i++) {
      let sum = 0;
      for (let j = 0; j < 5; j++) sum += (A[5 * i + j] as number) * (N[j] as number);
      AN[i] = sum;
    }
    out[0] = N[4] as number;
    for (let g = 0; g < 6; g++) {
      let sum = 0;
      for (let j = 0; j < 5; j++) sum += ((R[g] as Float64Array)[20 + j] as number) * (AN[j] as number);
      out[1 + g] = (y[1 + g] as number) * ((ones[g] as Float64Array)[4] as number) + h * (births[g] as number) * sum;
    }
  };
  let y = Float64Array.from([1, ...births.map((one, g) => one / (lambda[g] as number))]);
  let next = new Float64Array(7);
  const [whole, middle] = [new Float64Array(7), new Float64Array(7)];
  const [ofWhole, ofHalf] = [newReady(), newReady()];
  let t = 0;
  let h = (0.01 * Lambda) / beta.reduce((sum, one) => sum + one, 0);
  while (t < end) {
    const to = t + 1.01 * h >= end ? end : t + h;
    const width = to - t;
    prepare(width, ofWhole);
    prepare(0.5 * width, ofHalf);
    step(y, ofWhole, whole);
    step(y, ofHalf, middle);
    step(middle, ofHalf, next);
    let size = 0;
    for (let i = 0; i < 7; i++) {
      const scale = rtol * Math.max(Math.abs(y[i] as number), Math.abs(next[i] as number));
      size = Math.max(size, Math.abs((next[i] as number) - (whole[i] as number)) / scale);
    }
    const factor = 0.9 * Math.max(size, 1e-12) ** -0.1;
    h = width * Math.min(size <= 1 ? 10 : 1, Math.max(0.2, factor));
    if (size > 1) continue;
    [y, next] = [next, y];
    t = to;
  }
  return y[0] as number;
}

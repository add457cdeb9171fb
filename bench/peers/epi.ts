// The SIR model in plain JavaScript, as one writes it without a library: Dormand & Prince's pair with dense output, and
// Gillespie's direct method with the numbers of the host.

interface Sir {
  readonly beta: number;
  readonly gamma: number;
  readonly N: number;
  readonly I0: number;
  readonly days: number;
  readonly samples: number;
}

const A = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
] as const;
const E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40] as const;
const D = [
  -12715105075 / 11282082432,
  0,
  87487479700 / 32700410799,
  -10690763975 / 1880347072,
  701980252875 / 199316789632,
  -1453857185 / 822651844,
  69997945 / 29380423,
] as const;

/** S, I, R and the infections at the samples. */
export function sirCurve({ beta, gamma, N, I0, days, samples }: Sir, rtol: number): readonly Float64Array[] {
  const slopes = (y: Float64Array, d: Float64Array) => {
    const infections = (beta / N) * (y[0] ?? 0) * (y[1] ?? 0);
    d[0] = -infections;
    d[1] = infections - gamma * (y[1] ?? 0);
    d[2] = gamma * (y[1] ?? 0);
    d[3] = infections;
  };
  const k = Array.from({ length: 7 }, () => new Float64Array(4));
  const [k0, k6] = [k[0] as Float64Array, k[6] as Float64Array];
  let y = Float64Array.of(N - I0, I0, 0, 0);
  let next = new Float64Array(4);
  const rows = [y.slice()];
  let [t, h] = [0, 0.01];
  slopes(y, k0);
  while (t < days) {
    if (t + 1.01 * h >= days) h = days - t;
    for (let s = 1; s < 7; s++) {
      const weights = A[s] as readonly number[];
      for (let j = 0; j < 4; j++) {
        let sum = 0;
        for (let r = 0; r < s; r++) sum += (weights[r] as number) * ((k[r] as Float64Array)[j] as number);
        next[j] = (y[j] as number) + h * sum;
      }
      slopes(next, k[s] as Float64Array);
    }
    let squares = 0;
    for (let j = 0; j < 4; j++) {
      let error = 0;
      for (let s = 0; s < 7; s++) error += (E[s] as number) * ((k[s] as Float64Array)[j] as number);
      const scale = rtol * Math.max(Math.abs(y[j] as number), Math.abs(next[j] as number)) + 1e-300;
      squares += ((h * error) / scale) ** 2;
    }
    const size = Math.sqrt(squares / 4);
    if (size <= 1) {
      const end = t + h;
      for (; rows.length < samples; ) {
        const to = (days * rows.length) / (samples - 1);
        if (to > end && end < days) break;
        const theta = (to - t) / h;
        const left = 1 - theta;
        const row = new Float64Array(4);
        for (let j = 0; j < 4; j++) {
          let c = 0;
          for (let s = 0; s < 7; s++) c += (D[s] as number) * ((k[s] as Float64Array)[j] as number);
          const change = (next[j] as number) - (y[j] as number);
          const a = h * (k0[j] as number) - change;
          const b = change - h * (k6[j] as number) - a;
          row[j] = (y[j] as number) + theta * (change + left * (a + theta * (b + left * h * c)));
        }
        rows.push(row);
      }
      t = end;
      [y, next] = [next, y];
      k0.set(k6);
    }
    h *= Math.min(10, Math.max(0.2, 0.9 * Math.max(size, 1e-10) ** -0.2));
  }
  return rows;
}

/** Mean number of infections in so many runs. */
export function gillespieInfections({ beta, gamma, N, I0, days }: Sir, runs: number): number {
  let infections = 0;
  for (let run = 0; run < runs; run++) {
    let [s, i, t] = [N - I0, I0, 0];
    while (i > 0) {
      const infection = (beta * s * i) / N;
      const all = infection + gamma * i;
      t -= Math.log(1 - Math.random()) / all;
      if (t > days) break;
      if (Math.random() * all < infection) {
        s--;
        i++;
        infections++;
      } else i--;
    }
  }
  return infections / runs;
}

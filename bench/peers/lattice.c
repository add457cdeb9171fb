/*
 * An open chain of five phases by Runge and Kutta's method of order 4 with equal steps, with the integral of r: the loop of
 * the kernel, in C.
 *
 *   cc -O2 -o lattice lattice.c -lm
 *
 * A line "K end steps omega1 … omega5"; the answer is the CPU time of the fastest of several batches in seconds a run, and
 * the mean of r over the second half.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NODES = 5, N = NODES + 1 };

static double K, omega[NODES];

static void slopes(const double *y, double *d)
{
  double x = 0, z = 0;
  for (int i = 0; i < NODES; i++) d[i] = omega[i];
  for (int i = 0; i + 1 < NODES; i++) {
    double pull = K * sin(y[i + 1] - y[i]);
    d[i] += pull;
    d[i + 1] -= pull;
  }
  for (int i = 0; i < NODES; i++) {
    x += cos(y[i]);
    z += sin(y[i]);
  }
  d[NODES] = sqrt(x * x + z * z) / NODES;
}

static double run(double end, long steps)
{
  double y[N] = {0}, k[5][N], z[N], next[N], middle = 0, h = end / steps;
  slopes(y, k[0]);
  for (long n = 0; n < steps; n++) {
    if (2 * n == steps) middle = y[NODES];
    for (int i = 0; i < N; i++) z[i] = y[i] + 0.5 * h * k[0][i];
    slopes(z, k[1]);
    for (int i = 0; i < N; i++) z[i] = y[i] + 0.5 * h * k[1][i];
    slopes(z, k[2]);
    for (int i = 0; i < N; i++) z[i] = y[i] + h * k[2][i];
    slopes(z, k[3]);
    for (int i = 0; i < N; i++) next[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    slopes(next, k[4]);
    memcpy(y, next, sizeof y);
    memcpy(k[0], k[4], sizeof y);
  }
  return (y[NODES] - middle) / (end / 2);
}

int main(void)
{
  double end;
  long steps;
  while (scanf("%lf %lf %ld", &K, &end, &steps) == 3) {
    double mean = 0, best = 1e300, r = 0;
    for (int i = 0; i < NODES; i++) {
      if (scanf("%lf", omega + i) != 1) return 1;
      mean += omega[i] / NODES;
    }
    for (int i = 0; i < NODES; i++) omega[i] -= mean;
    for (int batch = 0; batch < 5; batch++) {
      clock_t begin = clock();
      int runs = 0;
      do {
        r = run(end, steps);
        runs++;
      } while (clock() - begin < CLOCKS_PER_SEC / 20);
      double each = (double)(clock() - begin) / CLOCKS_PER_SEC / runs;
      if (each < best) best = each;
    }
    printf("%.17g %.17g\n", best, r);
    fflush(stdout);
  }
  return 0;
}

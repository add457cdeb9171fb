/*
 * The Lyapunov exponents of Lorenz's equations by the method of the kernel in C: Runge and Kutta's method for the states
 * and three tangent vectors, frames by Gram and Schmidt every ten steps.
 *
 *   cc -O2 -o lorenz lorenz.c -lm
 *
 * A line "sigma rho beta dt steps transient"; the answer is the CPU time of the fastest of several batches in seconds a
 * run, and the three exponents.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double sigma, rho, beta;

static void slopes(const double *y, double *d)
{
  double lift = rho - y[2];
  d[0] = sigma * (y[1] - y[0]);
  d[1] = y[0] * lift - y[1];
  d[2] = y[0] * y[1] - beta * y[2];
  for (int k = 3; k < 12; k += 3) {
    d[k] = sigma * (y[k + 1] - y[k]);
    d[k + 1] = lift * y[k] - y[k + 1] - y[0] * y[k + 2];
    d[k + 2] = y[1] * y[k] + y[0] * y[k + 1] - beta * y[k + 2];
  }
}

static void run(double h, int steps, int transient, double *exponents)
{
  double y[12] = {1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, k1[12], k2[12], k3[12], k4[12], at[12], sums[3] = {0};
  for (int i = 1; i <= steps + transient; i++) {
    slopes(y, k1);
    for (int j = 0; j < 12; j++) at[j] = y[j] + 0.5 * h * k1[j];
    slopes(at, k2);
    for (int j = 0; j < 12; j++) at[j] = y[j] + 0.5 * h * k2[j];
    slopes(at, k3);
    for (int j = 0; j < 12; j++) at[j] = y[j] + h * k3[j];
    slopes(at, k4);
    for (int j = 0; j < 12; j++) y[j] += h / 6 * (k1[j] + 2 * (k2[j] + k3[j]) + k4[j]);
    if (i == transient) memset(sums, 0, sizeof sums);
    if (i % 10 != 0) continue;
    for (int a = 0; a < 3; a++) {
      double *v = y + 3 + 3 * a;
      for (int b = 0; b < a; b++) {
        double *w = y + 3 + 3 * b, part = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
        for (int j = 0; j < 3; j++) v[j] -= part * w[j];
      }
      double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      sums[a] += log(length);
      for (int j = 0; j < 3; j++) v[j] /= length;
    }
  }
  for (int a = 0; a < 3; a++) exponents[a] = sums[a] / (h * steps);
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void)
{
  double dt;
  int steps, transient;
  while (scanf("%lf %lf %lf %lf %d %d", &sigma, &rho, &beta, &dt, &steps, &transient) == 6) {
    double exponents[3], best = INFINITY;
    for (int batch = 0; batch < 5; batch++) {
      double before = cpu_seconds();
      run(dt, steps, transient, exponents);
      best = fmin(best, cpu_seconds() - before);
    }
    printf("%.9g %.17g %.17g %.17g\n", best, exponents[0], exponents[1], exponents[2]);
    fflush(stdout);
  }
  return 0;
}

/*
 * Lotka and Volterra's period by Runge and Kutta's method of order 4 with equal steps in logarithms about the equilibrium:
 * the loop of the kernel, in C.
 *
 *   cc -O2 -o lotka lotka.c -lm
 *
 * A line "alpha gamma p q step"; the answer is the CPU time of the fastest of several batches in seconds a run, and the
 * time between the first two maxima of the predators.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

static double alpha, gamma_;

static void slopes(const double *y, double *d)
{
  d[0] = -alpha * expm1(y[1]);
  d[1] = gamma_ * expm1(y[0]);
}

/* k1 is read, k5 = f(out) is written. */
static void step(const double *y, double h, double k[5][2], double *out)
{
  double z[2];
  for (int i = 0; i < 2; i++) z[i] = y[i] + 0.5 * h * k[0][i];
  slopes(z, k[1]);
  for (int i = 0; i < 2; i++) z[i] = y[i] + 0.5 * h * k[1][i];
  slopes(z, k[2]);
  for (int i = 0; i < 2; i++) z[i] = y[i] + h * k[2][i];
  slopes(z, k[3]);
  for (int i = 0; i < 2; i++) out[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  slopes(out, k[4]);
}

static double run(double p, double q, double h)
{
  double y[2] = {p, q}, next[2], k[5][2], probe[5][2], first = 0;
  int arrivals = 0;
  slopes(y, k[0]);
  for (long n = 0;; n++) {
    step(y, h, k, next);
    if (y[0] > 0 && next[0] <= 0) {
      double a = 0, b = 1;
      for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (a + b), out[2];
        slopes(y, probe[0]);
        step(y, middle * h, probe, out);
        if (out[0] > 0) a = middle;
        else b = middle;
      }
      double t = (n + a) * h;
      if (arrivals++) return t - first;
      first = t;
    }
    for (int i = 0; i < 2; i++) {
      y[i] = next[i];
      k[0][i] = k[4][i];
    }
  }
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void)
{
  double p, q, h;
  while (scanf("%lf %lf %lf %lf %lf", &alpha, &gamma_, &p, &q, &h) == 5) {
    double best = INFINITY, period = 0;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double before = cpu_seconds(), spent;
      do {
        period = run(p, q, h);
        runs++;
        spent = cpu_seconds() - before;
      } while (spent < 0.02);
      best = fmin(best, spent / runs);
    }
    printf("%.9g %.17g\n", best, period);
    fflush(stdout);
  }
  return 0;
}

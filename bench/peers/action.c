/*
 * Kepler's orbit by the leapfrog and its compositions, with carried sums and the energy after each step, in C.
 *
 *   cc -O2 -o action action.c -lm
 *
 * A line "order steps dt eccentricity"; the answer is the CPU time of the fastest of several batches in seconds a run, then x and
 * y at the end, and the largest change of the energy.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

static const double Y4[] = {1.35120719195965763, -1.70241438391931527};
static const double Y6[] = {0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695, 0};
static const double K8[] = {0.13020248308889008088, 0.5611629817751083846, -0.38947496264484728641, 0.1588419065551556009,
                            -0.39590389413323757734, 0.18453964097831570709, 0.25837438768632204729,
                            0.29501172360931029887, 0};

static void force(const double *q, double *f)
{
  double r2 = q[0] * q[0] + q[1] * q[1], w = -1 / (r2 * sqrt(r2));
  f[0] = w * q[0], f[1] = w * q[1];
}

static double energy(const double *q, const double *p)
{
  return 0.5 * (p[0] * p[0] + p[1] * p[1]) - 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
}

static void add(double *y, double *carry, double h, const double *slope)
{
  for (int i = 0; i < 2; i++) {
    double increment = h * slope[i] + carry[i], sum = y[i] + increment;
    carry[i] = increment - (sum - y[i]);
    y[i] = sum;
  }
}

static void run(int order, long steps, double dt, double e, double *out)
{
  double w[17], q[2] = {1 - e, 0}, p[2] = {0, sqrt((1 + e) / (1 - e))}, cq[2] = {0}, cp[2] = {0}, f[2];
  int half = order == 2 ? 0 : order == 4 ? 1 : order == 6 ? 3 : 8, stages = 2 * half + 1;
  const double *given = order == 4 ? Y4 : order == 6 ? Y6 : K8;
  double middle = 1;
  for (int s = 0; s < half; s++) w[s] = w[stages - 1 - s] = given[s], middle -= 2 * given[s];
  w[half] = middle;
  double start = energy(q, p), worst = 0;
  force(q, f);
  for (long i = 0; i < steps; i++) {
    for (int s = 0; s < stages; s++) {
      double h = w[s] * dt;
      add(p, cp, 0.5 * h, f);
      add(q, cq, h, p);
      force(q, f);
      add(p, cp, 0.5 * h, f);
    }
    double off = fabs(energy(q, p) - start);
    if (off > worst) worst = off;
  }
  out[0] = q[0], out[1] = q[1], out[2] = worst;
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(void)
{
  int order;
  long steps;
  double dt, e, out[3];
  while (scanf("%d %ld %lf %lf", &order, &steps, &dt, &e) == 4) {
    double best = 1e9;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double begin = cpu();
      while (runs == 0 || cpu() - begin < 0.02) run(order, steps, dt, e, out), runs++;
      double each = (cpu() - begin) / runs;
      if (each < best) best = each;
    }
    printf("%.9g %.17g %.17g %.17g\n", best, out[0], out[1], out[2]);
    fflush(stdout);
  }
  return 0;
}

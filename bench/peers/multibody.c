/*
 * Bodies under gravity in a plane by the classical Runge-Kutta method with equal steps, in C.
 *
 *   cc -O2 -o multibody multibody.c -lm
 *
 * A line "tEnd steps n" and then "mass x y vx vy" of each body; the answer is the CPU time of the fastest of several
 * batches in seconds a run, and the places at the end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX 16

static int n;
static double mass[MAX];

static void slopes(const double *y, double *f)
{
  memcpy(f, y + 2 * n, 2 * n * sizeof *y);
  double *a = f + 2 * n;
  memset(a, 0, 2 * n * sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double dx = y[2 * j] - y[2 * i], dy = y[2 * j + 1] - y[2 * i + 1];
      double r2 = dx * dx + dy * dy, w = 1 / (r2 * sqrt(r2));
      a[2 * i] += w * mass[j] * dx;
      a[2 * i + 1] += w * mass[j] * dy;
      a[2 * j] -= w * mass[i] * dx;
      a[2 * j + 1] -= w * mass[i] * dy;
    }
}

static void run(const double *start, double *y, double end, long steps)
{
  double k[4][4 * MAX], z[4 * MAX], h = end / steps;
  int size = 4 * n;
  memcpy(y, start, size * sizeof *y);
  for (long s = 0; s < steps; s++) {
    slopes(y, k[0]);
    for (int i = 0; i < size; i++) z[i] = y[i] + 0.5 * h * k[0][i];
    slopes(z, k[1]);
    for (int i = 0; i < size; i++) z[i] = y[i] + 0.5 * h * k[1][i];
    slopes(z, k[2]);
    for (int i = 0; i < size; i++) z[i] = y[i] + h * k[2][i];
    slopes(z, k[3]);
    for (int i = 0; i < size; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(void)
{
  double end, start[4 * MAX], y[4 * MAX];
  long steps;
  while (scanf("%lf %ld %d", &end, &steps, &n) == 3) {
    for (int i = 0; i < n; i++)
      if (scanf("%lf %lf %lf %lf %lf", &mass[i], &start[2 * i], &start[2 * i + 1], &start[2 * n + 2 * i],
                &start[2 * n + 2 * i + 1]) != 5)
        return 1;
    double best = 1e9;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double begin = cpu();
      while (runs == 0 || cpu() - begin < 0.02) run(start, y, end, steps), runs++;
      double each = (cpu() - begin) / runs;
      if (each < best) best = each;
    }
    printf("%.9g", best);
    for (int i = 0; i < 2 * n; i++) printf(" %.17g", y[i]);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

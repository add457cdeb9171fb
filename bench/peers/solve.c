/*
 * The master field on a line by the classical Runge-Kutta method with equal steps, in C.
 *
 *   cc -O2 -o solve solve.c -lm
 *
 * A line "tEnd steps g alpha beta damping drag drive omega phi0 dphi0"; the answer is the CPU time of the fastest of several
 * batches in seconds a run, phi and dphi at the end, and the work. Without damping, drag and drive there is no work.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

static double g, a, b, d, c, f, w;

static double conservative(double x) { return -g - x * (a + b * x * x); }

static double extra(double t, double x, double v, double *loss)
{
  double l = d + c * fabs(v);
  (void)x;
  *loss = l * v * v;
  return -l * v + (f != 0 ? f * cos(w * t) : 0);
}

static void run(double x, double v, double end, long steps, double *out)
{
  double h = end / steps, work = 0, lost = 0;
  int has_work = d != 0 || c != 0 || f != 0;
  for (long s = 0; s < steps; s++) {
    double t = s * h;
    if (!has_work) {
      double a1 = conservative(x), v2 = v + h / 2 * a1, a2 = conservative(x + h / 2 * v);
      double v3 = v + h / 2 * a2, a3 = conservative(x + h / 2 * v2), v4 = v + h * a3, a4 = conservative(x + h * v3);
      x += h / 6 * (v + 2 * (v2 + v3) + v4);
      v += h / 6 * (a1 + 2 * (a2 + a3) + a4);
      continue;
    }
    double l1, l2, l3, l4;
    double b1 = extra(t, x, v, &l1), a1 = conservative(x) + b1;
    double v2 = v + h / 2 * a1, x2 = x + h / 2 * v, b2 = extra(t + h / 2, x2, v2, &l2), a2 = conservative(x2) + b2;
    double v3 = v + h / 2 * a2, x3 = x + h / 2 * v2, b3 = extra(t + h / 2, x3, v3, &l3), a3 = conservative(x3) + b3;
    double v4 = v + h * a3, x4 = x + h * v3, b4 = extra(t + h, x4, v4, &l4), a4 = conservative(x4) + b4;
    work += h / 6 * (v * b1 + 2 * (v2 * b2 + v3 * b3) + v4 * b4);
    lost += h / 6 * (l1 + 2 * (l2 + l3) + l4);
    x += h / 6 * (v + 2 * (v2 + v3) + v4);
    v += h / 6 * (a1 + 2 * (a2 + a3) + a4);
  }
  out[0] = x, out[1] = v, out[2] = work, out[3] = lost;
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(void)
{
  double end, x, v, out[4];
  long steps;
  while (scanf("%lf %ld %lf %lf %lf %lf %lf %lf %lf %lf %lf", &end, &steps, &g, &a, &b, &d, &c, &f, &w, &x, &v) == 11) {
    double best = 1e9;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double begin = cpu();
      while (runs == 0 || cpu() - begin < 0.02) run(x, v, end, steps, out), runs++;
      double each = (cpu() - begin) / runs;
      if (each < best) best = each;
    }
    printf("%.9g %.17g %.17g %.17g %.17g\n", best, out[0], out[1], out[2], out[3]);
    fflush(stdout);
  }
  return 0;
}

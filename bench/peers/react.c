/* Gray-Scott on a periodic square in plain C: forward Euler with 5-point differences, and Runge-Kutta 4 with differences of
   order 4. Arrays have a halo of two cells; the loops are those of the kernel, one cell at a time. Reads lines
   "euler|rk4 n steps"; answers CPU seconds and the mean of u. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HALO = 2 };
static int n;
static long stride;
static const double Du = 0.16, Dv = 0.08, F = 0.035, k = 0.065, dt = 1.0;

static double *field(void) {
  double *block = calloc((n + 2 * HALO) * stride, sizeof(double));
  return block + HALO * stride + HALO;
}
static void release(double *f) { free(f - HALO * stride - HALO); }

static void halo(double *f) {
  for (int j = 0; j < n; j++) {
    double *row = f + j * stride;
    row[-1] = row[n - 1]; row[-2] = row[n - 2]; row[n] = row[0]; row[n + 1] = row[1];
  }
  size_t bytes = stride * sizeof(double);
  memcpy(f - HALO - stride, f - HALO + (n - 1) * stride, bytes);
  memcpy(f - HALO - 2 * stride, f - HALO + (n - 2) * stride, bytes);
  memcpy(f - HALO + n * stride, f - HALO, bytes);
  memcpy(f - HALO + (n + 1) * stride, f - HALO + stride, bytes);
}

static void euler(const double *restrict u, const double *restrict v, double *restrict a, double *restrict b) {
  const long s = stride;
  for (int j = 0; j < n; j++)
    for (long i = j * s; i < j * s + n; i++) {
      double x = u[i], y = v[i], c = x * y * y;
      a[i] = x + dt * (Du * (u[i - 1] + u[i + 1] + u[i - s] + u[i + s] - 4 * x) - c + F * (1 - x));
      b[i] = y + dt * (Dv * (v[i - 1] + v[i + 1] + v[i - s] + v[i + s] - 4 * y) + c - (F + k) * y);
    }
}

static inline double fourth(const double *f, long i, long s) {
  return (16 * (f[i - 1] + f[i + 1] + f[i - s] + f[i + s]) - (f[i - 2] + f[i + 2] + f[i - 2 * s] + f[i + 2 * s]) - 60 * f[i]) / 12;
}

static void stage(const double *u, const double *v, const double *yu, const double *yv, double *restrict tu, double *restrict tv,
                  const double *bu, const double *bv, double *au, double *av, double next, double weight) {
  for (int j = 0; j < n; j++)
#pragma GCC ivdep
    for (long i = j * stride; i < j * stride + n; i++) {
      double x = u[i], y = v[i], c = x * y * y;
      double p = Du * fourth(u, i, stride) - c + F * (1 - x);
      double q = Dv * fourth(v, i, stride) + c - (F + k) * y;
      tu[i] = yu[i] + next * p; tv[i] = yv[i] + next * q;
      au[i] = bu[i] + weight * p; av[i] = bv[i] + weight * q;
    }
}

static double run(int order, int steps) {
  double *u = field(), *v = field(), *a = field(), *b = field(), *c = field(), *d = field(), *e = field(), *f = field();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int in = i >= n / 2 - 10 && i < n / 2 + 10 && j >= n / 2 - 10 && j < n / 2 + 10;
      u[j * stride + i] = in ? 0.5 : 1;
      v[j * stride + i] = in ? 0.25 : 0;
    }
  for (int step = 0; step < steps; step++) {
    halo(u); halo(v);
    if (order == 1) {
      euler(u, v, a, b);
      double *t = u; u = a; a = t;
      t = v; v = b; b = t;
      continue;
    }
    stage(u, v, u, v, a, b, u, v, e, f, 0.5 * dt, dt / 6);
    halo(a); halo(b);
    stage(a, b, u, v, c, d, e, f, e, f, 0.5 * dt, dt / 3);
    halo(c); halo(d);
    stage(c, d, u, v, a, b, e, f, e, f, dt, dt / 3);
    halo(a); halo(b);
    stage(a, b, u, v, c, d, e, f, u, v, 0, dt / 6);
  }
  double sum = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) sum += u[j * stride + i];
  double *all[] = {u, v, a, b, c, d, e, f};
  for (int i = 0; i < 8; i++) release(all[i]);
  return sum / ((double)n * n);
}

int main(void) {
  char method[16];
  int steps;
  while (scanf("%15s %d %d", method, &n, &steps) == 3) {
    stride = ((n + 1) & ~1) + 2 * HALO;
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    double mean = run(strcmp(method, "euler") == 0 ? 1 : 4, steps);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    printf("%.9f %.17g\n", (to.tv_sec - from.tv_sec) + 1e-9 * (to.tv_nsec - from.tv_nsec), mean);
    fflush(stdout);
  }
  return 0;
}

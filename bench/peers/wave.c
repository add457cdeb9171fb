/* Staggered leapfrog on a rectangle in plain C, the loops of the kernel one node at a time: w on nodes, q on faces, and u
   for a membrane with fixed sides. Reads lines "membrane|yee n steps"; answers CPU seconds and the energy at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>

static int n;
static long s;

static double *field(void) { return (double *)calloc((n + 5) * s, sizeof(double)) + 2 * s + 2; }
static void release(double *f) { free(f - 2 * s - 2); }

static void fluxes(const double *restrict w, double *restrict qx, double *restrict qy, double gx, double gy) {
  for (int j = 0; j <= n; j++)
    for (long i = j * s; i < j * s + n; i++) qx[i] += gx * (w[i + 1] - w[i]);
  for (int j = 0; j < n; j++)
    for (long i = j * s; i <= j * s + n; i++) qy[i] += gy * (w[i + s] - w[i]);
}

static void nodes(double *restrict w, double *restrict u, const double *restrict qx, const double *restrict qy, double gx,
                  double gy, double dt) {
  for (int j = 1; j < n; j++)
    for (long i = j * s + 1; i < j * s + n; i++) {
      w[i] += gx * (qx[i] - qx[i - 1]) + gy * (qy[i] - qy[i - s]);
      u[i] += dt * w[i];
    }
}

static double run(int isYee, int steps) {
  s = n + 6;
  double *w = field(), *u = field(), *qx = field(), *qy = field();
  double h = 1.0 / n, dt = 0.5 * h / sqrt(2), g = dt / h;
  for (int j = 1; j < n; j++)
    for (int i = 1; i < n; i++) (isYee ? w : u)[j * s + i] = sin(M_PI * i * h) * sin(M_PI * j * h);
  if (isYee) fluxes(w, qx, qy, -0.5 * g, -0.5 * g);
  else {
    fluxes(u, qx, qy, 1 / h, 1 / h);
    nodes(w, u, qx, qy, -0.5 * g, -0.5 * g, 0);
  }
  for (int k = 0; k < steps; k++) {
    if (isYee) fluxes(w, qx, qy, g, g);
    nodes(w, u, qx, qy, g, g, dt);
    if (!isYee) fluxes(w, qx, qy, g, g);
  }
  double e = 0;
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      long a = j * s + i;
      double x = i < n ? qx[a] * (qx[a] + (isYee ? g : -g) * (w[a + 1] - w[a])) : 0;
      double y = j < n ? qy[a] * (qy[a] + (isYee ? g : -g) * (w[a + s] - w[a])) : 0;
      e += w[a] * w[a] + x + y;
    }
  release(w); release(u); release(qx); release(qy);
  return 0.5 * h * h * e;
}

int main(void) {
  char kind[16];
  int steps;
  while (scanf("%15s %d %d", kind, &n, &steps) == 3) {
    clock_t start = clock();
    double energy = run(strcmp(kind, "yee") == 0, steps);
    printf("%.9f %.17g\n", (double)(clock() - start) / CLOCKS_PER_SEC, energy);
    fflush(stdout);
  }
  return 0;
}

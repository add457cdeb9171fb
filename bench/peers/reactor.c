/*
 * Point kinetics after a step from equilibrium by Radau IIA with five stages and the precursors eliminated: the method of
 * the kernel, in C.
 *
 *   cc -O2 -o reactor reactor.c -lm
 *
 * A line "rho end Lambda rtol beta_1 … beta_6 lambda_1 … lambda_6"; the answer is the CPU time of the fastest of several
 * batches in seconds a run, and the power at the end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double A[25] = {
    0.07299886431790333, -0.02673533110794557, 0.018676929763984353, -0.01287910609330644, 0.005042839233882015,
    0.15377523147918246, 0.14621486784749352,  -0.03644456890512809, 0.02123306311930472,  -0.007935579902728777,
    0.14006304568480987, 0.29896712949128346,  0.16758507013524895,  -0.03396910168661774, 0.010944288744192253,
    0.14489430810953477, 0.2765000687601592,   0.32579792291042103,  0.12875675325490976,  -0.015708917378805327,
    0.14371356079122594, 0.28135601514946207,  0.31182652297574126,  0.22310390108357075,  0.04};

struct ready {
  double h, q[25], r[6][25], ones[6][5];
};

static double rho, lifetime, births[6], decay[6];

static void solve(double *a, double *b, int columns)
{
  for (int j = 0; j < 5; j++) {
    int best = j;
    for (int i = j + 1; i < 5; i++)
      if (fabs(a[i * 5 + j]) > fabs(a[best * 5 + j])) best = i;
    if (best != j) {
      for (int c = 0; c < 5; c++) {
        double one = a[j * 5 + c];
        a[j * 5 + c] = a[best * 5 + c];
        a[best * 5 + c] = one;
      }
      for (int c = 0; c < columns; c++) {
        double one = b[j * columns + c];
        b[j * columns + c] = b[best * columns + c];
        b[best * columns + c] = one;
      }
    }
    for (int i = j + 1; i < 5; i++) {
      double factor = a[i * 5 + j] / a[j * 5 + j];
      for (int c = j + 1; c < 5; c++) a[i * 5 + c] -= factor * a[j * 5 + c];
      for (int c = 0; c < columns; c++) b[i * columns + c] -= factor * b[j * columns + c];
    }
  }
  for (int i = 4; i >= 0; i--)
    for (int c = 0; c < columns; c++) {
      double sum = b[i * columns + c];
      for (int j = i + 1; j < 5; j++) sum -= a[i * 5 + j] * b[j * columns + c];
      b[i * columns + c] = sum / a[i * 5 + i];
    }
}

static void prepare(double h, struct ready *of)
{
  double matrix[25];
  if (of->h == h) return;
  of->h = h;
  memset(of->q, 0, sizeof of->q);
  for (int g = 0; g < 6; g++) {
    for (int i = 0; i < 25; i++) {
      double diagonal = i % 6 == 0;
      matrix[i] = h * decay[g] * A[i] + diagonal;
      of->r[g][i] = diagonal;
    }
    solve(matrix, of->r[g], 5);
    for (int i = 0; i < 5; i++) {
      of->ones[g][i] = 0;
      for (int j = 0; j < 5; j++) of->ones[g][i] += of->r[g][5 * i + j];
    }
    for (int i = 0; i < 25; i++) of->q[i] += births[g] * of->r[g][i];
  }
}

static void step(const double *y, const struct ready *of, double *out)
{
  double matrix[25], n[5], right[5], an[5], h = of->h;
  for (int j = 0; j < 5; j++) {
    right[j] = 0;
    for (int g = 0; g < 6; g++) right[j] += decay[g] * y[1 + g] * of->ones[g][j];
  }
  for (int i = 0; i < 5; i++) {
    double sum = 0;
    for (int j = 0; j < 5; j++) sum += A[5 * i + j] * right[j];
    n[i] = y[0] + h * sum;
    for (int l = 0; l < 5; l++) {
      double product = A[5 * i + l] * (rho / lifetime);
      for (int j = 0; j < 5; j++) product -= A[5 * i + j] * of->q[5 * j + l];
      matrix[5 * i + l] = (i == l) - h * product;
    }
  }
  solve(matrix, n, 1);
  for (int i = 0; i < 5; i++) {
    an[i] = 0;
    for (int j = 0; j < 5; j++) an[i] += A[5 * i + j] * n[j];
  }
  out[0] = n[4];
  for (int g = 0; g < 6; g++) {
    double sum = 0;
    for (int j = 0; j < 5; j++) sum += of->r[g][20 + j] * an[j];
    out[1 + g] = y[1 + g] * of->ones[g][4] + h * births[g] * sum;
  }
}

static double run(double end, double rtol)
{
  static struct ready whole, half;
  double y[7] = {1}, next[7], single[7], middle[7], t = 0, beta = 0, h;
  whole.h = half.h = 0;
  for (int g = 0; g < 6; g++) {
    y[1 + g] = births[g] / decay[g];
    beta += births[g];
  }
  h = 0.01 / beta;
  while (t < end) {
    double to = t + 1.01 * h >= end ? end : t + h, width = to - t, size = 0;
    prepare(width, &whole);
    prepare(0.5 * width, &half);
    step(y, &whole, single);
    step(y, &half, middle);
    step(middle, &half, next);
    for (int i = 0; i < 7; i++) size = fmax(size, fabs(next[i] - single[i]) / (rtol * fmax(fabs(y[i]), fabs(next[i]))));
    h = width * fmin(size <= 1 ? 10 : 1, fmax(0.2, 0.9 * pow(fmax(size, 1e-12), -0.1)));
    if (size > 1) continue;
    memcpy(y, next, sizeof y);
    t = to;
  }
  return y[0];
}

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void)
{
  double end, rtol;
  while (scanf("%lf %lf %lf %lf", &rho, &end, &lifetime, &rtol) == 4) {
    double best = INFINITY, power = 0;
    for (int g = 0; g < 6; g++) {
      if (scanf("%lf", &births[g]) != 1) return 1;
      births[g] /= lifetime;
    }
    for (int g = 0; g < 6; g++)
      if (scanf("%lf", &decay[g]) != 1) return 1;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double before = cpu_seconds(), spent;
      do {
        power = run(end, rtol);
        runs++;
        spent = cpu_seconds() - before;
      } while (spent < 0.02);
      best = fmin(best, spent / runs);
    }
    printf("%.9g %.17g\n", best, power);
    fflush(stdout);
  }
  return 0;
}

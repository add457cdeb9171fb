/*
 * SIR and SEIR by Dormand & Prince's pair with an adaptive step and dense output: the method of the kernel, in C.
 *
 *   cc -O2 -o epi epi.c -lm
 *
 * A line "beta gamma sigma N I0 days samples rtol", sigma 0 for SIR; the answer is the CPU time of the fastest of several
 * batches in seconds a run, and the infectious at the samples; all compartments
 * are interpolated there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_SAMPLES 4096

static double beta, gamma_, sigma;
static int n;

static void slopes(const double *y, double *d)
{
  double new = beta * y[0] * y[n - 3];
  d[0] = -new;
  if (n == 5) {
    d[1] = new - sigma * y[1];
    d[2] = sigma * y[1] - gamma_ * y[2];
  } else {
    d[1] = new - gamma_ * y[1];
  }
  d[n - 2] = gamma_ * y[n - 3];
  d[n - 1] = new;
}

static const double A[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double E[7] = {71.0 / 57600, 0,          -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200,
                            22.0 / 525,   -1.0 / 40};
static const double D[7] = {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
                            701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423};

static double samples_[MAX_SAMPLES][5];

static void run(const double *start, double days, int samples, double rtol)
{
  double y[5], next[5], k[7][5], t = 0, h = 0.01;
  int at = 1;
  memcpy(y, start, sizeof y);
  slopes(y, k[0]);
  memcpy(samples_[0], y, sizeof y);
  while (t < days) {
    if (t + 1.01 * h >= days) h = days - t;
    for (int s = 1; s < 7; s++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int r = 0; r < s; r++) sum += A[s][r] * k[r][j];
        next[j] = y[j] + h * sum;
      }
      slopes(next, k[s]);
    }
    double squares = 0;
    for (int j = 0; j < n; j++) {
      double error = 0;
      for (int s = 0; s < 7; s++) error += E[s] * k[s][j];
      double scale = rtol * fmax(fabs(y[j]), fabs(next[j])) + 1e-300;
      squares += h * error / scale * (h * error / scale);
    }
    double size = sqrt(squares / n), factor = 0.9 * pow(fmax(size, 1e-10), -0.2);
    if (size <= 1) {
      double end = t + h;
      for (; at < samples; at++) {
        double to = days * at / (samples - 1);
        if (to > end && end < days) break;
        double theta = (to - t) / h, left = 1 - theta;
        for (int j = 0; j < n; j++) {
          double c = 0;
          for (int s = 0; s < 7; s++) c += D[s] * k[s][j];
          double change = next[j] - y[j], a = h * k[0][j] - change, b = change - h * k[6][j] - a;
          samples_[at][j] = y[j] + theta * (change + left * (a + theta * (b + left * h * c)));
        }
      }
      t = end;
      memcpy(y, next, sizeof y);
      memcpy(k[0], k[6], sizeof k[0]);
    }
    h *= fmin(10, fmax(0.2, factor));
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
  double people, seeds, days, rtol, start[5] = {0};
  int samples;
  while (scanf("%lf %lf %lf %lf %lf %lf %d %lf", &beta, &gamma_, &sigma, &people, &seeds, &days, &samples, &rtol) == 8) {
    n = sigma > 0 ? 5 : 4;
    beta /= people;
    memset(start, 0, sizeof start);
    start[0] = people - seeds;
    start[n - 3] = seeds;
    if (samples > MAX_SAMPLES) return 1;
    double best = INFINITY;
    for (int batch = 0; batch < 5; batch++) {
      int runs = 0;
      double before = cpu_seconds(), spent;
      do {
        run(start, days, samples, rtol);
        runs++;
        spent = cpu_seconds() - before;
      } while (spent < 0.02);
      best = fmin(best, spent / runs);
    }
    printf("%.9g", best);
    for (int i = 0; i < samples; i++) printf(" %.17g", samples_[i][n - 3]);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

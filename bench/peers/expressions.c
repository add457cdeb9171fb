/*
 * The formulas of bench/expressions.ts in C, timed on request.
 *
 *   cc -O2 -o expressions expressions.c -lm
 *
 * A line of standard input names a case and a number of rows; the answer is the CPU time of the fastest of several
 * passes in nanoseconds a value, and the sum of the values. Rows hold x and y, as the slots of the expression kernel do.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PASSES 5

#define CASE(name, expression)                                      \
  static void name(const double *slots, double *values, long rows)  \
  {                                                                 \
    for (long i = 0; i < rows; i++) {                               \
      double x = slots[2 * i], y = slots[2 * i + 1];                \
      values[i] = expression;                                       \
    }                                                               \
  }

static inline double sum50(double x, double y)
{
  double total = 0;
  for (int k = 1; k <= 50; k++) total += x / ((double)k * k + y);
  return total;
}

CASE(arithmetic, (x + 1.5) * (y - 2) / (x * x + y * y + 1) - 0.25 * x * y + 3)
CASE(exponential, x * exp(-0.5 * (y * y)) * sin(2 * x + y) + 0.1 * (x - y))
CASE(trigonometry,
     sin(x) * sin(x) + cos(x) * cos(x) * exp(-x / 3) + sqrt(x * x + 1) / (1 + x) + tan(0.5 * y))
CASE(powers, pow(x, y) + pow(y, 1.7))
CASE(branches, x < y && y < 2 ? x + 1 : (x > 1 || y > 1 ? x * y : y - 1))
CASE(sum, sum50(x, y))

static const struct {
  const char *name;
  void (*run)(const double *, double *, long);
} CASES[] = {{"arithmetic", arithmetic}, {"exponential", exponential}, {"trigonometry", trigonometry},
             {"powers", powers},         {"branches", branches},       {"sum", sum}};

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void)
{
  char name[32];
  long rows;
  while (scanf("%31s %ld", name, &rows) == 2) {
    double *slots = malloc(2 * rows * sizeof *slots), *values = malloc(rows * sizeof *values);
    if (!slots || !values || rows < 1) return 1;
    for (long i = 0; i < 2 * rows; i++) slots[i] = 0.5 + fmod(i * 0.61803398875, 1) * 2;
    double best = INFINITY, total = 0;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
      if (strcmp(CASES[c].name, name)) continue;
      for (int pass = 0; pass < PASSES; pass++) {
        double before = cpu_seconds();
        CASES[c].run(slots, values, rows);
        double elapsed = cpu_seconds() - before;
        if (elapsed < best) best = elapsed;
      }
      for (long i = 0; i < rows; i++) total += values[i];
    }
    printf("%.4f %.17g\n", best * 1e9 / rows, total);
    fflush(stdout);
    free(slots);
    free(values);
  }
  return 0;
}
